import type { IncomingHttpHeaders } from "node:http";
import type { JsonObject } from "../../../contract/common/json.ts";
import type { RoutePattern } from "../../shared/http/find-route.ts";
import type { EventStream } from "./event-stream.ts";

/** One request of an API client. */
export interface ApiAsked {
  /** Decoded values of the `:name` segments of the route's path. */
  readonly params: readonly string[];
  readonly headers: IncomingHttpHeaders;
  readonly query: URLSearchParams;
  readonly body: JsonObject;
  /** Aborted when the client disconnects or the server ends. */
  readonly gone: AbortSignal;
}

export type ApiAnswer =
  | { readonly kind: "json"; readonly status?: number; readonly headers?: Headers; readonly value: unknown }
  /** Server-sent events, until `write` resolves. */
  | { readonly kind: "events"; readonly headers?: Headers; write(stream: EventStream): Promise<void> };

export interface ApiRoute extends RoutePattern {
  /** Needs no key. */
  readonly open?: true;
  answer(asked: ApiAsked): Promise<ApiAnswer>;
}

type Headers = { readonly [name: string]: string };

/** A route whose answer is a value. */
export function valueRoute(at: string, value: (asked: ApiAsked) => unknown): ApiRoute {
  return { at, answer: async (asked) => ({ kind: "json", value: await value(asked) }) };
}
