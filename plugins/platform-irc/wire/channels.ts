import type { Logger } from "hermes-agent/plugin";
import type { IrcSettings } from "../settings.ts";
import { foldName, type IrcLine } from "./irc-line.ts";

/** Replies that refuse a JOIN: no such channel, too many, full, invite-only, banned, wrong key, account required. */
const REFUSED = new Set(["403", "405", "407", "437", "470", "471", "473", "474", "475", "476", "477", "489"]);

/** The configured channels, and those the agent has joined. */
export class Channels {
  /** Resolves when each channel was joined or refused. */
  readonly settled: Promise<void>;
  readonly #settle = Promise.withResolvers<void>();
  readonly #wanted: IrcSettings["channels"];
  readonly #write: (line: string) => void;
  readonly #log: Logger;
  readonly #entered = new Set<string>();
  readonly #open: Set<string>;

  constructor(wanted: IrcSettings["channels"], write: (line: string) => void, log: Logger) {
    this.#wanted = wanted;
    this.#write = write;
    this.#log = log;
    this.#open = new Set(wanted.map(({ name }) => foldName(name)));
    this.settled = this.#settle.promise;
    if (wanted.length === 0) this.#settle.resolve();
  }

  /** Joins the missing channels. */
  join(): void {
    for (const { name, key } of this.#wanted)
      if (!this.#entered.has(foldName(name))) this.#write(`JOIN ${name}${key === undefined ? "" : ` ${key}`}`);
  }

  /** Stops waiting, because the server no longer answers. */
  giveUp(): void {
    this.#settle.resolve();
  }

  take({ command, params }: IrcLine, mine: boolean, nickname: string): void {
    const channel = foldName(params[0] ?? "");
    if (command === "JOIN" && mine) {
      this.#entered.add(channel);
      this.#done(channel);
    } else if (command === "PART" && mine) this.#entered.delete(channel);
    else if (command === "KICK" && foldName(params[1] ?? "") === foldName(nickname)) {
      this.#entered.delete(channel);
      this.#log.warning(
        `"${nickname}" was removed from ${params[0]}: ${params.at(-1) ?? ""}. It tries to join again in a minute.`,
      );
    } else if (REFUSED.has(command)) this.#refused(params[1] ?? "", params.at(-1) ?? "");
  }

  #refused(name: string, reason: string): void {
    const channel = foldName(name);
    if (this.#open.has(channel))
      this.#log.warning(`IRC refuses the agent in ${name}: ${reason}. It tries again every minute.`);
    this.#done(channel);
  }

  #done(channel: string): void {
    if (this.#open.delete(channel) && this.#open.size === 0) this.#settle.resolve();
  }
}
