import type { JsonObject } from "./json.ts";

/**
 * The one way out for tools and plugins: `call.fetch`, `ctx.fetch`. Every hop is judged, the address that was judged is the one that is
 * dialled, and neither a stored secret nor more than was asked for gets through.
 */
export type GuardedFetch = (url: string, options?: FetchOptions) => Promise<FetchReply>;

export interface FetchOptions {
  /** Default GET, or POST with a body. */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  /** Of these only what describes the content goes along to another origin. */
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** From the call to the last byte. Default 30 000. */
  readonly timeoutMs?: number;
  /** Of the body, unpacked. Default 10 000 000. */
  readonly maxBytes?: number;
  /** Default 10; 0 hands the redirect itself back. */
  readonly maxRedirects?: number;
  /** Hosts (`api.example.com`, and what is below it; `*.example.com`) that alone may be reached, redirects included. */
  readonly hosts?: readonly string[];
  /**
   * Where in the plugin's own section of `config.yaml` the person wrote the address of this server (`servers.mine.url`). To that host, which
   * may then be a private one, stored secrets go that the person wrote into the same map. Never anywhere else.
   */
  readonly setting?: string;
}

export interface FetchReply {
  readonly status: number;
  /** Names in lower case; several of one name joined by a comma. */
  readonly headers: { readonly [name: string]: string };
  /** Where the answer came from, after redirects. */
  readonly url: string;
  readonly redirected: boolean;
  /** Unpacked, as it comes. Throws `ToolFailure` where it breaks, is late or too long. Read it to its end or leave the loop: both close the connection. */
  readonly body: AsyncIterable<Uint8Array>;
  bytes(): Promise<Uint8Array>;
  /** UTF-8 unless the reply names another encoding. */
  text(): Promise<string>;
  json(): Promise<JsonObject[string]>;
}

/** The same guard for programs that are not ours: they speak to it as to any HTTP proxy. */
export interface GuardedProxy extends Disposable {
  /** Takes over one connection of such a program, a stream of Node, answers on it and closes it. */
  serve(connection: object): void;
  /**
   * Why this address may not be asked for, or nothing: for a program that can say its addresses before it seals them. `sent` is searched for
   * stored secrets; without `lookUp` a name is judged by what it is, and by what it leads to once it is dialled here.
   */
  judge(url: string, options?: { readonly sent?: string; readonly lookUp?: boolean }): Promise<string | undefined>;
}

export interface ProxyOptions {
  /** Hosts that alone may be reached, asked for with each request. Absent or none: every public one. */
  hosts?(): readonly string[];
  /** The person lets this one reach their own networks by a setting of its own; a cloud's metadata stays refused. */
  allowPrivate?(): boolean;
  /** Told of each request that was refused, in words without a secret. */
  refused?(words: string): void;
}

export type OpenProxy = (options?: ProxyOptions) => Promise<GuardedProxy>;
