import type { App } from "../../contract/services/app.ts";
import { UserError } from "../../contract/common/failure.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import type { RoutePattern } from "../shared/http/find-route.ts";

/** One question of the page. */
export interface Asked {
  readonly app: App;
  /** What stands for `:name` in the route's path, decoded. */
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly body: JsonObject;
  /** Aborted when the page goes or the dashboard ends. */
  readonly signal: AbortSignal;
}

export type Answer =
  | { readonly kind: "json"; readonly value: unknown }
  /** A file to keep. */
  | { readonly kind: "file"; readonly name: string; readonly text: string }
  /** JSON values, one a line, as they come. */
  | { readonly kind: "lines"; readonly values: AsyncIterable<unknown> };

export interface Route extends RoutePattern {
  answer(asked: Asked): Answer | Promise<Answer>;
}

/** A route whose answer is a value. */
export function route(at: string, value: (asked: Asked) => unknown): Route {
  return { at, answer: async (asked) => ({ kind: "json", value: (await value(asked)) ?? {} }) };
}

/** A text of the request's body. @throws {UserError} when it is none. */
export function textIn(body: JsonObject, key: string): string {
  const value = body[key];
  if (typeof value === "string") return value;
  throw new UserError(`"${key}" must be a text.`);
}

/** A whole number of the query, within bounds. */
export function numberIn(query: URLSearchParams, key: string, otherwise: number, most: number): number {
  const value = Number(query.get(key) ?? otherwise);
  return Number.isInteger(value) && value > 0 ? Math.min(value, most) : otherwise;
}
