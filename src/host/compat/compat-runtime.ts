import type { JsonObject } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import { textOf } from "../../contract/conversation/part.ts";
import type { CompatTool } from "../../contract/plugins/compat-context.ts";
import { shownOf, toSettled } from "../../contract/tools/outcome.ts";
import type { Toolset } from "../../contract/tools/toolset.ts";
import { createDispatch } from "../../engine/dispatch/dispatch.ts";
import type { DispatchPorts, ToolEntry } from "../../engine/ports.ts";
import { Registry } from "../../engine/tools/registry.ts";
import { createToolsets } from "../../engine/tools/toolsets.ts";
import { systemClock } from "../app/system-clock.ts";
import { AGENT_LOOP_TOOLS, agentLoopError, createCompatRegistry, type FunctionDefinition } from "./compat-registry.ts";
import { consoleLogger, directSession, emptyPorts } from "./direct-session.ts";

/**
 * Registry, toolsets and dispatch with the names of the original, separate from the agent's but built of the same
 * parts.
 */
export function createCompatRuntime(
  options: Partial<DispatchPorts> & {
    readonly toolsets?: Registry<Toolset>;
    readonly core?: readonly string[];
    notice?(text: string): void;
  } = {},
) {
  const log = options.log ?? consoleLogger;
  const clock = options.clock ?? systemClock;
  const tools = options.tools ?? new Registry<ToolEntry>("tool", log);
  const toolsets = createToolsets({
    tools,
    toolsets: options.toolsets ?? new Registry("toolset", log),
    core: options.core,
  });
  const ports: DispatchPorts = { ...emptyPorts(log, clock), ...options, tools, log, clock };
  const dispatchCall = createDispatch(ports);
  const userTasks = new Map<string, JsonObject>();
  const listeners = new Set<(tool: CompatTool & { readonly toolset: string }) => void>();

  const registry = createCompatRegistry({
    dispatch: ports,
    toolsets,
    extraContext: (callId) => userTasks.get(callId) ?? {},
    registered: (tool) => {
      for (const listener of listeners) listener(tool);
    },
  });

  async function getToolDefinitions(
    choice: {
      readonly enabled_toolsets?: readonly string[];
      readonly disabled_toolsets?: readonly string[];
      readonly quiet_mode?: boolean;
    } = {},
  ): Promise<readonly FunctionDefinition[]> {
    const { names, unknown } = toolsets.selectTools({
      enabled: choice.enabled_toolsets,
      disabled: choice.disabled_toolsets,
    });
    if (choice.quiet_mode !== true)
      for (const name of unknown) (options.notice ?? console.warn)(`Unknown toolset: ${name}`);
    return registry.get_definitions(names);
  }

  /** Runs the call through the dispatch pipeline, hooks and approval included. Always returns a JSON string. */
  async function handleFunctionCall(
    name: string,
    args: JsonObject,
    context: { readonly task_id?: string; readonly user_task?: string } = {},
  ): Promise<string> {
    if (AGENT_LOOP_TOOLS.has(name)) return agentLoopError(name);
    const callId = ports.ids("call");
    if (context.user_task !== undefined) userTasks.set(callId, { user_task: context.user_task });
    try {
      const outcome = await dispatchCall(
        { turnId: "direct", callId, tool: name, args, by: "plugin" },
        directSession(context.task_id ?? "default", tools),
        new AbortController().signal,
      );
      return textOf(shownOf(toSettled(outcome)));
    } finally {
      userTasks.delete(callId);
    }
  }

  /** Calls back for every registration from now on. */
  function onRegister(listener: (tool: CompatTool & { readonly toolset: string }) => void): Disposable {
    listeners.add(listener);
    return { [Symbol.dispose]: () => void listeners.delete(listener) };
  }

  return {
    registry,
    resolveToolset: toolsets.resolveToolset,
    getToolDefinitions,
    handleFunctionCall,
    discoverBuiltinTools: (folder: string) => discoverTools(folder, log),
    onRegister,
  };
}

/**
 * Loads every module of a folder that registers at its top level, in order of name, and returns their files. Logs one
 * that fails.
 */
async function discoverTools(folder: string, log: Logger): Promise<readonly string[]> {
  const [{ join }, { pathToFileURL }, { toolFiles }] = await Promise.all([
    import("node:path"),
    import("node:url"),
    import("./tool-files.ts"),
  ]);
  const loaded: string[] = [];
  for (const file of toolFiles(folder)) {
    try {
      await import(pathToFileURL(join(folder, file)).href);
      loaded.push(file);
    } catch (cause) {
      log.warning(`Cannot load the tool module "${file}": ${cause instanceof Error ? cause.message : String(cause)}`, {
        cause,
        file,
      });
    }
  }
  return loaded;
}

/** The runtime in which tool modules of a folder register: `import { registry } from "hermes-agent/registry"`. */
export const { registry, resolveToolset, getToolDefinitions, handleFunctionCall, discoverBuiltinTools, onRegister } =
  createCompatRuntime();
