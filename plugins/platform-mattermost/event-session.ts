import type { Logger } from "hermes-agent/plugin";
import { tokenRejected } from "./mattermost-api.ts";
import type { Post } from "./mattermost-types.ts";

export type PostEvent = "posted" | "post_edited" | "post_deleted";

export interface EventDetails {
  /** `D`, `G`, `O` or `P`; only for a new post. */
  readonly channelType?: string;
  /** With `@`; only for a new post. */
  readonly senderName?: string;
}

export interface EventSessionOptions {
  readonly token: string;
  readonly log: Logger;
  post(event: PostEvent, post: Post, details: EventDetails): Promise<void>;
  /** The server has no events for the time before this connection. */
  missed(): Promise<void>;
}

interface Line {
  send(text: string): void;
  close(): void;
}

/** Authenticates connections, and resumes them by their id, so that no event is lost between two. */
export class EventSession {
  readonly #options: EventSessionOptions;
  #connection = "";
  /** The number of the next event. */
  #next = 0;
  #ready = Promise.withResolvers<void>();

  constructor(options: EventSessionOptions) {
    this.#options = options;
  }

  /** The query of the next connection's address. */
  get query(): string {
    if (this.#connection === "") return "";
    return `?connection_id=${encodeURIComponent(this.#connection)}&sequence_number=${this.#next}`;
  }

  /** Resolves when the server accepts the token. */
  async opened(line: Line): Promise<void> {
    this.#ready = Promise.withResolvers();
    line.send(JSON.stringify({ seq: 1, action: "authentication_challenge", data: { token: this.#options.token } }));
    return this.#ready.promise;
  }

  async take(text: string, line: Line): Promise<void> {
    const message = JSON.parse(text) as Message;
    if (message.seq_reply !== undefined) {
      if (message.status === "FAIL") this.#ready.reject(tokenRejected());
      return;
    }
    const { event, data = {}, seq } = message;
    if (event === "hello") await this.#greeted(String(data["connection_id"] ?? ""));
    else if (seq !== undefined && seq > this.#next) {
      this.#options.log.warning("Mattermost skipped events; connecting again.");
      this.#connection = "";
      return line.close();
    } else if (seq !== undefined && seq < this.#next) return;
    if (event === "posted" || event === "post_edited" || event === "post_deleted")
      await this.#options.post(event, JSON.parse(String(data["post"])) as Post, {
        channelType: textOf(data["channel_type"]),
        senderName: textOf(data["sender_name"]),
      });
    // An event that was not accepted comes again on the next connection.
    if (seq !== undefined) this.#next = seq + 1;
  }

  async #greeted(connection: string): Promise<void> {
    this.#ready.resolve();
    if (connection !== "" && connection === this.#connection) return;
    this.#connection = "";
    this.#next = 0;
    await this.#options.missed();
    this.#connection = connection;
  }
}

interface Message {
  readonly event?: string;
  readonly data?: { readonly [name: string]: unknown };
  readonly seq?: number;
  /** A reply to a request has it. */
  readonly seq_reply?: number;
  readonly status?: string;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
