/** The script of a loopback model server: one reply per request, in order; after the last one, that one again. */
export type ModelScript = readonly ScriptedReply[] | ((request: RecordedRequest, number: number) => ScriptedReply);

export interface ScriptedReply {
  readonly text?: string;
  readonly thinking?: string;
  /** `args` as text is sent unchanged, valid or not. */
  readonly calls?: readonly ScriptedCall[];
  /** Default: the value that fits the calls. A value of the protocol. */
  readonly finish?: string;
  readonly usage?: {
    readonly inputTokens?: number;
    readonly outputTokens?: number;
    readonly cacheReadTokens?: number;
    readonly cacheWriteTokens?: number;
  };
  /** Any status but 200 sends `body` (or the protocol's error with `message`) instead of a stream. */
  readonly status?: number;
  readonly message?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: unknown;
  /** These bytes instead of a well-formed stream; `{ waitMs }` pauses, `"cut"` breaks the connection. */
  readonly raw?: readonly (string | Uint8Array | { readonly waitMs: number } | "cut")[];
  /** Delays before the head of the reply, before its first event, and between its events. */
  readonly headAfterMs?: number;
  readonly firstAfterMs?: number;
  readonly betweenMs?: number;
  /** Characters per delta. Default 4. */
  readonly deltaChars?: number;
  /** Bytes per write, to split characters and lines. Default: an event per write. */
  readonly splitBytes?: number;
  /** After this many bytes the connection breaks (`cut`), or nothing more is sent (`stall`). */
  readonly cutAfterBytes?: number;
  readonly stallAfterBytes?: number;
  /** The stream's line endings. Default LF. */
  readonly crlf?: boolean;
  readonly bom?: boolean;
  readonly keepAliveComments?: boolean;
  /** Omits the protocol's end marker: `[DONE]`, `message_stop`. */
  readonly withoutEnd?: boolean;
}

export interface ScriptedCall {
  readonly tool: string;
  readonly args: string | { readonly [key: string]: unknown };
  readonly id?: string;
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  /** Exactly as received. */
  readonly body: string;
  readonly at: number;
}

export interface ModelServer extends AsyncDisposable {
  /** The value for `model.base_url`. */
  readonly url: string;
  /** Model requests so far, oldest first, without model listings. */
  readonly requests: readonly RecordedRequest[];
  /** Connections accepted so far. */
  readonly connections: number;
  /** Closes every open connection, as a server does that restarts or drops idle clients. */
  dropConnections(): void;
  close(): Promise<void>;
}

/** A protocol: the form of one reply on its wire. */
export interface Dialect {
  /** Path of a model request. */
  readonly path: string;
  readonly models: unknown;
  events(reply: ScriptedReply, number: number, model: string): readonly string[];
  error(status: number, message: string): unknown;
}
