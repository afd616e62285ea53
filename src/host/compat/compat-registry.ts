import type { JsonObject } from "../../contract/common/json.ts";
import type { JsonSchema } from "../../contract/common/schema.ts";
import type { CompatTool, CompatToolContext } from "../../contract/plugins/compat-context.ts";
import type { DispatchPorts } from "../../engine/ports.ts";
import { runCompatHandler, fromCompat } from "../../engine/tools/compat-tool.ts";
import { availabilityOf, definitions } from "../../engine/tools/definitions.ts";
import { entryOf } from "../../engine/tools/tool-declaration.ts";
import type { Toolsets } from "../../engine/tools/toolsets.ts";

/** A tool in the format that the model provider receives. */
export interface FunctionDefinition {
  readonly type: "function";
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonSchema };
}

/** The registered values, defaults included. */
export type CompatEntry = Required<Omit<CompatTool, "check_fn" | "secrets" | "provenance">> &
  Pick<CompatTool, "check_fn">;

/** These need a session, so they only run inside one. */
export const AGENT_LOOP_TOOLS = new Set(["todo", "memory", "session_search", "delegate_task"]);

export interface CompatRegistryPorts {
  readonly dispatch: DispatchPorts;
  readonly toolsets: Toolsets;
  /** What a running call passes to the handler, beside its arguments. */
  extraContext(callId: string): JsonObject;
  /** Called after each registration. */
  registered(tool: CompatTool & { readonly toolset: string }): void;
}

/** The registry with the names of the original: tools register here at the top level of their modules. */
export function createCompatRegistry({ dispatch: ports, toolsets, extraContext, registered }: CompatRegistryPorts) {
  const { tools, log } = ports;
  const entries = new Map<string, CompatEntry>();
  return {
    /** @throws {UserError} naming the tool and what is wrong with it. */
    register(tool: CompatTool & { readonly toolset: string }): Disposable {
      const entry = entryOf(fromCompat(tool, tool.toolset, { extraContext }));
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
      registered(tool);
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
}

/** The result of a tool that only the agent can run. */
export function agentLoopError(name: string): string {
  return JSON.stringify({ error: `${name} must be handled by the agent loop: it works on the state of a session.` });
}
