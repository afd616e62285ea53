import { isObject } from "../../contract/common/is-object.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import { holdsSecret } from "../environment/secrets.ts";
import { splitPath, type Setting } from "./setting.ts";

/** Maps join key by key; anything else of `over` takes the place of what was there. */
export function merge(under: JsonObject, over: JsonObject): JsonObject {
  const result: { [key: string]: Json | undefined } = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const there = result[key];
    if (value === undefined) continue;
    if (key === "__proto__") continue;
    result[key] = isObject(there) && isObject(value) ? merge(there, value) : value;
  }
  return result;
}

export function nested(path: string, value: Json): JsonObject {
  return splitPath(path).reduceRight<Json>((inner, key) => ({ [key]: inner }), value) as JsonObject;
}

export function valueAt(data: JsonObject, path: string): Json | undefined {
  let here: Json | undefined = data;
  for (const key of splitPath(path)) {
    if (Array.isArray(here)) here = here[Number(key)] as Json | undefined;
    else if (isObject(here) && Object.hasOwn(here, key)) here = here[key];
    else return undefined;
  }
  return here;
}

/** One of a few words that are allowed is no secret, whatever its name. */
export function masked(value: Json, name: string, setting?: Setting): Json {
  if (setting?.enum !== undefined) return value;
  if (typeof value === "string") return value !== "" && holdsSecret(name) ? "***" : value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => masked(item, name));
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, masked(inner ?? null, key, setting?.properties?.[key])]),
    );
  return value;
}

/**
 * Every text with the name it stands under; an item of a list goes by the list's. One of a few words that are allowed
 * is left out: it is no secret, whatever its name.
 */
export function* texts(value: Json | undefined, name: string, setting?: Setting): Generator<readonly [string, string]> {
  if (setting?.enum !== undefined) return;
  if (typeof value === "string") yield [name, value];
  else if (Array.isArray(value)) for (const item of value as readonly Json[]) yield* texts(item, name);
  else if (isObject(value)) for (const key in value) yield* texts(value[key], key, setting?.properties?.[key]);
}
