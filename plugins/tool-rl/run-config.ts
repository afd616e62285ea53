import { isObject, type Json, type JsonObject } from "hermes-agent/plugin";

/** A run's configuration as YAML that PyYAML parses correctly: one field a line, values as JSON. */
export function runConfig(sections: JsonObject): string {
  return Object.entries(sections)
    .map(([name, section]) => {
      if (!isObject(section) || Object.keys(section).length === 0) return `${flow(name)}: ${flow(section!)}\n`;
      return `${flow(name)}:\n${Object.entries(section)
        .map(([field, value]) => `  ${flow(field)}: ${flow(value!)}\n`)
        .join("")}`;
    })
    .join("");
}

function flow(value: Json): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number") return number(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(flow).join(", ")}]`;
  return `{${Object.entries(value)
    .map(([key, item]) => `${quoted(key)}: ${flow(item!)}`)
    .join(", ")}}`;
}

/** Escapes non-ASCII characters, because YAML folds some line ends and refuses some characters that JSON allows. */
function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(/[\x7f-\u{10ffff}]/gu, (character) => {
    const code = character.codePointAt(0)!;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** YAML 1.1 parses `1e-7` as a string. */
function number(value: number): string {
  const text = JSON.stringify(value);
  const [mantissa = "", exponent] = text.split("e");
  return exponent === undefined
    ? text
    : `${mantissa.includes(".") ? mantissa : `${mantissa}.0`}e${exponent.startsWith("-") ? "-" : "+"}${exponent.replace(/^[+-]/, "").padStart(2, "0")}`;
}
