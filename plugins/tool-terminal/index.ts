import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "hermes-agent/plugin";
import { addPsCommands } from "./processes/ps-registration.ts";
import type { TerminalService } from "./run/terminal-service.ts";
import { processTool, terminalTool } from "./terminal-tools.ts";

/** terminal and process: run commands in the foreground and background. */
const register: Plugin = (ctx) => {
  let service: Promise<TerminalService> | undefined;
  const untold = async (sessionId: string) =>
    existsSync(join(ctx.home, "processes")) &&
    new (await import("./processes/process-table.ts")).ProcessTable(ctx.home).untold(sessionId).length > 0;
  const load = () =>
    (service ??= import("./run/terminal-service.ts").then((module) => new module.TerminalService(ctx)));

  ctx.tool(terminalTool(load));
  ctx.tool(processTool(load, untold));
  addPsCommands(ctx);

  const ended = async (sessionId: string | null) => {
    await (await service)?.endSession(sessionId);
  };
  ctx.hook("on_session_finalize", ({ session_id }) => ended(session_id));
  ctx.hook("on_session_reset", ({ session_id }) => ended(session_id));
  ctx.hook("subagent_stop", ({ child_session_id }) => ended(child_session_id));
  ctx.onUnload(async () => {
    await (await service)?.endAll();
  });
};

export default register;
