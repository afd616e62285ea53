import { spawnSync } from "node:child_process";
import { ToolFailure } from "../../contract/common/failure.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import { shownOf } from "../../contract/tools/outcome.ts";
import { textOf } from "../../contract/conversation/part.ts";
import type { ToolContext } from "../../contract/tools/tool.ts";
import { coerce } from "../../engine/arguments/coerce.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import type { PluginHost } from "../../host/plugins/registry/plugin-host.ts";
import { manifest, type Files } from "../../host/plugins/plugins-fixture.ts";

export const withPython = spawnSync("python3", ["--version"]).status === 0 ? {} : { skip: "there is no python3" };

/** A `config.yaml` with these plugins on. */
export const enabled = (...names: readonly string[]): string => `plugins:\n  enabled: [${names.join(", ")}]\n`;
/** Files of a user's own plugin. */
export const pythonPlugin = (name: string, code: string, more = ""): Files => ({
  [`home/plugins/${name}/plugin.yaml`]: manifest(name, more),
  [`home/plugins/${name}/__init__.py`]: code,
});
export const pythonCode = (...lines: readonly string[]): string => `import json, os, sys, time\n${lines.join("\n")}\n`;
/** A `register` for handlers of these names, whose tools take an optional number `n`. */
export const registersPython = (...names: readonly string[]): string =>
  `def register(ctx):\n${names.map((name) => `    ctx.register_tool(name="${name}", toolset="t", schema={"description": "d", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}}}, handler=${name})`).join("\n")}\n`;

/** The text of a call's result for a model. */
export async function answerOf(
  host: PluginHost,
  name: string,
  args: JsonObject = {},
  more: Partial<ToolContext> = {},
): Promise<string> {
  const entry = host.tools.get(name);
  if (entry === undefined) throw new Error(`There is no tool "${name}".`);
  const call = {
    taskId: "task",
    sessionId: "session",
    callId: "call",
    cwd: process.cwd(),
    home: "/",
    agentHome: "/",
    signal: new AbortController().signal,
    log: quietLog(),
    progress: () => undefined,
    env: () => undefined,
    config: () => undefined,
    ...more,
  } as unknown as ToolContext;
  try {
    const tool = await entry.load();
    const output: unknown = await tool.execute(coerce(args, entry.declaration.input), call);
    const shown = tool.toModel?.(output) ?? JSON.stringify(output ?? null);
    return typeof shown === "string" ? shown : textOf(shown);
  } catch (cause) {
    if (!(cause instanceof ToolFailure)) throw cause;
    const { code, message, data, words } = cause;
    return textOf(shownOf({ kind: "failed", code, message, data, words }));
  }
}

/** A guard's answer, and payloads of the other hooks, with the original's keys. */
export function toolCall(tool: string, args: JsonObject = {}) {
  return { tool_name: tool, args, task_id: "task", session_id: "session", tool_call_id: "call", turn_id: "turn" };
}
