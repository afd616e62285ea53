import { definedFields } from "../../contract/common/defined-fields.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { JsonSchema } from "../../contract/common/schema.ts";
import { canonicalText } from "../arguments/canonical-json.ts";
import { isAccepted, offeredName } from "./offered-names.ts";

/**
 * A tool's input schema as every model provider accepts it. Providers take different parts of JSON Schema and refuse the
 * whole request for one schema they do not know, so the offer uses only what all of them take: each value has one type,
 * or an `anyOf` of typed values; references are inlined; `const` and `oneOf` are written as `enum` and `anyOf`. What is
 * lost this way (conditions, patterns of keys) the tool's own validation still checks.
 *
 * Published rules: OpenAI's function calling, Anthropic's tool use, Gemini's Schema, Moonshot's tool use.
 * @returns The same object if nothing has to change.
 */
export function offeredSchema(schema: JsonSchema): JsonSchema {
  const known = offered.get(schema);
  if (known !== undefined) return known;
  if (isObject(schema["properties"]) && isPlain(schema) && schema["type"] === "object") {
    offered.set(schema, schema);
    return schema;
  }
  const root = new Offer(schema).root();
  const same = canonicalText(root) === canonicalText(schema) ? schema : root;
  offered.set(schema, same);
  return same;
}

const offered = new WeakMap<JsonSchema, JsonSchema>();

type Schema = { readonly [key: string]: Json | undefined };

/** Below this depth a value is only known by its type: a reference may contain itself. */
const DEEPEST = 12;
const TYPES = ["object", "array", "string", "number", "integer", "boolean"];
/** What plugins write where JSON Schema has another word. */
const MEANT: { readonly [type: string]: string } = {
  str: "string",
  text: "string",
  file: "string",
  int: "integer",
  long: "integer",
  float: "number",
  double: "number",
  decimal: "number",
  bool: "boolean",
  dict: "object",
  map: "object",
  list: "array",
  tuple: "array",
  set: "array",
};
/** Said of a value of any type. */
const NOTES = ["title", "description", "default"];
const SAID_OF: { readonly [type: string]: readonly string[] } = {
  string: ["enum", "pattern", "format", "minLength", "maxLength"],
  number: ["enum", "minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"],
  integer: ["enum", "minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"],
  boolean: ["enum"],
  array: ["minItems", "maxItems", "uniqueItems"],
  object: ["minProperties", "maxProperties"],
};
const SHAPE = ["type", "properties", "required", "items", "additionalProperties"];
const ANY: readonly Schema[] = [
  ...["string", "number", "boolean", "object"].map((type) => ({ type })),
  { type: "array", items: { type: "string" } },
];

/** Whether a schema uses only what all providers take; most do. */
function isPlain(schema: Json | undefined): boolean {
  if (!isObject(schema)) return false;
  const { type, properties, required, items, additionalProperties: more } = schema;
  const words = typeof type === "string" ? SAID_OF[type] : undefined;
  if (words === undefined) return false;
  for (const word in schema)
    if (!(SHAPE.includes(word) || NOTES.includes(word) || words.includes(word)) || isBoundAsFlag(word, schema[word]))
      return false;
  if ("enum" in schema && !listOf(schema["enum"]).every((value) => value !== null && fits(value, type as string)))
    return false;
  if (type === "array") return isPlain(items);
  if (type !== "object") return true;
  const inner = isObject(properties) ? properties : {};
  for (const name in inner) if (!isAccepted(name) || !isPlain(inner[name])) return false;
  return (
    listOf(required).every((name) => Object.hasOwn(inner, String(name))) &&
    (more === undefined || typeof more === "boolean" || isPlain(more))
  );
}

class Offer {
  readonly #schema: Schema;

  constructor(schema: JsonSchema) {
    this.#schema = schema as Schema;
  }

