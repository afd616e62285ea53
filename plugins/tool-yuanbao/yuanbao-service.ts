import { ToolFailure, type ChatPost } from "hermes-agent/plugin";
import { Line, StaleToken } from "./wire/line.ts";
import { signToken, type Token, type YuanbaoPorts } from "./wire/sign-token.ts";

/** The name of the gateway platform that serves the bot's chats. */
export const PLATFORM = "yuanbao";

/** How long an idle connection stays open for the next call. */
const RETENTION_MS = 5_000;
/** A token is not used in this time before its expiry. */
const MARGIN_MS = 60_000;

export interface ServicePorts extends YuanbaoPorts {
  chats(): Promise<Pick<ChatPost, "platforms" | "running">>;
}

/** The bot's only connection in this process: opened for a call and closed after a short idle time. */
export class Service {
  readonly #ports: ServicePorts;
  #line: Promise<Line> | undefined;
  #users = 0;
  #later: NodeJS.Timeout | undefined;
  #token: Token | undefined;
  #closed = new AbortController();

  constructor(ports: ServicePorts) {
    this.#ports = ports;
  }

  /** @throws {ToolFailure} if the gateway has the bot's connection, because a second one would end it. */
  async use<T>(work: (line: Line) => Promise<T>, signal: AbortSignal): Promise<T> {
    const chats = await this.#ports.chats();
    if (chats.platforms().some(({ name }) => name === PLATFORM) && (await chats.running()))
      throw new ToolFailure(
        "unavailable",
        "The gateway is signed in with the bot, and Yuanbao allows one connection for each bot.",
        { hint: "Stop the gateway first with: hermes gateway stop" },
      );
    clearTimeout(this.#later);
    this.#users += 1;
    try {
      return await work(await this.#open(signal));
    } finally {
      this.#users -= 1;
      if (this.#users === 0) this.#later = setTimeout(() => this.#leave(), RETENTION_MS).unref();
    }
  }

  close(): void {
    clearTimeout(this.#later);
    this.#closed.abort(new ToolFailure("unavailable", "The Yuanbao plugin was unloaded."));
    this.#leave();
  }

  #leave(): void {
    const line = this.#line;
    this.#line = undefined;
    line?.then(
      (open) => open.close(),
      () => undefined,
    );
  }

  /** Calls during the opening wait for the same connection. */
  async #open(signal: AbortSignal): Promise<Line> {
    const held = await this.#line?.catch(() => undefined);
    if (held !== undefined && !held.over) return held;
    const opening = this.#signIn();
    this.#line = opening;
    opening.catch(() => {
      if (this.#line === opening) this.#line = undefined;
    });
    const { promise, reject } = Promise.withResolvers<never>();
    const stop = (): void => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await Promise.race([opening, promise]);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async #signIn(): Promise<Line> {
    const { signal } = this.#closed;
    const saved = this.#token !== undefined && this.#token.until - MARGIN_MS > Date.now() ? this.#token : undefined;
    this.#token = saved ?? (await signToken(this.#ports, signal));
    try {
      return await Line.open(this.#ports, this.#token, signal);
    } catch (cause) {
      this.#token = undefined;
      if (saved === undefined || !(cause instanceof StaleToken)) throw cause;
      this.#token = await signToken(this.#ports, signal);
      return Line.open(this.#ports, this.#token, signal);
    }
  }
}
