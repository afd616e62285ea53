import { authorOf } from "../../contract/common/failure.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import { thrownWords } from "../../contract/common/thrown-text.ts";
import { onAbort } from "../../engine/async/on-abort.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

/**
 * A request that the other side refused or could not fulfil. `data` has `type` and `stack` if the other side sent them.
 */
export class PeerError extends Error {
  readonly code: number;
  readonly data: JsonObject;

  constructor(message: string, code = -32000, data: JsonObject = {}) {
    super(message);
    this.name = "PeerError";
    this.code = code;
    this.data = data;
  }
}

export const CANCELLED = -32800;

export interface PeerPorts {
  write(line: string): void;
  /** Answers the other side's request; an error it throws becomes the error response. */
  answer(method: string, params: JsonObject, id: string | number): Json | undefined | Promise<Json | undefined>;
  /** Handles a notification. */
  take(method: string, params: JsonObject): void;
  /** Parses a line, if the other side has numbers that this one has not. Default `JSON.parse`. */
  read?(line: string): unknown;
  /** Handles a line that is not a message. */
  garbage(line: string): void;
  /** A line longer than any regular message; its data is dropped. */
  overlong(): void;
}

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: JsonObject;
  readonly result?: Json;
  readonly error?: { readonly code?: number; readonly message?: string; readonly data?: JsonObject };
}

interface Waiting {
  resolve(value: Json): void;
  reject(cause: unknown): void;
}

/** Longer than any regular message. */
const MAX_LINE = 64 << 20;

/** One end of a JSON-RPC 2.0 conversation, one message a line. Both ends send requests and answers. */
export class Peer {
  readonly #ports: PeerPorts;
  readonly #prefix: string;
  readonly #waiting = new Map<string | number, Waiting>();
  readonly #rest: string[] = [];
  /** Characters of it. */
  #held = 0;
  #next = 0;
  #closed: Error | undefined;

  /** @param prefix Begins the ids of this side's requests, so that a reader of the wire can distinguish them. */
  constructor(ports: PeerPorts, prefix: string) {
    this.#ports = ports;
    this.#prefix = prefix;
  }

  /** Takes text as it arrives. */
  receive(text: string): void {
    const lines = text.split("\n");
    // Joins a long message once, because it arrives in many pieces.
    if (lines.length > 1) lines[0] = this.#rest.splice(0, Infinity, lines.pop()!).join("") + lines[0]!;
    else this.#rest.push(lines.pop()!);
    this.#held = (lines.length > 0 ? 0 : this.#held) + (this.#rest.at(-1)?.length ?? 0);
    if (this.#held > MAX_LINE) {
      this.#rest.length = 0;
      this.#held = 0;
      this.#ports.overlong();
    }
    for (const line of lines) if (line !== "") this.#line(line);
  }

  nextId(): string {
    this.#next += 1;
    return `${this.#prefix}${this.#next}`;
  }

  /** Rejects with {@link PeerError}, or with the reason passed to {@link close}. */
  request(method: string, params: JsonObject, id: string = this.nextId()): Promise<Json> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    return new Promise<Json>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#write({ id, method, params });
    });
  }

  /** As `request`, with a signal: when it aborts, rejects with its reason and cancels the request on the other side. */
  async requestUntil(signal: AbortSignal, method: string, params: JsonObject): Promise<Json> {
    signal.throwIfAborted();
    const id = this.nextId();
    using _ = onAbort(signal, () => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      this.notify("cancel", { id });
      waiting?.reject(signal.reason);
    });
    return await this.request(method, params, id);
  }

  notify(method: string, params: JsonObject): void {
    if (this.#closed === undefined) this.#write({ method, params });
  }

  /** Sends and awaits nothing more. */
  close(reason: Error): void {
    this.#closed ??= reason;
    for (const { reject } of this.#waiting.values()) reject(this.#closed);
    this.#waiting.clear();
  }

  #line(line: string): void {
    let message: Message;
    try {
      message = (this.#ports.read ?? JSON.parse)(line) as Message;
    } catch {
      return this.#ports.garbage(line);
    }
    if (typeof message !== "object" || message === null) return this.#ports.garbage(line);
    const { id, method } = message;
    const params = typeof message.params === "object" && message.params !== null ? message.params : {};
    if (method === undefined) return this.#settled(message);
    if (id === undefined) return this.#ports.take(method, params);
    void this.#answer(id, method, params);
  }

  #settled({ id, result, error }: Message): void {
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id!);
    if (error === undefined) waiting.resolve(result ?? null);
    else waiting.reject(new PeerError(String(error.message ?? "It failed without a reason."), error.code, error.data));
  }

  async #answer(id: string | number, method: string, params: JsonObject): Promise<void> {
    try {
      const result = await this.#ports.answer(method, params, id);
      if (this.#closed === undefined) this.#write({ id, result: result ?? null });
    } catch (cause) {
      if (this.#closed === undefined) this.#write({ id, error: errorOf(cause) });
    }
  }

  #write(message: object): void {
    this.#ports.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
}

function errorOf(cause: unknown): object {
  if (!(cause instanceof Error)) return { code: -32000, message: thrownWords(cause) };
  const { code, hint, data, words } = cause as { code?: unknown; hint?: unknown; data?: unknown; words?: unknown };
  const from = authorOf(cause);
  const more = typeof data === "object" && data !== null ? { more: data } : {};
  return {
    code: typeof code === "number" ? code : -32000,
    message: cause.message,
    data: {
      type: cause.name,
      stack: cause.stack ?? "",
      ...definedFields({
        code: typeof code === "string" ? code : undefined,
        hint: typeof hint === "string" ? hint : undefined,
        words: typeof words === "string" ? words : undefined,
        from: from === undefined ? undefined : { ...from },
      }),
      ...more,
    },
  };
}
