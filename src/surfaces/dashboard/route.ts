import type { App } from "../../contract/services/app.ts";
import { UserError } from "../../contract/common/failure.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import type { LiveEvent } from "./live/event-queue.ts";
import type { RoutePattern } from "../shared/http/find-route.ts";

/** One request of the page. */
export interface Asked {
  readonly app: App;
  /** Decoded values of the `:name` segments of the route's path. */
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly body: JsonObject;
  /** Aborted when the page disconnects or the dashboard ends. */
  readonly signal: AbortSignal;
}

export type Answer =
  | { readonly kind: "json"; readonly value: unknown }
  /** A file to download. */
  | { readonly kind: "file"; readonly name: string; readonly text: string }
  /** A stream of JSON values, one a line. */
  | { readonly kind: "lines"; readonly values: AsyncIterable<unknown> }
  /** Server-sent events. */
  | { readonly kind: "events"; readonly events: AsyncIterable<LiveEvent> };

export interface Route extends RoutePattern {
  /** Limit of the request's body; default 1 MB. */
  readonly maxBodyBytes?: number;
  answer(asked: Asked): Answer | Promise<Answer>;
}

/** A route whose answer is a value. */
export function route(at: string, value: (asked: Asked) => unknown): Route {
  return { at, answer: async (asked) => ({ kind: "json", value: (await value(asked)) ?? {} }) };
}

/** A string of the request's body. @throws {UserError} if it is not a string. */
export function textIn(body: JsonObject, key: string): string {
  const value = body[key];
  if (typeof value === "string") return value;
  throw new UserError(`The field "${key}" of the request must be a string.`);
}

/** A list of strings of the request's body; empty if absent. @throws {UserError} if it is something else. */
export function listIn(body: JsonObject, key: string): readonly string[] {
  const value = body[key] ?? [];
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw new UserError(`The field "${key}" of the request must be a list of strings.`);
}

/** A whole number from the query, within bounds. */
export function numberIn(query: URLSearchParams, key: string, otherwise: number, most: number): number {
  const value = Number(query.get(key) ?? otherwise);
  return Number.isInteger(value) && value > 0 ? Math.min(value, most) : otherwise;
}
