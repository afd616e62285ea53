import { isObject, objectOf, UserError, type JsonObject, type Logger } from "hermes-agent/plugin";
import type { AfterEnd, SocketEnd } from "hermes-agent/platform";

/** Direct messages, messages of servers, their content, and servers. */
const INTENTS = (1 << 0) | (1 << 9) | (1 << 12) | (1 << 15);

/** Closes a connection whose session is resumed: 1000 would end the session. */
const RESUMABLE = 4_000;

/** The part of a socket that it needs. */
interface Line {
  send(message: string): void;
  close(code: number): void;
}

export interface SessionOptions {
  readonly token: string;
  readonly log: Logger;
  /** Handles an event; the sequence number advances when it resolves. */
  event(name: string, data: JsonObject): Promise<void>;
}

/** A session of Discord's gateway, which outlives its connections. */
export class GatewaySession {
  readonly #options: SessionOptions;
  #resume: { readonly id: string; readonly url: string } | undefined;
  #sequence: number | null = null;
  #ready = Promise.withResolvers<void>();
  #beat: NodeJS.Timeout | undefined;
  #acknowledged = true;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Where the next connection resumes this session. */
  get resumeUrl(): string | undefined {
    return this.#resume?.url;
  }

  /** Resolves when the new connection is identified or resumed. */
  async opened(): Promise<void> {
    this.#ready = Promise.withResolvers();
    return this.#ready.promise;
  }

  async take(text: string, line: Line): Promise<void> {
    const { op, t, s, d } = objectOf(JSON.parse(text) as JsonObject);
    if (op === 10) this.#hello(Number(objectOf(d)["heartbeat_interval"]), line);
    if (op === 1) this.#sendBeat(line);
    if (op === 11) this.#acknowledged = true;
    if (op === 7) line.close(RESUMABLE);
    if (op === 9) {
      if (d !== true) this.#forget();
      line.close(RESUMABLE);
    }
    if (op !== 0) return;
    const data = isObject(d) ? (d as JsonObject) : {};
    if (t === "READY") this.#resume = { id: String(data["session_id"]), url: String(data["resume_gateway_url"] ?? "") };
    await this.#options.event(String(t), data);
    // An event that was not accepted comes again after a resume.
    if (typeof s === "number") this.#sequence = s;
    if (t === "READY" || t === "RESUMED") this.#ready.resolve();
  }

  ended({ code }: SocketEnd): AfterEnd {
    this.stop();
    if (code === 1000 || code === 1001 || code === 4007 || code === 4009) this.#forget();
    const reason = FINAL[code ?? 0];
    return reason === undefined ? { again: true } : { again: false, reason };
  }

  stop(): void {
    clearInterval(this.#beat);
  }

  #hello(interval: number, line: Line): void {
    const { token } = this.#options;
    this.stop();
    this.#acknowledged = true;
    this.#beat = setInterval(() => this.#tick(line), interval * (0.9 + Math.random() / 10)).unref();
    const identity = {
      token,
      intents: INTENTS,
      properties: { os: process.platform, browser: "hermes-agent", device: "hermes-agent" },
    };
    const resume = this.#resume;
    line.send(
      JSON.stringify(
        resume === undefined
          ? { op: 2, d: identity }
          : { op: 6, d: { token, session_id: resume.id, seq: this.#sequence } },
      ),
    );
  }

  #tick(line: Line): void {
    if (this.#acknowledged) return this.#sendBeat(line);
    this.#options.log.warning("Discord does not answer heartbeats; connecting again.");
    this.stop();
    line.close(RESUMABLE);
  }

  #sendBeat(line: Line): void {
    this.#acknowledged = false;
    try {
      line.send(JSON.stringify({ op: 1, d: this.#sequence }));
    } catch {
      this.stop(); // The connection is over; its reader reports that.
    }
  }

  #forget(): void {
    this.#resume = undefined;
    this.#sequence = null;
  }
}

/** Close codes after which connecting again does not help. */
const FINAL: { readonly [code: number]: string } = {
  4004: "Discord rejects the bot token.",
  4010: "Discord rejects the shard.",
  4011: "The bot is in too many servers for one connection.",
  4012: "Discord no longer supports this version of its gateway.",
  4013: "Discord rejects the gateway intents.",
  4014: "The bot lacks the Message Content Intent. Switch it on in the developer portal, under Bot.",
};

/** The error of a first connection that ended so. */
export function endError(end: SocketEnd | undefined): UserError | undefined {
  const reason = FINAL[end?.code ?? 0];
  return reason === undefined
    ? undefined
    : new UserError(reason, { hint: "See https://discord.com/developers/applications, under Bot." });
}
