import {
  ToolFailure,
  type AnyTool,
  type UntrustedSource,
  type Json,
  type JsonObject,
  type Egress,
  type ToolContext,
  type ToolDefinition,
  type Assessment,
} from "hermes-agent/plugin";
import type { Drift, Pin } from "./pin.ts";
import type { McpServer } from "../server/server.ts";
import { passes, type ServerEntry } from "../server/server-entry.ts";
import {
  describedAs,
  digestedName,
  mcpToolName,
  mcpToolNames,
  shortToolName,
  toolsetName,
  type ToolNames,
} from "./tool-name.ts";
import { failedText, readResult, shownResult, type McpOutput } from "./tool-result.ts";

export interface ToolPorts {
  readonly server: Pick<McpServer, "connect" | "request">;
  /** How the server's offer differs from the one that the user accepted. */
  drift(): Drift;
}

type Shared = Omit<ToolDefinition<JsonObject, McpOutput>, "name" | "description" | "input" | "execute" | "assess"> & {
  assess(): Assessment;
};

/** The names for the model of everything that a server offers. */
export function offeredNames(
  { name, similar }: Pick<ServerEntry, "name" | "similar">,
  { tools, has }: Pick<Pin, "tools" | "has">,
): ToolNames {
  const reserved = UTILITIES.flatMap((utility) => (has.includes(utility.of) ? [utility.name] : []));
  const names = tools.map((tool) => tool.name);
  return mcpToolNames(name, names, { reserved, similar });
}

/** The names of the tools for resources and prompts. */
function utilityName({ name, similar }: Pick<ServerEntry, "name" | "similar">, utility: string): string {
  return similar ? digestedName(name, utility) : mcpToolName(name, utility);
}

/** A tool of a server, and the server's own name of it. */
export interface OwnedTool {
  readonly original: string;
  readonly tool: AnyTool;
}

/** The tools that sessions get from a server: those that pass its filter, and tools for its resources and prompts. */
export function serverTools(entry: ServerEntry, pin: Pin, ports: ToolPorts): readonly OwnedTool[] {
  const shared = sharedOf(entry);
  const names = offeredNames(entry, pin);
  const own = pin.tools
    .filter(({ name }) => passes(entry.filter, name))
    .map(({ name, description, input, destructive }): OwnedTool => ({
      original: name,
      tool: {
        ...shared,
        ...named(entry.name, name, names.get(name)!),
        description: describedAs(name, names.get(name)!, description),
        input,
        // The server is untrusted: believe a declaration that a tool is destructive, but not that it is harmless.
        ...(destructive && !entry.trusted
          ? {
              assess: () => ({
                ...shared.assess(),
                risk: {
                  answer: "ask" as const,
                  key: `${name} of the MCP server ${entry.name}`,
                  reasons: [`The MCP server "${entry.name}" declares that "${name}" may delete or overwrite data.`],
                  effects: [],
                },
              }),
            }
          : {}),
        async execute(args: JsonObject, call: ToolContext) {
          await ports.server.connect(call.signal);
          mustBeAgreed(entry.name, name, ports.drift());
          return outcome(await ports.server.request("tools/call", { name, arguments: args }, call, name), call);
        },
      },
    }));
  const others = UTILITIES.filter(({ of }) => entry.filter[of] && pin.has.includes(of)).map(
    ({ name, description, input, method }): OwnedTool => ({
      original: name,
      tool: {
        ...shared,
        ...named(entry.name, name, utilityName(entry, name)),
        description: description(entry.name),
        input,
        execute: async (args: JsonObject, call: ToolContext) =>
          outcome(await ports.server.request(method, args, call, name), call),
      },
    }),
  );
  return [...own, ...others];
}

async function outcome(given: Json, call: ToolContext): Promise<McpOutput> {
  const { failed, output } = await readResult(given, () => call.scratch());
  if (failed) throw new ToolFailure("refused", failedText(output));
  return output;
}

function sharedOf(entry: ServerEntry): Shared {
  const { name, place, trusted } = entry;
  const source = `the MCP server "${name}"`;
  const untrusted: UntrustedSource | false = trusted
    ? false
    : { source, host: place.kind === "http" ? new URL(place.url).hostname : undefined };
  const egress: readonly Egress[] = trusted ? [] : [{ kind: "send", what: source }];
  return {
    toolset: toolsetName(name),
    effect: place.kind === "http" ? "network" : "execute",
    idempotent: false,
    timeoutMs: entry.connectMs + entry.timeoutMs,
    emoji: "🔌",
    parallel: entry.parallel ? true : undefined,
    assess: () => ({ untrusted, egress }),
    toModel: shownResult,
  };
}

/** A name with a digest has no short form: that may be another tool's. */
function named(
  server: string,
  tool: string,
  name: string,
): { readonly name: string; readonly aliases: readonly string[] } {
  return { name, aliases: name === mcpToolName(server, tool) ? [shortToolName(server, tool)] : [] };
}

function mustBeAgreed(server: string, tool: string, { changed, removed }: Drift): void {
  if (changed.includes(tool))
    throw new ToolFailure(
      "blocked",
      `The MCP server "${server}" changed the tool "${tool}" since the user accepted it, so it was not called.`,
      {
        hint: `The user can review the change with hermes mcp accept ${server} or accept it with /reload-mcp accept ${server}.`,
      },
    );
  if (removed.includes(tool))
    throw new ToolFailure("unavailable", `The MCP server "${server}" does not offer "${tool}" any more.`);
}

const TEXT = { type: "string" } as const;
const CURSOR = {
  type: "object",
  properties: { cursor: { ...TEXT, description: "nextCursor of the previous page" } },
} as const;

const UTILITIES = [
  {
    of: "resources",
    name: "list_resources",
    method: "resources/list",
    input: CURSOR,
    description: (server: string) => `Lists the resources of the MCP server "${server}".`,
  },
  {
    of: "resources",
    name: "read_resource",
    method: "resources/read",
    input: { type: "object", properties: { uri: TEXT }, required: ["uri"] },
    description: (server: string) => `Reads a resource of the MCP server "${server}".`,
  },
  {
    of: "prompts",
    name: "list_prompts",
    method: "prompts/list",
    input: CURSOR,
    description: (server: string) => `Lists the prompts of the MCP server "${server}".`,
  },
  {
    of: "prompts",
    name: "get_prompt",
    method: "prompts/get",
    input: {
      type: "object",
      properties: { name: TEXT, arguments: { type: "object", additionalProperties: TEXT } },
      required: ["name"],
    },
    description: (server: string) => `Gets a prompt of the MCP server "${server}" with its arguments filled in.`,
  },
] as const;
