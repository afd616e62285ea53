/** What a loopback model server plays: one reply per request, in order; the last one again when there are no more. */
export type ModelScript = readonly ScriptedReply[] | ((request: RecordedRequest, number: number) => ScriptedReply);

export interface ScriptedReply {
  readonly text?: string;
  readonly thinking?: string;
  /** `args` as text goes out exactly as it stands, valid or not. */
  readonly calls?: readonly ScriptedCall[];
  /** Default: what fits the calls. In the protocol's own word. */
  readonly finish?: string;
  readonly usage?: {
    readonly inputTokens?: number;
    readonly outputTokens?: number;
    readonly cacheReadTokens?: number;
    readonly cacheWriteTokens?: number;
  };
  /** Anything but 200 sends `body` (or an error of the protocol with `message`) instead of a stream. */
  readonly status?: number;
  readonly message?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: unknown;
  /** Own bytes instead of a well-formed stream; `{ waitMs }` pauses, `"cut"` breaks the connection. */
  readonly raw?: readonly (string | Uint8Array | { readonly waitMs: number } | "cut")[];
  /** Before the head of the reply, before its first event, and between its events. */
  readonly headAfterMs?: number;
  readonly firstAfterMs?: number;
  readonly betweenMs?: number;
  /** Characters per delta. Default 4. */
  readonly deltaChars?: number;
  /** Bytes per write, to cut characters and lines anywhere. Default: an event per write. */
  readonly splitBytes?: number;
  /** After this many bytes the connection breaks (`cut`), or nothing more comes (`stall`). */
  readonly cutAfterBytes?: number;
  readonly stallAfterBytes?: number;
  /** Line ends of the stream. Default LF. */
  readonly crlf?: boolean;
  readonly bom?: boolean;
  readonly keepAliveComments?: boolean;
  /** Leaves the protocol's end away: `[DONE]`, `message_stop`. */
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
  /** Exactly as it came. */
  readonly body: string;
  readonly at: number;
}

export interface ModelServer extends AsyncDisposable {
  /** What goes into `model.base_url`. */
  readonly url: string;
  /** Model requests so far, oldest first; listings are not among them. */
  readonly requests: readonly RecordedRequest[];
  /** Connections accepted so far. */
  readonly connections: number;
  /** Closes every open connection, as a server does that restarts or tires of idle clients. */
  dropConnections(): void;
  close(): Promise<void>;
}

/** A protocol: how one reply looks on its wire. */
export interface Dialect {
  /** Path of a model request. */
  readonly path: string;
  readonly models: unknown;
  events(reply: ScriptedReply, number: number, model: string): readonly string[];
  error(status: number, message: string): unknown;
}
