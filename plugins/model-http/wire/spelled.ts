import type { Json, JsonObject } from "hermes-agent/plugin";

/** Cached texts of objects that no longer change. */
const texts = new WeakMap<object, string>();

/** The body as `JSON.stringify` writes it; members of its lists that were written before are not written again. */
export function spelled(body: JsonObject): string {
  const fields = Object.entries(body).flatMap(([key, value]) => {
    const text = Array.isArray(value) ? `[${value.map(member).join(",")}]` : JSON.stringify(value);
    return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`];
  });
  return `{${fields.join(",")}}`;
}

function member(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  let text = texts.get(value);
  if (text === undefined) texts.set(value, (text = JSON.stringify(value)));
  return text;
}
