import { isObject } from "../../contract/common/is-object.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import { parseExact } from "../../contract/common/parse-exact.ts";
import type { JsonSchema } from "../../contract/common/schema.ts";

/**
 * Converts arguments to the schema's types where a model wrote them differently: a number as text, yes or no as 1 or 0,
 * a list as JSON text or as its only item; for optional arguments also `null`, or an empty string where only a number
 * or an enum value fits. An unclear value stays unchanged, for validation to report. Returns the same object if nothing
 * changed.
 */
export function coerce(args: JsonObject, schema: JsonSchema): JsonObject {
  const properties = asObject(schema.properties);
  if (properties === undefined) return args;
  const inner = onlyWrapper(args, properties);
  if (inner !== undefined) return coerce(inner, schema);
  const required = Array.isArray(schema.required) ? schema.required : [];
  let changed: { [key: string]: Json | undefined } | undefined;
  for (const key of Object.keys(args)) {
    const property = Object.hasOwn(properties, key) ? asObject(properties[key]) : undefined;
    const value = args[key];
    if (property === undefined || value === undefined) continue;
    if (
      !required.includes(key) &&
      (value === null
        ? !allows(property, "null") && (typesOf(property).length > 0 || Array.isArray(property.enum))
        : value === "" && saysNothing(property))
    ) {
      changed ??= { ...args };
      delete changed[key];
      continue;
    }
    const coerced = coerceValue(value, property);
    if (coerced !== value) (changed ??= { ...args })[key] = coerced;
  }
  return changed ?? args;
}

const WRAPPERS = new Set(["arguments", "parameters", "args", "input", "kwargs", "params"]);

/** The arguments inside a wrapper that the schema does not name and that holds nothing but the schema's properties. */
function onlyWrapper(args: JsonObject, properties: JsonObject): JsonObject | undefined {
  const keys = Object.keys(args);
  if (keys.length > 2 || keys.some((one) => Object.hasOwn(properties, one))) return undefined;
  const key = keys.find((one) => WRAPPERS.has(one));
  if (key === undefined || !keys.every((one) => one === key || one === "name")) return undefined;
  const inner = asObject(args[key]);
  const names = Object.keys(inner ?? {});
  return inner !== undefined && names.length > 0 && names.every((name) => Object.hasOwn(properties, name))
    ? inner
    : undefined;
}

/** Whether an empty text cannot be a value of this schema. */
function saysNothing(schema: JsonSchema): boolean {
  if (Array.isArray(schema.enum)) return !schema.enum.includes("");
  const types = typesOf(schema);
  return types.length > 0 && types.every((type) => type === "integer" || type === "number" || type === "boolean");
}

function coerceValue(value: Json, schema: JsonSchema): Json {
  const types = typesOf(schema);
  if (typeof value === "number" && types.length === 1) {
    if (types[0] === "string") return String(value);
    if (types[0] === "boolean" && (value === 0 || value === 1)) return value === 1;
  }
  if (typeof value === "string" && !types.includes("string")) return fromText(value, schema, types);
  if (value !== null && types.includes("array") && !Array.isArray(value)) {
    return types.some((type) => fits(value, type)) ? value : [deeper(value, asObject(schema.items))];
  }
  return deeper(value, schema);
}

/** Text where no text is expected: union types in their order, the first that fits wins. */
function fromText(text: string, schema: JsonSchema, types: readonly string[]): Json {
  if (types.includes("null") && text.trim().toLowerCase() === "null") return null;
  for (const type of types) {
    const value = parseAs(text, type);
    if (value !== undefined) return deeper(value, schema);
  }
  return types.includes("array") ? [coerceValue(text, asObject(schema.items) ?? {})] : text;
}

function parseAs(text: string, type: string): Json | undefined {
  const trimmed = text.trim();
  switch (type) {
    case "boolean":
      return /^true$/i.test(trimmed) ? true : /^false$/i.test(trimmed) ? false : undefined;
    case "integer":
    case "number": {
      if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return undefined;
      const number = Number(trimmed);
      // A whole number that would be rounded stays the digits it was.
      const rounds = (type === "integer" || /^[+-]?\d+$/.test(trimmed)) && !Number.isSafeInteger(number);
      return !Number.isFinite(number) || rounds ? undefined : number;
    }
    case "array":
    case "object":
      return parseJson(trimmed, type);
    default:
      return undefined;
  }
}

/** Further in, only JSON text is opened, where a list or an object is expected. */
function deeper(value: Json, schema: JsonSchema | undefined): Json {
  if (schema === undefined) return value;
  if (typeof value === "string") {
    const types = typesOf(schema);
    const kind = types.includes("string") ? undefined : types.find((type) => type === "array" || type === "object");
    return kind === undefined ? value : (parseJson(value.trim(), kind) ?? value);
  }
  if (Array.isArray(value)) {
    const items = asObject(schema.items);
    return items === undefined
      ? value
      : keepSame(
          value,
          value.map((item) => deeper(item, items)),
        );
  }
  const properties = asObject(schema.properties);
  if (properties === undefined || value === null || typeof value !== "object") return value;
  let changed: { [key: string]: Json | undefined } | undefined;
  for (const [key, item] of Object.entries(value as JsonObject)) {
    if (item === undefined || !Object.hasOwn(properties, key)) continue;
    const repaired = deeper(item, asObject(properties[key]));
    if (repaired !== item) (changed ??= { ...(value as JsonObject) })[key] = repaired;
  }
  return changed ?? value;
}

function keepSame(before: readonly Json[], after: readonly Json[]): readonly Json[] {
  return after.every((item, at) => item === before[at]) ? before : after;
}

function parseJson(text: string, type: "array" | "object"): Json | undefined {
  if (!text.startsWith(type === "array" ? "[" : "{")) return undefined;
  try {
    return (
      /"__proto__"|\\u/.test(text)
        ? JSON.parse(text, (key, value: unknown) => (key === "__proto__" ? undefined : value))
        : parseExact(text)
    ) as Json;
  } catch {
    return undefined; // Not JSON after all: it stays the text it was.
  }
}

const types = new WeakMap<JsonSchema, readonly string[]>();

/** Every type a schema admits, in order, its branches' included. */
function typesOf(schema: JsonSchema): readonly string[] {
  let known = types.get(schema);
  if (known === undefined) types.set(schema, (known = readTypes(schema)));
  return known;
}

function readTypes(schema: JsonSchema): readonly string[] {
  const own =
    typeof schema.type === "string"
      ? [schema.type]
      : Array.isArray(schema.type)
        ? schema.type.filter((type) => typeof type === "string")
        : [];
  const branches = [schema.anyOf, schema.oneOf].flatMap((branch) => (Array.isArray(branch) ? branch : []));
  const inner = branches.flatMap((branch) => typesOf(asObject(branch) ?? {}));
  return schema.nullable === true ? [...own, ...inner, "null"] : inner.length === 0 ? own : [...own, ...inner];
}

function allows(schema: JsonSchema, type: string): boolean {
  return (
    typesOf(schema).includes(type) || (Array.isArray(schema.enum) && type === "null" && schema.enum.includes(null))
  );
}

function fits(value: Json, type: string): boolean {
  if (type === "object") return isObject(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

function asObject(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}
