import type { Clock } from "../../contract/common/clock.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import { shownOf, toSettled } from "../../contract/tools/outcome.ts";
import { textOf } from "../../contract/conversation/part.ts";
import type { CompatTool, CompatToolContext } from "../../contract/plugins/plugin.ts";
import type { JsonSchema } from "../../contract/common/schema.ts";
import type { Toolset } from "../../contract/tools/toolset.ts";
import { availabilityOf, definitions } from "../../engine/tools/definitions.ts";
import { createDispatch } from "../../engine/dispatch/dispatch.ts";
import { Hooks } from "../../engine/hooks/hooks.ts";
import { Middlewares } from "../../engine/hooks/middleware.ts";
import type { CallSession, DispatchPorts, ToolEntry } from "../../engine/ports.ts";
import { Registry } from "../../engine/tools/registry.ts";
import { runCompatHandler, fromCompat } from "../../engine/tools/compat-tool.ts";
import { entryOf } from "../../engine/tools/tool-declaration.ts";
import { createToolsets } from "../../engine/tools/toolsets.ts";
import { systemClock } from "../app/system-clock.ts";

/** A tool in the format that the model provider receives. */
export interface FunctionDefinition {
  readonly type: "function";
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonSchema };
}

/** The registered values, defaults included. */
export type CompatEntry = Required<Omit<CompatTool, "check_fn" | "secrets" | "provenance">> &
  Pick<CompatTool, "check_fn">;

/** These need a session, so they only run inside one. */
const AGENT_LOOP_TOOLS = new Set(["todo", "memory", "session_search", "delegate_task"]);

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
  const entries = new Map<string, CompatEntry>();
  const userTasks = new Map<string, JsonObject>();
  const listeners = new Set<(tool: CompatTool & { readonly toolset: string }) => void>();

  const registry = {
    /** @throws {UserError} naming the tool and what is wrong with it. */
    register(tool: CompatTool & { readonly toolset: string }): Disposable {
      const entry = entryOf(fromCompat(tool, tool.toolset, { extraContext: (callId) => userTasks.get(callId) ?? {} }));
      const filled: CompatEntry = {
        name: tool.name,
        toolset: tool.toolset,
        schema: tool.schema,
        handler: tool.handler,
        check_fn: tool.check_fn,
        requires_env: tool.requires_env ?? [],
        is_async: tool.is_async ?? false,
        description: tool.description ?? entry.declaration.description,
        emoji: tool.emoji ?? "",
      };
      entries.set(tool.name, filled);
      for (const listener of listeners) listener(tool);
      return tools.add(tool.name, entry, tool.toolset);
    },
    get_entry: (name: string): CompatEntry | undefined => entries.get(name),
    /** The known and available ones of `names`, sorted. */
    async get_definitions(names: Iterable<string>): Promise<readonly FunctionDefinition[]> {
      const { offers } = await definitions(ports, { names, surface: "cli", prompter: true });
      return offers.map(({ name, description, parameters }) => ({
        type: "function",
        function: { name, description, parameters },
      }));
    },
    /** Whether at least one tool of the toolset is available now. */
    async is_toolset_available(toolset: string): Promise<boolean> {
      const names = new Set(toolsets.resolveToolset(toolset));
      const all = tools.list().filter(({ name }) => names.has(name));
      const verdicts = await Promise.all(
        all.map((entry) => availabilityOf(ports, entry, { name: "cli", prompter: true })),
      );
      return verdicts.some(({ ok }) => ok);
    },
    /** Runs only the handler, without hooks, coercion and approval. Always returns a JSON string. */
    async dispatch(name: string, args: JsonObject, context: { readonly [key: string]: unknown } = {}): Promise<string> {
      const entry = entries.get(name);
      if (AGENT_LOOP_TOOLS.has(name)) return agentLoopError(name);
      if (entry === undefined || tools.get(name) === undefined)
        return JSON.stringify({ error: `Unknown tool: ${name}` });
      return runCompatHandler(entry, args, context as CompatToolContext, log);
    },
  };

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
        sessionOf(context.task_id ?? "default", tools),
        new AbortController().signal,
      );
      return textOf(shownOf(toSettled(outcome)));
    } finally {
      userTasks.delete(callId);
    }
  }

  /**
   * Loads every module of a folder that registers at its top level, in order of name, and returns their files. Logs one
   * that fails.
   */
  async function discoverBuiltinTools(folder: string): Promise<readonly string[]> {
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
        log.warning(
          `Cannot load the tool module "${file}": ${cause instanceof Error ? cause.message : String(cause)}`,
          { cause, file },
        );
      }
    }
    return loaded;
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
    discoverBuiltinTools,
    onRegister,
  };
}

function agentLoopError(name: string): string {
  return JSON.stringify({ error: `${name} must be handled by the agent loop: it works on the state of a session.` });
}

/** A session that lasts one call and stores nothing. */
function sessionOf(taskId: string, tools: Registry<ToolEntry>): CallSession {
  return {
    sessionId: taskId,
    taskId,
    surface: "direct",
    cwd: process.cwd(),
    yolo: false,
    prompter: undefined,
    offered: new Set(tools.list().map(({ name }) => name)),
    record: async () => undefined,
    live: () => undefined,
    state: () => undefined,
    foreign: undefined,
    queue: async () => undefined,
  };
}

function emptyPorts(log: Logger, clock: Clock): Omit<DispatchPorts, "tools" | "log" | "clock"> {
  let calls = 0;
  const nothing = (what: string) => Promise.reject(new Error(`${what} is not available outside a session.`));
  return {
    hooks: new Hooks({ log, clock }),
    middlewares: new Middlewares({ log }),
    approvers: [],
    ids: (kind) => `${kind}_${++calls}`,
    home: process.env.HOME ?? "",
    agentHome: process.env.HERMES_HOME ?? "",
    redact: (text) => text,
    spill: () => nothing("storage for long results"),
    scratch: () => nothing("scratch directory"),
    use: (slot) => nothing(`provider of ${slot}`),
    fetch: () => () => nothing("guarded network access"),
    secret: () => undefined,
    env: (_, name) => process.env[name],
    config: () => undefined,
    probe: (_, { name, prompter }) => ({
      env: (variable) => process.env[variable] || undefined,
      config: () => undefined,
      which: async () => undefined,
      prompter,
      surface: name,
    }),
  };
}

const consoleLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warning: (message) => console.warn(message),
  error: (message) => console.error(message),
  child: () => consoleLogger,
};

/** The runtime in which tool modules of a folder register: `import { registry } from "hermes-agent/registry"`. */
export const { registry, resolveToolset, getToolDefinitions, handleFunctionCall, discoverBuiltinTools, onRegister } =
  createCompatRuntime();