  /** Arguments are an object, whatever the schema says; branches at the root are put together. */
  root(): JsonSchema {
    const { anyOf, oneOf, allOf, ...rest } = this.#resolved(this.#schema, 0);
    const branches = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? list : [])).filter(isObject);
    const parts = [rest, ...branches.map((branch) => this.#resolved(branch as Schema, 0))];
    const properties = Object.assign({}, ...parts.map((part) => part["properties"] ?? {}).filter(isObject)) as Schema;
    // Of alternatives none alone is required.
    const needed = [rest, ...(Array.isArray(allOf) ? allOf.filter(isObject) : [])].flatMap((part) =>
      Array.isArray(part["required"]) ? part["required"] : [],
    );
    const required = needed.length === 0 ? rest["required"] : needed;
    return this.#object({ ...rest, type: "object", properties, required }, 0) as JsonSchema;
  }

  #value(given: Json | undefined, depth: number): Schema {
    if (!isObject(given)) return depth >= DEEPEST ? { type: "string" } : { anyOf: [...ANY] as Json[] };
    const schema = merged(this.#resolved(given as Schema, depth));
    const types = typesOf(schema);
    if (depth >= DEEPEST) return { ...notesOf(schema), ...atEnd(types[0] ?? "string") };
    const branches = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])].filter((one) => !isNull(one));
    if (branches.length > 0) {
      const typed = branches.map((branch) => this.#value(inherited(branch, schema), depth + 1));
      return typed.length === 1 ? { ...typed[0], ...notesOf(schema) } : { ...notesOf(schema), anyOf: typed as Json[] };
    }
    if (types.length === 0) return { ...notesOf(schema), anyOf: [...ANY] as Json[] };
    if (types.length === 1) return this.#typed(schema, types[0]!, depth);
    const { title, description, default: preset, ...bare } = schema;
    return {
      ...notesOf({ title, description, default: preset }),
      anyOf: types.map((type) => this.#typed(bare, type, depth + 1)) as Json[],
    };
  }

  #typed(schema: Schema, type: string, depth: number): Schema {
    if (type === "object") return this.#object({ ...schema, type }, depth);
    if (type !== "array") return said(schema, type);
    const items = Array.isArray(schema["items"]) ? { anyOf: schema["items"] } : schema["items"];
    return {
      ...said(schema, type),
      items: this.#value(items ?? listOf(schema["prefixItems"])[0] ?? { type: "string" }, depth + 1),
    };
  }

  #object(schema: Schema, depth: number): Schema {
    const given = isObject(schema["properties"]) ? schema["properties"] : {};
    const kept = Object.entries(given).filter(([key, value]) => value !== false && key !== "__proto__");
    const names = new Map(kept.map(([key]) => [key, offeredName(key, Object.keys(given))]));
    const properties = Object.fromEntries(
      kept.map(([key, value]) => [names.get(key)!, this.#value(noted(value, key, names.get(key)!), depth + 1)]),
    );
    const required = [...new Set(listOf(schema["required"]).flatMap((key) => names.get(String(key)) ?? []))];
    const lostAll = required.length === 0 && listOf(schema["required"]).length > 0;
    const more = schema["additionalProperties"];
    return {
      ...said(schema, "object"),
      ...definedFields({
        properties: schema["properties"] === undefined ? undefined : (properties as Json),
        required: schema["required"] === undefined || lostAll ? undefined : required,
        additionalProperties: isObject(more)
          ? (this.#value(more, depth + 1) as Json)
          : typeof more === "boolean"
            ? more
            : undefined,
      }),
    };
  }

  /** Follows `$ref`s within the schema; what it says beside the reference wins. */
  #resolved(schema: Schema, depth: number): Schema {
    let here = schema;
    for (let steps = 0; typeof here["$ref"] === "string" && steps < DEEPEST; steps += 1) {
      const { $ref, ...beside } = here;
      const target = depth >= DEEPEST ? undefined : this.#at(String($ref));
      here = { ...(isObject(target) ? (target as Schema) : {}), ...beside };
    }
    return here;
  }

  #at(reference: string): Json | undefined {
    if (!reference.startsWith("#")) return undefined;
    return reference
      .slice(1)
      .split("/")
      .filter((step) => step !== "")
      .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"))
      .reduce<Json | undefined>(
        (at, step) => (isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined),
        this.#schema as JsonObject,
      );
  }
}

