import { setTimeout as sleep } from "node:timers/promises";
import {
  UserError,
  type Logger,
  type PlatformAdapter,
  type PlatformConfig,
  type SendResult,
} from "hermes-agent/plugin";
import { addressedTo } from "./addressed-to.ts";
import { plainText } from "hermes-agent/platform";
import { withoutColours } from "./without-colours.ts";
import type { IrcSettings } from "./settings.ts";
import { foldName } from "./wire/irc-line.ts";
import { IrcLink, type IrcMessage } from "./wire/irc-link.ts";
import { piecesOf } from "./wire/pieces-of.ts";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;
/** How long an answer waits for a reconnection. */
const SEND_WAIT_MS = 60_000;

export interface AdapterPorts {
  readonly message: PlatformConfig["message"];
  readonly log: Logger;
}

/** One nickname on one network. Reconnects after increasing delays. */
export class IrcAdapter implements PlatformAdapter {
  readonly #settings: IrcSettings;
  readonly #ports: AdapterPorts;
  #link: IrcLink | undefined;
  /** Aborted by `disconnect`. */
  #staying: AbortController | undefined;
  /** Settles when the reconnection succeeds or is given up. */
  #coming: Promise<void> = Promise.resolve();
  #lastSend: Promise<unknown> = Promise.resolve();

  constructor(settings: IrcSettings, ports: AdapterPorts) {
    this.#settings = settings;
    this.#ports = ports;
  }

  async connect(): Promise<boolean> {
    if (this.#staying !== undefined) {
      await this.#coming;
      return this.#link !== undefined;
    }
    const { server, channels } = this.#settings;
    if (server === "" || channels.length === 0)
      throw new UserError("IRC has no server or channel.", { hint: "Set IRC_SERVER and IRC_CHANNEL." });
    const staying = new AbortController();
    this.#staying = staying;
    try {
      await this.#open(staying);
    } catch (cause) {
      if (this.#staying === staying) this.#staying = undefined;
      throw cause;
    }
    return true;
  }

  async disconnect(): Promise<void> {
    this.#staying?.abort();
    this.#staying = undefined;
    const link = this.#link;
    this.#link = undefined;
    await link?.close("See you.");
  }

  async send(chat_id: string, text: string): Promise<SendResult> {
    // oxlint-disable-next-line no-control-regex
    if (!/^[^\s,:\u0000-\u001f][^\s,\u0000-\u001f]*$/.test(chat_id))
      return {
        success: false,
        error: `${JSON.stringify(chat_id)} is not a valid channel or nickname.`,
        retryable: false,
      };
    const turn = this.#lastSend.then(() => this.#say(chat_id, plainText(text)));
    this.#lastSend = turn.catch(() => undefined);
    return turn;
  }

  get_chat_info(chat_id: string): { readonly name: string; readonly type: string } {
    return { name: chat_id, type: isChannel(chat_id) ? "channel" : "dm" };
  }

  /** Repeats on the next connection the lines that a lost connection had not confirmed. */
  async #say(target: string, text: string): Promise<SendResult> {
    let rest: readonly string[] | undefined;
    for (;;) {
      const link = await this.#linkSoon();
      if (link === undefined)
        return { success: false, error: `IRC is not connected to ${this.#settings.server}.`, retryable: true };
      rest ??= piecesOf(text, link.room(target));
      const { arrived, refused } = await link.say(target, rest);
      if (refused !== undefined)
        return {
          success: false,
          error: `${this.#settings.server} refused the message to ${target}: ${refused}`,
          retryable: false,
        };
      rest = rest.slice(arrived);
      if (rest.length === 0) return { success: true };
    }
  }

  async #linkSoon(): Promise<IrcLink | undefined> {
    if (this.#link !== undefined || this.#staying === undefined) return this.#link;
    await Promise.race([this.#coming, sleep(SEND_WAIT_MS, undefined, { ref: false })]);
    return this.#link;
  }

  async #open(staying: AbortController): Promise<void> {
    const link: IrcLink = await IrcLink.open(this.#settings, {
      log: this.#ports.log,
      message: (message) => this.#receive(message),
      closed: (reason) => {
        if (this.#link !== link) return;
        this.#link = undefined;
        this.#ports.log.warning(`IRC lost the connection to ${this.#settings.server}: ${reason}.`);
        this.#coming = this.#comeBack(staying);
      },
    });
    if (staying.signal.aborted) return link.close("See you.");
    this.#link = link;
  }

  async #comeBack(staying: AbortController): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        await sleep(pauseMs * (0.5 + Math.random() / 2), undefined, { signal: staying.signal });
        await this.#open(staying);
        return;
      } catch (cause) {
        if (staying.signal.aborted) return;
        this.#ports.log.warning(`IRC cannot reconnect yet: ${(cause as Error).message}`);
      }
    }
  }

  #receive({ nick, account, target, text }: IrcMessage): void {
    const words = withoutColours(text).trim();
    const inChannel = isChannel(target);
    const nicknames = [this.#link?.nickname ?? this.#settings.nickname, this.#settings.nickname];
    const output = inChannel ? (addressedTo(nicknames, words) ?? (this.#settings.requireMention ? "" : words)) : words;
    if (output === "") return;
    // Anyone can take a free nickname. If the server reports accounts, only an account identifies a user.
    const user_id = this.#spelled(account === undefined ? nick : account === "" ? `~${nick}` : account);
    const place = inChannel
      ? ({ chat_id: target, chat_type: "group", chat_name: target } as const)
      : ({ chat_id: nick.toLowerCase(), chat_type: "dm" } as const);
    this.#ports
      .message({ text: output, ...place, user_id, user_name: nick })
      .catch((cause: unknown) => this.#ports.log.error("Cannot accept a message from IRC.", { cause }));
  }

  /** Names are case-insensitive: returns the spelling of the allowlist. */
  #spelled(name: string): string {
    return this.#settings.allowedUsers.find((one) => foldName(one) === foldName(name)) ?? name.toLowerCase();
  }
}

function isChannel(name: string): boolean {
  return /^[#&+!]/.test(name);
}
