import { ToolFailure, UserError } from "hermes-agent/plugin";
import type { IrcSettings } from "../settings.ts";
import type { IrcLine } from "./irc-line.ts";

const MAX_NICKNAMES = 8;
/** The longest nickname that every server accepts (RFC 2812). */
const SAFE_LENGTH = 9;
/** Maximum characters of one `AUTHENTICATE`. */
const SASL_CHUNK = 400;

export interface Registered {
  readonly nickname: string;
  /** The configured nickname, shortened if the server takes only short ones. */
  readonly wanted: string;
  /** Whether the server tags messages with the sender's account. */
  readonly advertisesAccounts: boolean;
}

/**
 * Registers the agent with a server: password, capabilities, nickname, account. Pass lines to `take` until `done`
 * settles.
 */
export class Registration {
  readonly done: Promise<Registered>;
  readonly #settings: IrcSettings;
  readonly #write: (line: string) => void;
  readonly #settle = Promise.withResolvers<Registered>();
  readonly #offered = new Set<string>();
  #advertisesAccounts = false;
  #loggedIn = false;
  #tried = 1;
  /** The length to which nicknames are cut. */
  #longest = Infinity;

  constructor(settings: IrcSettings, write: (line: string) => void) {
    this.#settings = settings;
    this.#write = write;
    this.done = this.#settle.promise;
    this.done.catch(() => undefined); // The caller awaits it later; avoid an unhandled rejection until then.
    if (settings.serverPassword !== undefined) write(`PASS :${settings.serverPassword}`);
    write("CAP LS 302");
    write(`NICK ${settings.nickname}`);
    write(`USER ${settings.nickname.replaceAll(/[^\w-]/g, "") || "hermes"} 0 * :Hermes`);
  }

  /** The connection ended during registration. */
  broke(reason: string): void {
    this.#settle.reject(
      new ToolFailure(
        "unreachable",
        `${this.#settings.server} closed the connection before "${this.#settings.nickname}" was registered: ${reason}.`,
      ),
    );
  }

  take({ command, params }: IrcLine): void {
    const reason = params.at(-1) ?? "";
    switch (command) {
      case "CAP":
        return this.#takeCapability(params);
      case "AUTHENTICATE":
        return this.#authenticate(params[0]);
      case "903":
        this.#loggedIn = true;
        return this.#write("CAP END");
      case "902":
      case "904":
      case "905":
      case "906":
        return this.#refuse(
          `${this.#settings.server} refused the account password of "${this.#settings.nickname}": ${reason}.`,
          "Check IRC_NICKSERV_PASSWORD.",
        );
      case "001":
        // Without SASL, sign in with a message to NickServ.
        if (this.#settings.accountPassword !== undefined && !this.#loggedIn)
          this.#write(`PRIVMSG NickServ :IDENTIFY ${this.#settings.accountPassword}`);
        return this.#settle.resolve({
          nickname: params[0] ?? this.#settings.nickname,
          wanted: this.#wanted,
          advertisesAccounts: this.#advertisesAccounts,
        });
      case "432":
        // The limit is announced only after the registration.
        if (this.#longest > SAFE_LENGTH && this.#settings.nickname.length > SAFE_LENGTH) {
          this.#longest = SAFE_LENGTH;
          return this.#write(`NICK ${this.#wanted}`);
        }
        return this.#refuse(
          `${this.#settings.server} rejects the nickname "${this.#settings.nickname}": ${reason}.`,
          "Choose another one with IRC_NICKNAME.",
        );
      case "433":
      case "436":
      case "437":
        if (this.#tried >= MAX_NICKNAMES)
          return this.#refuse(
            `On ${this.#settings.server} the nickname "${this.#settings.nickname}" and ${MAX_NICKNAMES - 1} similar ones are in use.`,
            "Choose another one with IRC_NICKNAME.",
          );
        return this.#write(`NICK ${likeNickname(this.#settings.nickname, this.#tried++, this.#longest)}`);
      case "464":
        return this.#refuse(`${this.#settings.server} refused the password: ${reason}.`, "Check IRC_SERVER_PASSWORD.");
      case "465":
        return this.#refuse(`${this.#settings.server} has banned this machine: ${reason}.`);
      case "ERROR":
        return this.broke(reason);
    }
  }

  get #wanted(): string {
    return this.#settings.nickname.slice(0, this.#longest);
  }

  #takeCapability(params: readonly string[]): void {
    const [, verb = "", third = ""] = params;
    const names = (params.at(-1) ?? "").split(" ").filter((name) => name !== "");
    if (verb === "LS") {
      for (const name of names) this.#offered.add(name.split("=")[0]!);
      if (third === "*") return; // More of the list follows.
      const wanted = ["account-tag", ...(this.#settings.accountPassword === undefined ? [] : ["sasl"])].filter((name) =>
        this.#offered.has(name),
      );
      return this.#write(wanted.length === 0 ? "CAP END" : `CAP REQ :${wanted.join(" ")}`);
    }
    if (verb === "ACK") {
      this.#advertisesAccounts = names.includes("account-tag");
      return this.#write(names.includes("sasl") ? "AUTHENTICATE PLAIN" : "CAP END");
    }
    if (verb === "NAK") this.#write("CAP END");
  }

  #authenticate(sign: string | undefined): void {
    if (sign !== "+") return;
    const { nickname, accountPassword = "" } = this.#settings;
    const text = Buffer.from(`\0${nickname}\0${accountPassword}`).toString("base64");
    for (let at = 0; at < text.length; at += SASL_CHUNK) this.#write(`AUTHENTICATE ${text.slice(at, at + SASL_CHUNK)}`);
    if (text.length % SASL_CHUNK === 0) this.#write("AUTHENTICATE +");
  }

  #refuse(message: string, hint?: string): void {
    this.#settle.reject(new UserError(message, hint === undefined ? {} : { hint }));
  }
}

/** `hermes_`, then `hermes_2` and so on, at most that long. */
function likeNickname(nickname: string, tried: number, longest: number): string {
  const end = tried === 1 ? "_" : `_${tried}`;
  return `${nickname.slice(0, longest - end.length)}${end}`;
}
