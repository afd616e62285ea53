import type { Json, JsonObject, JsonSchema, ToolOffer } from "hermes-agent/plugin";
import type { Request } from "./request.ts";

export type Plan =
  | { readonly kind: "call"; readonly tool: string; readonly args: JsonObject }
  | { readonly kind: "say"; readonly text: string };

/** The call for a request with the offered tools, or the reason why there is none. */
export function callFor(request: Request, tools: readonly ToolOffer[]): Plan {
  const offered = new Set(tools.map(({ name }) => name));
  const first = (...calls: readonly { readonly tool: string; readonly args: JsonObject }[]): Plan => {
    const found = calls.find(({ tool }) => offered.has(tool));
    return found === undefined ? missing(calls[0]?.tool ?? "", tools) : { kind: "call", ...found };
  };
  switch (request.kind) {
    case "help":
      return { kind: "say", text: "" };
    case "list":
      return first(
        { tool: "terminal", args: { command: `ls -Ap ${shellWord(request.path)}`.replace(/ \.$/, "") } },
        { tool: "search_files", args: { pattern: "*", target: "files", path: request.path } },
      );
    case "read":
      return first(
        { tool: "read_file", args: { path: request.path } },
        { tool: "terminal", args: { command: `cat ${shellWord(request.path)}` } },
      );
    case "search":
      return first(
        { tool: "search_files", args: { pattern: literal(request.words), path: request.path } },
        { tool: "terminal", args: { command: `grep -rnF -e ${shellWord(request.words)} ${shellWord(request.path)}` } },
      );
    case "find":
      return first({ tool: "search_files", args: { pattern: request.pattern, target: "files", path: request.path } });
    case "write":
      return first({ tool: "write_file", args: { path: request.path, content: request.text } });
    case "run":
      return first({ tool: "terminal", args: { command: request.command } });
    case "add-todo":
      return first({
        tool: "todo",
        args: { todos: [{ id: slug(request.text), content: request.text, status: "pending" }], merge: true },
      });
    case "show-todos":
      return first({ tool: "todo", args: {} });
    case "delegate":
      return first({
        tool: "delegate_task",
        args:
          request.goals.length === 1
            ? { goal: request.goals[0] ?? "" }
            : { tasks: request.goals.map((goal) => ({ goal })) },
      });
    case "use":
      return useTool(request, tools);
  }
}

function useTool({ tool, args }: Extract<Request, { kind: "use" }>, tools: readonly ToolOffer[]): Plan {
  const wanted = plain(tool);
  const offer =
    tools.find(({ name }) => name === tool) ??
    tools.find(({ name }) => plain(name) === wanted) ??
    tools.find(({ name }) => [`${wanted}tool`, `get${wanted}`].includes(plain(name)));
  if (offer === undefined) return missing(tool, tools);
  const read = readArguments(args, offer.parameters);
  return typeof read === "string"
    ? { kind: "say", text: `I did not call \`${offer.name}\`: ${read}` }
    : { kind: "call", tool: offer.name, args: read };
}

function missing(tool: string, tools: readonly ToolOffer[]): Plan {
  const names = tools.map(({ name }) => `\`${name}\``).join(", ");
  return {
    kind: "say",
    text: `The tool \`${tool}\` is not offered in this session${names === "" ? ", and neither is any other." : `. Offered are: ${names}.`} \`hermes tools list\` says why a tool is missing.`,
  };
}

/**
 * A JSON object, `key=value` pairs, or one value for the property that needs it; a sentence when none of these fits.
 */
export function readArguments(text: string, schema: JsonSchema): JsonObject | string {
  const properties = (schema["properties"] ?? {}) as { readonly [name: string]: JsonObject };
  const names = Object.keys(properties);
  const required = Array.isArray(schema["required"]) ? (schema["required"] as readonly string[]) : [];
  if (text === "")
    return required.length === 0 ? {} : `it needs ${required.map((name) => `\`${name}\``).join(" and ")}.`;
  if (text.startsWith("{")) {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
    } catch {
      // Reported below, like any other invalid JSON.
    }
    return "the arguments look like a JSON object but are not valid JSON.";
  }
  const pairs = [...text.matchAll(/([A-Za-z_][\w-]*)\s*=\s*("(?:[^"\\]|\\.)*"|'[^']*'|[^\s,]+)/g)];
  if (
    pairs.length > 0 &&
    text.replace(/([A-Za-z_][\w-]*)\s*=\s*("(?:[^"\\]|\\.)*"|'[^']*'|[^\s,]+)/g, "").replace(/\band\b|[\s,]/g, "") ===
      ""
  ) {
    return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, typed(value, properties[name])]));
  }
  const name = required[0] ?? names[0];
  return name === undefined ? "it takes no arguments." : { [name]: typed(text, properties[name]) };
}

/** A value in the type its property asks for; what does not fit stays text, and the tool says what is wrong with it. */
function typed(text: string, schema: JsonObject | undefined): Json {
  const bare = /^(["']).*\1$/s.test(text) ? text.slice(1, -1) : text;
  const type = schema?.["type"];
  if ((type === "integer" || type === "number") && bare.trim() !== "" && Number.isFinite(Number(bare)))
    return Number(bare);
  if (type === "boolean" && /^(true|yes|on|false|no|off)$/i.test(bare)) return /^(true|yes|on)$/i.test(bare);
  if (type === "array" || type === "object") {
    try {
      return JSON.parse(bare) as Json;
    } catch {
      return type === "array" ? bare.split(/\s*,\s*/) : bare;
    }
  }
  return bare;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function shellWord(text: string): string {
  if (/^~?[\w./@%+:,-]+$/.test(text) && !text.startsWith("-")) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Words are taken as they stand; the search tool takes a regular expression. */
function literal(words: string): string {
  return words.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function slug(text: string): string {
  return (
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 40) || "todo"
  );
}