/** The parts of an `allOf` in one schema, and `const` as the only value of an `enum`. */
function merged({ allOf, ...schema }: Schema): Schema {
  const all = listOf(allOf).filter(isObject) as readonly Schema[];
  const together: Schema = all.reduce<Schema>((one, part) => {
    const [left, right] = [one["properties"], part["properties"]];
    return {
      ...one,
      ...part,
      ...definedFields({
        properties: isObject(left) && isObject(right) ? { ...left, ...right } : undefined,
        required:
          Array.isArray(one["required"]) && Array.isArray(part["required"])
            ? [...one["required"], ...part["required"]]
            : undefined,
      }),
    };
  }, schema);
  const { const: only, ...rest } = together;
  return only === undefined || "enum" in rest ? together : { ...rest, enum: [only] };
}

/** The types a schema names, or that its other words show. `null` is left out: the argument may be. */
function typesOf(schema: Schema): readonly string[] {
  const { type } = schema;
  const named = (Array.isArray(type) ? type : [type]).flatMap((one) => {
    const word = typeof one === "string" ? one.toLowerCase() : "";
    return TYPES.includes(word) ? [word] : MEANT[word] === undefined ? [] : [MEANT[word]];
  });
  if (named.length > 0) return [...new Set(named)];
  if (Array.isArray(schema["enum"]))
    return [...new Set(schema["enum"].filter((value) => value !== null).map((value) => typeOfValue(value ?? null)))];
  if (isObject(schema["properties"])) return ["object"];
  if (schema["items"] !== undefined || schema["prefixItems"] !== undefined) return ["array"];
  return [];
}

function typeOfValue(value: Json): string {
  return Array.isArray(value) ? "array" : typeof value === "object" ? "object" : typeof value;
}

/** The schema of a value that nothing more is said about. */
function atEnd(type: string): Schema {
  return type === "array" ? { type, items: { type: "string" } } : { type };
}

/** What is said of a value of this type, in the schema's own order. */
function said(schema: Schema, type: string): Schema {
  const words = [...NOTES, "type", ...(SAID_OF[type] ?? [])];
  const own: { [key: string]: Json } = {};
  if (!("type" in schema)) own["type"] = type;
  for (const [word, value] of Object.entries(schema)) {
    if (value === undefined || !words.includes(word)) continue;
    if (word === "type") own["type"] = type;
    else if (word === "enum") {
      const values = listOf(value).filter((one) => one !== null && fits(one, type));
      if (values.length > 0) own["enum"] = values;
    } else if (!isBoundAsFlag(word, value)) own[word] = value;
  }
  return own;
}

/** Draft 4 wrote `exclusiveMinimum: true` beside `minimum`. */
function isBoundAsFlag(word: string, value: Json | undefined): boolean {
  return word.startsWith("exclusive") && typeof value === "boolean";
}

function fits(value: Json, type: string): boolean {
  return typeOfValue(value) === (type === "integer" ? "number" : type);
}

function notesOf(schema: Schema): Schema {
  return Object.fromEntries(NOTES.flatMap((note) => (schema[note] === undefined ? [] : [[note, schema[note]]])));
}

/** A branch that names no type has that of the schema around it. */
function inherited(branch: Json, schema: Schema): Json {
  if (!isObject(branch) || schema["type"] === undefined) return branch;
  return "type" in branch || "$ref" in branch || "enum" in branch || "const" in branch
    ? branch
    : { ...branch, type: schema["type"] };
}

function noted(value: Json | undefined, key: string, name: string): Json | undefined {
  if (name === key) return value;
  const schema = isObject(value) ? value : {};
  const description = typeof schema["description"] === "string" ? ` ${schema["description"]}` : "";
  return { ...schema, description: `(${key})${description}` };
}

function isNull(value: Json): boolean {
  return isObject(value) && (value["type"] === "null" || value["const"] === null);
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
