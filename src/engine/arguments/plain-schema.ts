import { isObject } from "../../contract/common/is-object.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { JsonSchema } from "../../contract/common/schema.ts";

/** The schema keywords that nearly all tools use, checked here so that the schema compiler need not be loaded. */
const PLAIN = new Set([
  "type",
  "properties",
  "required",
  "enum",
  "const",
  "items",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "additionalProperties",
  "nullable",
  "default",
  "description",
  "title",
  "examples",
  "$comment",
]);
const TYPES = new Set(["string", "number", "integer", "boolean", "array", "object", "null"]);

const judged = new WeakMap<JsonSchema, boolean>();

/** Whether `mismatch` knows every keyword of the schema. */
export function isPlainSchema(schema: JsonSchema): boolean {
  let plain = judged.get(schema);
  if (plain === undefined) judged.set(schema, (plain = judge(schema)));
  return plain;
}

function judge(schema: Json | undefined): boolean {
  if (!isObject(schema)) return false;
  if (!Object.keys(schema).every((key) => PLAIN.has(key))) return false;
  const types = Array.isArray(schema.type) ? schema.type : schema.type === undefined ? [] : [schema.type];
  if (!types.every((type) => typeof type === "string" && TYPES.has(type))) return false;
  if (
    schema.properties !== undefined &&
    !(isObject(schema.properties) && Object.values(schema.properties).every(judge))
  )
    return false;
  if (schema.items !== undefined && !judge(schema.items)) return false;
  const { additionalProperties } = schema;
  return additionalProperties === undefined || typeof additionalProperties === "boolean" || judge(additionalProperties);
}

/** The first thing that does not fit, as a sentence part with path, what was expected and what came. */
export function mismatch(value: Json | undefined, schema: JsonSchema, path: string): string | undefined {
  if (value === null && schema.nullable === true) return undefined;
  if (
    schema.type !== undefined &&
    !(Array.isArray(schema.type) ? schema.type : [schema.type]).some((type) => isOf(value, type as string))
  ) {
    return `${show(path)} must be ${Array.isArray(schema.type) ? schema.type.join(" or ") : schema.type}; it is ${kindOf(value)}`;
  }
  if (Array.isArray(schema.enum) && !schema.enum.some((choice) => same(choice, value))) {
    return `${show(path)} must be one of ${schema.enum.map((choice) => JSON.stringify(choice)).join(", ")}; it is ${brief(value)}`;
  }
  if (schema.const !== undefined && !same(schema.const, value))
    return `${show(path)} must be ${JSON.stringify(schema.const)}; it is ${brief(value)}`;
  if (typeof value === "number") return outside(value, schema.minimum, schema.maximum, path, "");
  if (typeof value === "string")
    return schema.minLength === undefined && schema.maxLength === undefined
      ? undefined
      : outside([...value].length, schema.minLength, schema.maxLength, path, " characters long");
  if (Array.isArray(value)) return mismatchInArray(value, schema, path);
  return isObject(value) ? mismatchInObject(value, schema, path) : undefined;
}

function mismatchInArray(value: readonly Json[], schema: JsonSchema, path: string): string | undefined {
  const found = outside(value.length, schema.minItems, schema.maxItems, path, " items long");
  if (found !== undefined || !isObject(schema.items)) return found;
  for (const [at, item] of value.entries()) {
    const inside = mismatch(item, schema.items, `${path}[${at}]`);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

function mismatchInObject(value: JsonObject, schema: JsonSchema, path: string): string | undefined {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const at = (key: string) => (path === "" ? key : `${path}.${key}`);
  if (Array.isArray(schema.required)) {
    const missing = schema.required.filter(
      (key) => typeof key === "string" && (!Object.hasOwn(value, key) || value[key] === undefined),
    );
    if (missing.length > 0)
      return `${missing.map((key) => `"${at(key as string)}"`).join(" and ")} ${missing.length === 1 ? "is" : "are"} missing`;
  }
  for (const key of Object.keys(value)) {
    if (value[key] === undefined) continue;
    const property = Object.hasOwn(properties, key) ? properties[key] : schema.additionalProperties;
    if (property === false)
      return `"${at(key)}" is not an argument; there are ${Object.keys(properties).join(", ") || "none"}`;
    if (!isObject(property)) continue;
    const inside = mismatch(value[key], property, at(key));
    if (inside !== undefined) return inside;
  }
  return undefined;
}

function outside(
  number: number,
  least: Json | undefined,
  most: Json | undefined,
  path: string,
  unit: string,
): string | undefined {
  if (typeof least === "number" && number < least)
    return `${show(path)} must be at least ${least}${unit}; it is ${number}`;
  if (typeof most === "number" && number > most) return `${show(path)} must be at most ${most}${unit}; it is ${number}`;
  return undefined;
}

function isOf(value: Json | undefined, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** Values in an enum are nearly always scalars; JSON text compares the rest. */
function same(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || (typeof a === "object" && typeof b === "object" && JSON.stringify(a) === JSON.stringify(b));
}

function kindOf(value: Json | undefined): string {
  return value === null
    ? "null"
    : Array.isArray(value)
      ? "an array"
      : typeof value === "object"
        ? "an object"
        : `the ${typeof value} ${brief(value)}`;
}

function brief(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** A path in a message; the whole of the arguments has none. */
export function show(path: string): string {
  return path === "" ? "the arguments" : `"${path}"`;
}
