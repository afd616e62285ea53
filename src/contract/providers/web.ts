import type { JsonObject } from "../common/json.ts";
import type { SlotName } from "../plugins/slot-name.ts";

/**
 * The one way out for tools and plugins: `call.fetch`, `ctx.fetch`. Every hop is judged, the address that was judged is
 * the one that is dialled, and neither a stored secret nor more than was asked for gets through.
 */
export type GuardedFetch = (url: string, options?: FetchOptions) => Promise<FetchReply>;

export interface FetchOptions {
  /** Default GET, or POST with a body. */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  /** Request headers. A redirect to another origin gets only those that describe the content. */
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** From the call to the last byte. Default 30 000. */
  readonly timeoutMs?: number;
  /** Largest size of the body after decompression. Default 10 000 000. */
  readonly maxBytes?: number;
  /** Default 10; 0 hands the redirect itself back. */
  readonly maxRedirects?: number;
  /** Hosts (`api.example.com`, and what is below it; `*.example.com`) that alone may be reached, redirects included. */
  readonly hosts?: readonly string[];
  /**
   * Path in the plugin's own section of `config.yaml` where the user wrote this server's address (`servers.mine.url`).
   * Stored secrets that the user wrote into the same map go to that host, which may then be private. Never anywhere
   * else.
   */
  readonly setting?: string;
  /**
   * Where the user wrote this server's address: a variable that the plugin declares (`SEARXNG_URL`), or a setting by
   * its whole path (`tts.openai.base_url`). The server may then be private, for a request to exactly that scheme, host
   * and port. A redirect away from it is checked like any other.
   */
  readonly configured?: string;
}

export interface FetchReply {
  readonly status: number;
  /** Names in lower case; several of one name joined by a comma. */
  readonly headers: { readonly [name: string]: string };
  /** Where the answer came from, after redirects. */
  readonly url: string;
  readonly redirected: boolean;
  /**
   * Unpacked, as it comes. Throws `ToolFailure` where it breaks, is late or too long. Read it to its end or leave the
   * loop: both close the connection.
   */
  readonly body: AsyncIterable<Uint8Array>;
  bytes(): Promise<Uint8Array>;
  /** UTF-8 unless the reply names another encoding. */
  text(): Promise<string>;
  json(): Promise<JsonObject[string]>;
}

/**
 * Guarded egress for a connection: a WebSocket to `ws://` or `wss://`. Its name is resolved once, the checked address
 * is the one dialled, its certificate must match the name, and a redirect is refused.
 * @throws {ToolFailure} `blocked` for a refused address, `unreachable` if there is no WebSocket server, `timeout` if it
 * answers too late.
 */
export type OpenSocket = (url: string, options?: SocketOptions) => Promise<GuardedSocket>;

export interface SocketOptions {
  readonly headers?: { readonly [name: string]: string };
  readonly protocols?: readonly string[];
  /** Ends it, before it is open and afterwards. */
  readonly signal?: AbortSignal;
  /** From the call to the open connection. Default 30 000. */
  readonly timeoutMs?: number;
  /** Largest size of one incoming message. Default 10 000 000. */
  readonly maxMessageBytes?: number;
  /** Hosts that alone may be reached, as with {@link FetchOptions}. */
  readonly hosts?: readonly string[];
  /** The request's plain content: searched for stored secrets before the request is sent, whatever its encoding. */
  readonly sending?: string;
  /**
   * The user wrote this exact address for this plugin: it may be in their own network, and its data is not searched for
   * secrets. Cloud metadata addresses stay refused.
   */
  readonly own?: boolean;
  /**
   * The address came from this provider of a slot, whose service opened a session for the plugin: what its path and
   * query hold is that session's key, and nothing in them counts as one by its look. Stored secrets do, but for those
   * of the provider's own plugin: what it declared (with `hosts`, for this host) and what its settings hold. The origin
   * is judged as any other, and no sentence repeats path or query.
   */
  readonly signed?: { readonly slot: SlotName; readonly provider: string };
  /**
   * Interval of pings. A peer that sends nothing for more than twice this time counts as lost, `unreachable`. Default:
   * never.
   */
  readonly keepAliveMs?: number;
}

/** An open WebSocket. The plugin reads incoming messages in a loop, which ends with the connection. */
export interface GuardedSocket extends Disposable {
  /**
   * Goes out whole and in order. @throws {ToolFailure} `blocked` when it carries a stored secret, `unreachable` when
   * the connection is over.
   */
  send(message: string | Uint8Array): void;
  /**
   * Each message once, to one reader. Throws `ToolFailure` where the connection breaks, a message is too long or no
   * WebSocket's, and the signal's reason; leaving the loop closes it.
   */
  readonly messages: AsyncIterable<string | Uint8Array>;
  /** The subprotocol that the other side chose. */
  readonly protocol: string | undefined;
  /** The peer's reason for closing, if it gave one; never one that repeats a `signed` address. */
  readonly closeReason: string | undefined;
  /** The status code with which the peer closed, such as 1000. */
  readonly closeCode: number | undefined;
  /**
   * Closes the connection.
   * @param code Status code for the peer: 1000 (default), or 3000 to 4999 with the meaning that its protocol gives it.
   */
  close(code?: number): void;
}

/** An HTTP proxy for external programs: Hermes checks their requests as it checks those of `fetch`. */
export interface GuardedProxy extends Disposable {
  /** Takes over one connection of such a program, a stream of Node, answers on it and closes it. */
  serve(connection: object): void;
  /**
   * Why this address may not be asked for, or nothing: for a program that can say its addresses before it seals them.
   * `sent` is searched for stored secrets; without `lookUp` a name is judged by what it is, and by what it leads to
   * once it is dialled here.
   */
  judge(url: string, options?: { readonly sent?: string; readonly lookUp?: boolean }): Promise<string | undefined>;
}

export interface ProxyOptions {
  /** Hosts that alone may be reached, asked for with each request. Absent or none: every public one. */
  hosts?(): readonly string[];
  /** The user allowed this plugin to access their own network with a setting; cloud metadata addresses stay refused. */
  allowPrivate?(): boolean;
  /** Called for each refused request, with a text without secrets. */
  refused?(words: string): void;
}

export type OpenProxy = (options?: ProxyOptions) => Promise<GuardedProxy>;
