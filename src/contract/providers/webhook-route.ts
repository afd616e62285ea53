import type { JsonObject } from "../common/json.ts";

/** The gateway's HTTP listener, for platforms that a service pushes to. */
export interface WebhookListener {
  /**
   * Serves a route until it is disposed. Routes share one port, `gateway.webhooks.port`; a route with another port gets
   * a listener there.
   * @throws {UserError} if the port cannot be used, or the path has a route already.
   */
  route(route: WebhookRoute): Promise<ServedRoute>;
}

export interface ServedRoute extends AsyncDisposable {
  /** The local address, such as `http://127.0.0.1:8644/webhooks/twilio`. */
  readonly url: string;
}

export interface WebhookRoute {
  /** `/webhooks/twilio`. With a `*` at the end: all paths that begin so. */
  readonly path: string;
  /** Default `["POST"]`. */
  readonly methods?: readonly string[];
  readonly host?: string;
  /** 0: any free port. */
  readonly port?: number;
  /** Longest body; a longer one gets status 413. Default 1 048 576. */
  readonly maxBytes?: number;
  /** Refuses a request before its body is read, such as for a path below `*` that does not exist. */
  refuse?(request: Omit<WebhookRequest, "body">): WebhookReply | undefined;
  /**
   * Checks the headers and the signature of the raw body, before anything parses it. `signature` and `sameSecret` of
   * `hermes-agent/platform` compare in constant time. False, or an error, is status 401.
   */
  verify(request: WebhookRequest): boolean | Promise<boolean>;
  /**
   * The id of the delivery, and the time when the service signed it, in epoch ms. A delivery without an id is not
   * deduplicated here. Called after `verify`.
   */
  identify?(request: WebhookRequest): { readonly id?: string; readonly at?: number };
  /** How old, or how far in the future, a signed time may be. Default 300. */
  readonly toleranceSeconds?: number;
  /**
   * Handles a verified delivery. The listener answers when it resolves, so it resolves once the message is stored. If it
   * rejects, the answer is status 500, and the service may deliver again. Each id of a route is handled once, also after
   * a restart: a repeated one gets the same reply.
   */
  handle(request: WebhookRequest): WebhookReply | void | Promise<WebhookReply | void>;
  /** The reply to a repeated delivery. Default: the reply that the first one got. */
  readonly repeated?: WebhookReply;
}

export interface WebhookRequest {
  readonly method: string;
  readonly path: string;
  /** Path and query as they arrived. */
  readonly target: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  readonly body: Uint8Array;
  /** Address of the client. */
  readonly remote: string;
}

export interface WebhookReply {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  /** An object is sent as JSON. */
  readonly body?: string | JsonObject;
  /** The delivery is not remembered, so a repeated one is handled again. */
  readonly again?: true;
}
