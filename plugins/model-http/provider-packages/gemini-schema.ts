import { isObject, type Json, type JsonObject } from "hermes-agent/plugin";

/** The words of Gemini's `Schema`; it refuses a request with any other. */
const WORDS: ReadonlySet<string> = new Set(
  "type format title description nullable enum items properties required anyOf minItems maxItems minProperties maxProperties minLength maxLength pattern default minimum maximum".split(
    " ",
  ),
);
const FORMATS = ["enum", "date-time"];

/**
 * An offered schema in the words Gemini knows. Only a text may have an `enum` there, so the choices of a number go into
 * its description.
 */
export function geminiSchema(schema: JsonObject): JsonObject {
  const result: { [word: string]: Json | undefined } = {};
  for (const [word, value] of Object.entries(schema)) {
    if (value === undefined || !WORDS.has(word)) continue;
    if (word === "properties" && isObject(value))
      result[word] = Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, isObject(inner) ? geminiSchema(inner) : inner]),
      );
    else if (word === "items" && isObject(value)) result[word] = geminiSchema(value);
    else if (word === "anyOf" && Array.isArray(value))
      result[word] = value.map((branch) => (isObject(branch) ? geminiSchema(branch) : branch)) as Json;
    else if (word === "format" && schema["type"] === "string" && !FORMATS.includes(String(value))) continue;
    else result[word] = value;
  }
  const { enum: choices, ...rest } = result;
  if (!Array.isArray(choices) || schema["type"] === "string") return result;
  const said = typeof rest["description"] === "string" ? `${rest["description"]} ` : "";
  return { ...rest, description: `${said}One of: ${choices.join(", ")}.` };
}
