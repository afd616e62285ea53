import type { Logger } from "hermes-agent/plugin";
import type { IrcSettings } from "../settings.ts";
import { foldName, type IrcLine } from "./irc-line.ts";

/** Refusals to let in: no such channel, too many, full, by invitation, banned, wrong key, only for those with an account. */
const REFUSED = new Set(["403", "405", "407", "437", "470", "471", "473", "474", "475", "476", "477", "489"]);

/** The channels the agent wants to be in, and those it is in. */
export class Channels {
  /** Each was entered or refused. */
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

  /** Asks for those it is not in. */
  join(): void {
    for (const { name, key } of this.#wanted)
      if (!this.#entered.has(foldName(name))) this.#write(`JOIN ${name}${key === undefined ? "" : ` ${key}`}`);
  }

  /** Nobody answers any more. */
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
        `"${nickname}" was put out of ${params[0]}: ${params.at(-1) ?? ""}. It knocks again in a minute.`,
      );
    } else if (REFUSED.has(command)) this.#refused(params[1] ?? "", params.at(-1) ?? "");
  }

  #refused(name: string, reason: string): void {
    const channel = foldName(name);
    if (this.#open.has(channel))
      this.#log.warning(`IRC does not let the agent into ${name}: ${reason}. It asks again every minute.`);
    this.#done(channel);
  }

  #done(channel: string): void {
    if (this.#open.delete(channel) && this.#open.size === 0) this.#settle.resolve();
  }
}
