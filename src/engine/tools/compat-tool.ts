import { parseExact } from "../../contract/common/parse-exact.ts";
import { ToolFailure, UserError } from "../../contract/common/failure.ts";
import type { Availability, Probe } from "../../contract/common/availability.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { CompatTool, CompatToolContext } from "../../contract/plugins/compat-context.ts";
import type { Part } from "../../contract/conversation/part.ts";
import type { AnyTool, ToolContext } from "../../contract/tools/tool.ts";

/**
 * Converts a tool in the original's format. Its effect is not declared, so it counts as `network`: it runs alone, in
 * order, and is never rerun automatically.
 * @throws {UserError} naming the tool and what is wrong with its schema.
 */
export function fromCompat(original: CompatTool, pluginName: string, options: CompatOptions = {}): AnyTool {
  const schema = bare(original.schema);
  const { name, provenance } = original;
  if (typeof original.handler !== "function")
    throw new UserError(`The tool "${String(name)}" of "${pluginName}" has no handler function.`);
  if (schema === undefined)
    throw new UserError(`The schema of the tool "${String(name)}" of "${pluginName}" is not an object.`, {
      hint: 'Write { name, description, parameters }, or { type: "function", function: { … } }.',
    });
  const described = typeof schema.description === "string" ? schema.description : (original.description ?? "");
  const tool: AnyTool = {
    name,
    toolset: original.toolset ?? pluginName,
    description: described,
    summary: original.description === undefined || original.description === "" ? undefined : original.description,
    input: isObject(schema.parameters) ? schema.parameters : { type: "object", properties: {} },
    effect: "network",
    env: (original.requires_env ?? []).map((one) => ({ name: one })),
    emoji: original.emoji,
    secrets: original.secrets,
    assess:
      provenance && ((args: JsonObject, call) => ({ untrusted: async () => (await provenance(args, call)) ?? false })),
    available:
      original.check_fn === undefined ? undefined : availableBy(original.check_fn, original.requires_env ?? []),
    execute: async (args: JsonObject, call) => {
      const whose = `"${name}" of the plugin "${pluginName}"`;
      const result: unknown = await handled(original, whose, call.log, args, {
        task_id: call.taskId,
        session_id: call.sessionId,
        tool_call_id: call.callId,
        signal: call.signal,
        env: call.env,
        ...options.extraContext?.(call.callId, call),
      });
      if (options.parts?.(result) !== undefined) return result;
      const text =
        options.prose === true && typeof result === "string" ? result : jsonText(result, name, call.log, whose);
      throwIfError(text);
      return text;
    },
    toModel: (output: unknown) =>
      typeof output === "string" ? output : (options.parts?.(output) ?? JSON.stringify(output)),
  };
  return asCompatTool(tool);
}

export interface CompatOptions {
  /** Further keys of the handler's keyword arguments. */
  readonly extraContext?: (callId: string, call: ToolContext) => { readonly [key: string]: unknown };
  /** A text that is not JSON is shown unchanged. */
  readonly prose?: true;
  /** Results that are shown as something else than text. */
  readonly parts?: (result: unknown) => readonly Part[] | undefined;
}

/** The handler's result. One that throws breaks the contract; that is logged before the failure propagates. */
async function handled(
  original: CompatTool,
  whose: string,
  log: Logger,
  args: JsonObject,
  context: CompatToolContext,
): Promise<unknown> {
  try {
    return await original.handler(args, context);
  } catch (cause) {
    if (!(cause instanceof ToolFailure) && !context.signal.aborted)
      log.warning(`The handler of the tool ${whose} threw; a handler returns its errors as JSON and never raises.`, {
        tool: original.name,
        cause,
      });
    throw cause;
  }
}

/** The handler alone. Never rejects; always a JSON string. */
export async function runCompatHandler(
  original: CompatTool,
  args: JsonObject,
  context: CompatToolContext,
  log: Logger,
): Promise<string> {
  try {
    return jsonText(await original.handler(args, context), original.name, log);
  } catch (cause) {
    log.error(`The tool "${original.name}" threw.`, { cause });
    return JSON.stringify({
      error: `Tool execution failed: ${cause instanceof Error ? cause.name : typeof cause}: ${cause instanceof Error ? cause.message : String(cause)}`,
    });
  }
}

const compatTools = new WeakSet<AnyTool>();

/**
 * The original's rules: its effect is assumed; its `check_fn` decides what is offered; a call to a tool that is not
 * offered, or with arguments that do not match its schema, still reaches the handler, which has its own messages for
 * that.
 */
export function isCompatTool(tool: AnyTool): boolean {
  return compatTools.has(tool);
}

/** Marks one that was written so in a plugin's process. */
export function asCompatTool(tool: AnyTool): AnyTool {
  compatTools.add(tool);
  return tool;
}

type Check = NonNullable<CompatTool["check_fn"]>;
type Available = NonNullable<AnyTool["available"]>;

/** Returns the same function for the same check and variables, so that tools which share them have it run once. */
function availableBy(check: Check, requires: readonly string[]): Available {
  const byNames = availabilities.get(check) ?? new Map<string, Available>();
  availabilities.set(check, byNames);
  const known = byNames.get(requires.join());
  if (known !== undefined) return known;
  const available: Available = (probe) => {
    const verdict = (ok: unknown): Availability => (ok ? { ok: true } : notAvailable(requires, probe));
    const answer: unknown = check(probe);
    return answer instanceof Promise ? answer.then(verdict) : verdict(answer);
  };
  byNames.set(requires.join(), available);
  return available;
}

const availabilities = new WeakMap<Check, Map<string, Available>>();

/** The check gives no reason; a variable that the tool declares and that is not set is the likely one. */
function notAvailable(requires: readonly string[], probe: Probe): Availability {
  const needs = requires.filter((name) => probe.env(name) === undefined);
  if (needs.length === 0) return { ok: false, reason: "Its availability check failed." };
  return { ok: false, reason: `${needs.join(" and ")} ${needs.length === 1 ? "is" : "are"} not set.`, needs };
}

function bare(schema: unknown): JsonObject | undefined {
  if (!isObject(schema)) return undefined;
  return schema.type === "function" && isObject(schema.function) ? schema.function : schema;
}

/** The handler's JSON text unchanged; anything else converted to JSON, with a warning. */
function jsonText(result: unknown, name: string, log: Logger, whose = `"${name}"`): string {
  if (typeof result === "string" && parse(result) !== undefined) return result;
  log.warning(
    `The handler of the tool ${whose} returned ${typeof result === "string" ? "text that is not JSON" : typeof result}; a handler returns a JSON string.`,
    { tool: name },
  );
  return JSON.stringify(result ?? null) ?? "null";
}

/** An object with a truthy `error` is a failure. */
function throwIfError(text: string): void {
  const value = parse(text)?.value;
  if (!isObject(value) || !value.error) return;
  // The whole object as data, so that the model reads the handler's own keys in their order.
  throw new ToolFailure("failed", typeof value.error === "string" ? value.error : JSON.stringify(value.error), {
    data: value,
    words: text,
  });
}

function parse(text: string): { readonly value: Json } | undefined {
  for (const read of [text, withoutInfinity(text)]) {
    try {
      return { value: parseExact(read) as Json };
    } catch {
      // Not JSON; the caller warns.
    }
  }
  return undefined;
}

/** Python's JSON has infinite numbers, and handlers of the original write them. */
function withoutInfinity(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g, (found) =>
    found.startsWith('"') ? found : "null",
  );
}
