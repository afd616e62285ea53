import { UserError } from "../../contract/common/failure.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import type { JsonSchema, StandardSchema } from "../../contract/common/schema.ts";
import type { AnyTool, ToolDeclaration } from "../../contract/tools/tool.ts";
import type { Effect } from "../../contract/tools/effect.ts";
import { EFFECTS } from "../approval/assess.ts";
import { DEPRECATED_MEMBERS } from "../approval/assess-by-members.ts";
import { canonical } from "../arguments/canonical-json.ts";
import type { ToolEntry } from "../ports.ts";
import { isQuiet } from "../approval/quiet.ts";

const DEFAULT_TIMEOUT_MS = 300_000;
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Everything about a tool that is data.
 * @throws {UserError} naming the tool and what is wrong with it.
 */
export function declare(tool: AnyTool): ToolDeclaration {
  const name: unknown = tool.name;
  if (typeof name !== "string" || !NAME.test(name)) {
    const near = typeof name === "string" ? nearestName(name) : "";
    throw new UserError(`A tool cannot be named ${JSON.stringify(name)}.`, {
      hint: `Model services take 1 to 64 letters, digits, _ and -${near === "" ? "" : `: "${near}"`}.`,
    });
  }
  const wrong = whatIsWrong(tool);
  if (wrong !== undefined) throw new UserError(`The tool "${name}" ${wrong}`);
  const effectByCall = typeof tool.effect !== "string";
  const effect: Effect = typeof tool.effect === "string" ? tool.effect : "execute";
  const dynamicDescription = typeof tool.description === "function";
  const description = typeof tool.description === "function" ? "" : tool.description;
  return {
    name,
    toolset: tool.toolset,
    description,
    summary: tool.summary ?? (firstSentence(description) || name),
    input: printSchema(name, tool.input),
    effect,
    effectByCall,
    dynamicDescription,
    conditional: tool.available !== undefined,
    idempotent: tool.idempotent ?? (!effectByCall && isQuiet(effect)),
    timeoutMs: typeof tool.timeoutMs === "number" ? tool.timeoutMs : DEFAULT_TIMEOUT_MS,
    env: tool.env ?? [],
    emoji: tool.emoji ?? "",
    title: tool.title,
    maxResultChars: tool.maxResultChars ?? 100_000,
    interactive: tool.interactive ?? false,
    parallel: tool.parallel === true ? (true as const) : undefined,
    role: tool.role,
    aliases: tool.aliases ?? [],
    refusal: tool.refusal,
    prepares: tool.prepare === undefined ? undefined : (true as const),
    reportsAway: tool.whileAway === undefined ? undefined : (true as const),
    promptFiles: tool.prompt?.files,
    slots: tool.slots,
    mentions: tool.mentions,
    programs: tool.programs,
    needsOneOf: tool.needsOneOf,
    needsHint: tool.needsHint,
  };
}

function nearestName(name: string): string {
  return name
    .replaceAll(/[^a-zA-Z0-9_-]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, 64);
}

/** A registry entry of a tool whose code is already here. */
export function entryOf(tool: AnyTool): ToolEntry {
  const loaded = Promise.resolve(tool);
  return { declaration: declare(tool), load: () => loaded };
}

function whatIsWrong(tool: AnyTool): string | undefined {
  if (typeof tool.toolset !== "string" || tool.toolset === "") return "names no toolset.";
  if (typeof tool.description !== "string" && typeof tool.description !== "function") return "has no description.";
  const wrongEffect = whatIsWrongWithEffect(tool);
  if (wrongEffect !== undefined) return wrongEffect;
  if (typeof tool.execute !== "function") return "has no execute function.";
  if (typeof tool.input !== "object" || tool.input === null) return "has no input schema.";
  if (typeof tool.timeoutMs === "number" && !(tool.timeoutMs > 0))
    return `has the time limit ${tool.timeoutMs} ms; it is more than 0.`;
  return undefined;
}

function whatIsWrongWithEffect(tool: AnyTool): string | undefined {
  const { effect, assess } = tool;
  if (assess !== undefined) {
    if (typeof assess !== "function") return "has an `assess` that is not a function.";
    const replaced: string[] = DEPRECATED_MEMBERS.filter((member) => tool[member] !== undefined);
    if (typeof effect === "function") replaced.push("effect");
    if (replaced.length > 0) return `has assess and also ${replaced.join(", ")}: return that from assess.`;
  }
  if (effect === undefined && assess !== undefined) return undefined;
  if (typeof effect === "function" || (effect !== undefined && EFFECTS.includes(effect))) return undefined;
  return `has the effect ${JSON.stringify(effect)}; it is one of ${EFFECTS.join(", ")}, or left out where assess reports it.`;
}

/**
 * A literal schema stays as written, since the model reads it; only a missing `type` is added, which providers require,
 * and keys are sorted, so that equal schemas have equal bytes in every request.
 */
function printSchema(name: string, input: JsonSchema | StandardSchema<unknown>): JsonSchema {
  const printed = isStandard(input) ? print(name, input) : input;
  if (printed.type !== undefined && printed.type !== "object")
    throw new UserError(`The tool "${name}" takes ${JSON.stringify(printed.type)}; a tool takes an object.`);
  return canonical(
    printed.type === "object" && printed.properties !== undefined
      ? printed
      : { type: "object", properties: {}, ...printed },
  ) as JsonSchema;
}

function print(name: string, input: StandardSchema<unknown>): JsonObject {
  const { jsonSchema } = input["~standard"];
  if (typeof jsonSchema?.input !== "function") {
    throw new UserError(`The input schema of the tool "${name}" cannot print itself as JSON Schema.`, {
      hint: `Use a newer version of ${input["~standard"].vendor}, or write the JSON Schema itself.`,
    });
  }
  const { $schema: _, ...printed } = jsonSchema.input({ target: "draft-2020-12" });
  return printed;
}

export function isStandard(input: JsonSchema | StandardSchema<unknown>): input is StandardSchema<unknown> {
  return "~standard" in input;
}

function firstSentence(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return /^.*?[.!?。](?=\s|$)/u.exec(line)?.[0] ?? line;
}
