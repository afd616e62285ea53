import { randomUUID } from "node:crypto";
import type { Probe } from "../../../contract/common/availability.ts";
import { ToolFailure } from "../../../contract/common/failure.ts";
import type { DeferredTool } from "../../../contract/tools/deferred-tool.ts";
import type { Json, JsonObject } from "../../../contract/common/json.ts";
import type { ToolOutcome } from "../../../contract/tools/outcome.ts";
import type { Answer } from "../../../contract/conversation/question.ts";
import type { SubagentResult } from "../../../contract/conversation/subagent.ts";
import type { AnyTool, RiskContext, ToolContext } from "../../../contract/tools/tool.ts";
import { isStandard } from "../../../engine/tools/tool-declaration.ts";
import { validate } from "../../../engine/arguments/validate.ts";
import { fetchThrough } from "./child-fetch.ts";
import { logger } from "./child-log.ts";
import type { PluginSide } from "./plugin-side.ts";
import { askNow } from "./sync-channel.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

/** Runs a tool. Sends the result of its `toModel` along, because the agent has only the data. */
export async function callTool(
  plugin: PluginSide,
  tool: AnyTool,
  params: JsonObject,
  id: string,
  signal: AbortSignal,
): Promise<Json> {
  const context = toolContext(plugin, tool, params["context"] as unknown as ToolContext, id, signal);
  const output: unknown = await tool.execute(await inputOf(tool, params["input"] ?? null), context);
  const shown: unknown = tool.toModel?.(output);
  return definedFields({ output: (output ?? null) as Json, shown: shown as Json | undefined });
}

/**
 * The agent validated the input against the printed schema; a library's own schema also converts it to what `execute`
 * expects.
 */
async function inputOf(tool: AnyTool, input: Json): Promise<unknown> {
  if (!isStandard(tool.input)) return input;
  const validated = await validate(input as JsonObject, tool.input);
  if (!validated.ok) throw new ToolFailure("bad_arguments", `${validated.message} Nothing was run.`);
  return validated.input;
}

/** An assessment as data. Its survey stays here, under an id. */
export async function assessTool(plugin: PluginSide, tool: AnyTool, params: JsonObject, id: string): Promise<Json> {
  const context = riskContext(plugin, params["context"] as unknown as RiskContext, id);
  const assessment = await tool.assess!(await inputOf(tool, params["input"] ?? null), context);
  if (typeof assessment !== "object" || assessment === null) return null;
  const { effect, risk, egress, touches } = assessment;
  const untrusted = typeof assessment.untrusted === "function" ? await assessment.untrusted() : assessment.untrusted;
  const survey = assessment.survey === undefined ? undefined : randomUUID();
  if (survey !== undefined) plugin.surveys.set(survey, (signal) => assessment.survey!(signal));
  return { effect, risk, egress, untrusted, touches, survey } as unknown as Json;
}

/** Answers a deprecated member of a tool before a call, or the survey of an assessment. */
export async function judgeTool(
  plugin: PluginSide,
  tool: AnyTool,
  asked: "effect" | "risk" | "provenance" | "reach" | "touches" | "survey",
  params: JsonObject,
  id: string,
  signal: AbortSignal,
): Promise<unknown> {
  if (typeof params["survey"] === "string") return plugin.surveys.get(params["survey"])?.(signal);
  const context = riskContext(plugin, params["context"] as unknown as RiskContext, id);
  const input = await inputOf(tool, params["input"] ?? null);
  if (asked === "effect") return typeof tool.effect === "function" ? tool.effect(input, context) : tool.effect;
  return asked === "survey" ? tool.survey?.(input, context, signal) : tool[asked]?.(input, context);
}

export async function checkTool(plugin: PluginSide, tool: AnyTool, params: JsonObject, id: string): Promise<unknown> {
  const { key, wire } = plugin.options;
  const probe: Probe = {
    env: (name) => (askNow("ctx.env", { plugin: key, call: id, name }) as string | null) ?? undefined,
    config: (path) => configNow(key, id, path),
    which: async (program) =>
      ((await wire.request("probe.which", { plugin: key, call: id, program })) as string | null) ?? undefined,
    prompter: params["person"] === true,
    surface: String(params["surface"]),
  };
  return (await tool.available?.(probe)) ?? { ok: true };
}

function configNow(plugin: string, call: string, path: string): Json | undefined {
  return askNow("call.config", { plugin, call, path }) ?? undefined;
}

function riskContext(
  plugin: PluginSide,
  { cwd, home, sessionId, taskId, agentHome }: RiskContext,
  id: string,
): RiskContext {
  return { cwd, home, sessionId, taskId, agentHome, config: (path) => configNow(plugin.options.key, id, path) };
}

function toolContext(
  plugin: PluginSide,
  tool: AnyTool,
  given: ToolContext,
  id: string,
  signal: AbortSignal,
): ToolContext {
  const { key, wire } = plugin.options;
  const ask = (method: string, params: JsonObject = {}) => wire.request(method, { ...params, plugin: key, call: id });
  return {
    ...riskContext(plugin, given, id),
    callId: given.callId,
    by: given.by,
    signal,
    log: logger(plugin, tool.name),
    scratch: async () => (await ask("call.scratch")) as string,
    env: (name) => (askNow("ctx.env", { plugin: key, call: id, name }) as string | null) ?? undefined,
    progress: (text) => wire.notify("progress", { plugin: key, call: id, text }),
    ask: async (question) => (await ask("call.ask", { question: question as unknown as Json })) as unknown as Answer,
    state: <T extends Json>({ key: at, initial }: { readonly key: string; readonly initial: T }) => ({
      get: () => askNow("call.state.get", { plugin: key, call: id, key: at, initial }) as T,
      set: async (value: T) => void (await ask("call.state.set", { key: at, value })),
    }),
    use: async (slot, provider) =>
      plugin.objects.decode(await ask("ctx.use", definedFields({ slot, id: provider })), signal) as never,
    fetch: fetchThrough(plugin),
    call: async (name, args) =>
      ((await ask("ctx.call_tool", { tool: name, args })) as unknown as { readonly outcome: ToolOutcome }).outcome,
    transform: async (hook, payload) =>
      (await ask("call.transform", { hook, payload: payload as unknown as JsonObject })) as string,
    depth: given.depth,
    offered: async () => new Set((await ask("call.offered")) as readonly string[]),
    held: async () => (await ask("call.held")) as unknown as readonly DeferredTool[],
    spawn: async (task) => (await ask("call.spawn", { task: task as unknown as Json })) as unknown as SubagentResult,
    // The call may have ended meanwhile, so the agent finds it by its own id.
    notify: async (text) => void (await ask("call.notify", { text, call_id: given.callId })),
  };
}
