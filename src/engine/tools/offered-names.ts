import { isObject } from "../../contract/common/is-object.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { JsonSchema } from "../../contract/common/schema.ts";

/** A provider refuses the whole request if one property has another name. */
const ACCEPTED = /^[a-zA-Z0-9_.-]{1,64}$/;

export function isAccepted(name: string): boolean {
  return ACCEPTED.test(name);
}

/**
 * The name of a property in the offer: its own if providers accept it, else one made from it that no other property has.
 * @param all The names of all properties beside it.
 */
export function offeredName(name: string, all: readonly string[]): string {
  if (ACCEPTED.test(name)) return name;
  const taken = new Set(all.filter((other) => ACCEPTED.test(other)));
  for (const other of all) {
    if (ACCEPTED.test(other)) continue;
    const stem =
      other
        .replaceAll(/[^a-zA-Z0-9_.-]+/g, "_")
        .slice(0, 56)
        .replaceAll(/^_+|_+$/g, "") || "arg";
    let made = stem;
    for (let number = 2; taken.has(made); number += 1) made = `${stem}_${number}`;
    if (other === name) return made;
    taken.add(made);
  }
  return name;
}

/** The arguments of a call with the tool's own names again. Returns the same object if nothing was renamed. */
export function ownNames(args: JsonObject, schema: JsonSchema): JsonObject {
  let odd = oddNames.get(schema);
  if (odd === undefined) oddNames.set(schema, (odd = hasOddNames(schema)));
  return odd ? (renamed(args, schema) as JsonObject) : args;
}

const oddNames = new WeakMap<JsonSchema, boolean>();

function hasOddNames(schema: Json | undefined): boolean {
  if (Array.isArray(schema)) return schema.some(hasOddNames);
  if (!isObject(schema)) return false;
  const properties = isObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  return properties.some((name) => !ACCEPTED.test(name)) || Object.values(schema).some(hasOddNames);
}

function renamed(value: Json, schema: Json | undefined): Json {
  if (!isObject(schema)) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => renamed(item as Json, schema["items"] as Json | undefined));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  const properties = schema["properties"];
  if (!isObject(value) || !isObject(properties)) return value;
  const names = Object.keys(properties);
  const own = new Map(names.map((name) => [offeredName(name, names), name]));
  let changed = false;
  const result: { [key: string]: Json | undefined } = {};
  for (const [key, inner] of Object.entries(value)) {
    const name = Object.hasOwn(value, own.get(key) ?? key) ? key : (own.get(key) ?? key);
    const next = inner === undefined ? undefined : renamed(inner, properties[name] as Json | undefined);
    changed ||= name !== key || next !== inner;
    result[name] = next;
  }
  return changed ? result : value;
}
