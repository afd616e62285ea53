import { isObject, type Json, type JsonObject } from "hermes-agent/plugin";
import type { Route } from "./webhook-routes.ts";

const MAX_WHOLE = 4_000;
const MAX_PART = 2_000;
/** A value that cannot be read as an instruction: a number, a name, an address. */
const PLAIN = /^[\w./#:@+-]{1,80}$/;
const PLACEHOLDER = /\{([\w$][\w$.-]*)\}/g;

/** What a delivery says, as far as templates may name it. */
export interface Delivery {
  readonly event: string;
  readonly payload: JsonObject;
}

/**
 * The user's prompt and the untrusted content that it refers to. A placeholder with a plain value (a number, a name, an
 * address) becomes the value. Any other placeholder stays, and the content lists its value, so that a payload never
 * becomes part of the instructions.
 */
export function promptOf(route: Route, delivery: Delivery): { readonly text: string; readonly content: string } {
  const listed = new Map<string, string>();
  const text = route.prompt.replaceAll(PLACEHOLDER, (whole, path: string) => {
    const value = valueAt(delivery, path);
    if (value === undefined) return whole;
    const words = wordsOf(value, path === "__raw__" ? MAX_WHOLE : MAX_PART);
    if (PLAIN.test(words)) return words;
    listed.set(path, words);
    return whole;
  });
  const values = [...listed].map(([path, words]) => `{${path}}:\n${words}`).join("\n\n");
  if (route.prompt !== "") return { text, content: values };
  return {
    text: `A service sent the event "${delivery.event}" to the webhook route "${route.name}". Its content is above.`,
    content: wordsOf(delivery.payload, MAX_WHOLE),
  };
}

/** The prompt with every value, for a chat of users instead of a model. */
export function rendered(template: string, delivery: Delivery): string {
  return template.replaceAll(PLACEHOLDER, (whole, path: string) => {
    const value = valueAt(delivery, path);
    return value === undefined ? whole : wordsOf(value, path === "__raw__" ? MAX_WHOLE : MAX_PART);
  });
}

function valueAt({ event, payload }: Delivery, path: string): Json | undefined {
  if (path === "__raw__") return payload;
  if (path === "event_type") return event;
  return path
    .split(".")
    .reduce<Json | undefined>(
      (value, key) =>
        isObject(value) && Object.hasOwn(value, key)
          ? (value as JsonObject)[key]
          : Array.isArray(value) && /^\d+$/.test(key)
            ? (value[Number(key)] as Json | undefined)
            : undefined,
      payload,
    );
}

function wordsOf(value: Json, most: number): string {
  const words = typeof value === "object" && value !== null ? JSON.stringify(value, undefined, 2) : String(value);
  return words.length > most ? `${words.slice(0, most)}…` : words;
}
