import type { Json, JsonObject } from "hermes-agent/plugin";
import { definedFields } from "hermes-agent/plugin";

/** A server's tool definition, sanitized for the model. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
  /** The server declares the tool destructive. Without the declaration, nothing is known. */
  readonly destructive: boolean;
}

export type Cleaned =
  | { readonly kind: "tool"; readonly tool: ListedTool }
  | { readonly kind: "refused"; readonly name: string; readonly reason: string };

const MAX_DESCRIPTION = 1_024;
const MAX_NOTE = 300;
const MAX_SCHEMA = 16_000;
const DEEPEST = 16;
/** Model providers refuse a whole request if one property name does not match. */
const PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/;

/**
 * A server's tool definition is untrusted: limits its length, removes invisible and bidirectional characters, and
 * adapts the schema to what providers accept.
 */
export function cleanDefinition(given: unknown): Cleaned {
  const tool = (typeof given === "object" && given !== null ? given : {}) as { readonly [key: string]: Json };
  const name = typeof tool["name"] === "string" ? tool["name"] : "";
  if (name === "" || name.length > 200)
    return { kind: "refused", name: plainText(name, 60), reason: "it has no usable name" };
  const input = cleanSchema(tool["inputSchema"]);
  if (typeof input === "string") return { kind: "refused", name: plainText(name, 60), reason: input };
  const annotations = isMap(tool["annotations"]) ? tool["annotations"] : {};
  const title = tool["title"] ?? annotations["title"];
  const description =
    plainText(typeof tool["description"] === "string" ? tool["description"] : "", MAX_DESCRIPTION) ||
    plainText(typeof title === "string" ? title : "", MAX_DESCRIPTION) ||
    `The tool ${plainText(name, 60)}.`;
  return { kind: "tool", tool: { name, description, input, destructive: annotations["destructiveHint"] === true } };
}

/** Removes control, zero-width, bidirectional, private and tag characters and truncates the text. */
export function plainText(text: string, most: number): string {
  const plain = text.replaceAll(/[^\P{C}\n\t]|\u{115f}|\u{1160}|\u{3164}|\u{ffa0}|\u{34f}/gu, "").trim();
  return plain.length <= most ? plain : `${plain.slice(0, most - 1).toWellFormed()}…`;
}

function cleanSchema(given: Json | undefined): JsonObject | string {
  if (given !== undefined && given !== null && !isMap(given)) return "its schema is not an object";
  const schema = renamed(given ?? {}, 0);
  if (schema === undefined) return `its schema is nested deeper than ${DEEPEST} levels`;
  if (!isMap(schema)) return "its schema is not an object";
  // Providers refuse a top-level union, so its branches are dropped; the server checks the arguments.
  const { $schema: _, $id: __, oneOf: ___, anyOf: ____, allOf: _____, type, ...rest } = schema;
  if (type !== undefined && type !== "object" && !(Array.isArray(type) && type.includes("object")))
    return "its schema does not describe an object";
  const properties = isMap(rest["properties"]) ? rest["properties"] : {};
  const odd = Object.keys(properties).find((name) => !PROPERTY.test(name));
  if (odd !== undefined)
    return `its argument ${JSON.stringify(plainText(odd, 60))} has a name that model providers do not accept`;
  const required = Array.isArray(rest["required"])
    ? rest["required"].filter((name) => typeof name === "string" && Object.hasOwn(properties, name))
    : [];
  const cleaned: JsonObject = {
    ...rest,
    type: "object",
    properties,
    ...definedFields({ required: rest["required"] === undefined ? undefined : required }),
  };
  return JSON.stringify(cleaned).length > MAX_SCHEMA ? `its schema is longer than ${MAX_SCHEMA} characters` : cleaned;
}

/** Renames the older `definitions` to `$defs` and sanitizes every text. */
function renamed(value: Json, depth: number): Json | undefined {
  if (depth > DEEPEST) return undefined;
  if (typeof value === "string")
    return value.startsWith("#/definitions/") ? value.replace("#/definitions/", "#/$defs/") : value;
  if (Array.isArray(value)) {
    const items = value.map((item) => renamed(item, depth + 1));
    return items.includes(undefined) ? undefined : (items as Json[]);
  }
  if (!isMap(value)) return value;
  const result: { [key: string]: Json } = {};
  for (const [key, inner] of Object.entries(value)) {
    if (key === "__proto__") continue;
    const note = (key === "description" || key === "title" || key === "$comment") && typeof inner === "string";
    const next = note ? plainText(inner, MAX_NOTE) : renamed(inner, depth + 1);
    if (next === undefined) return undefined;
    result[key === "definitions" && depth === 0 ? "$defs" : key] = next;
  }
  return result;
}

function isMap(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
