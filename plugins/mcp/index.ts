import type { CliIo, Plugin } from "hermes-agent/plugin";
import { COMMANDS } from "./commands.ts";
import type { McpService } from "./mcp-service.ts";

/** Offers the tools of MCP servers next to the built-in ones. Loads no client code when no server is configured. */
const register: Plugin = async (ctx) => {
  let service: Promise<McpService> | undefined;
  const load = () => (service ??= import("./mcp-service.ts").then((module) => new module.McpService(ctx)));

  ctx.command({
    name: "reload-mcp",
    description: "Reconnect to the MCP servers; accept agrees to their changes",
    argsHint: "[accept [NAME]]",
    run: async (args) => (await load()).reload(args),
    complete: () => ["accept "],
  });
  ctx.command({
    name: "mcp",
    description: "List the MCP servers and their tools, and switch servers",
    cliOnly: true,
    run: async (_, call) => (await import("./browse-servers.ts")).browseServers(await load(), ctx, call),
  });
  ctx.cli({
    name: "mcp",
    description: "Manage MCP servers: list, add, remove, test, configure, login, accept",
    input: { type: "object", properties: { words: { type: "array", items: { type: "string" } } } },
    raw: true,
    help: COMMANDS,
    run: async (input: { readonly words: readonly string[] }, io: CliIo) =>
      (await import("./mcp-command.ts")).mcpCommand(await load(), ctx, input.words, io),
  });
  ctx.doctor(async () => (service === undefined ? [] : (await service).checks()));
  ctx.onUnload(async () => (await service)?.close());
  if (Object.keys(ctx.config).length > 0) await (await load()).start();
};

export default register;
