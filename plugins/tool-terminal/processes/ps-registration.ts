import type { CliIo, PluginContext } from "hermes-agent/plugin";
import type { PsCommand, PsInput } from "./ps-command.ts";

/** Adds `/ps` and `hermes ps`; their code loads on first use. */
export function addPsCommands(ctx: PluginContext): void {
  let ps: Promise<PsCommand> | undefined;
  const loadPs = () =>
    (ps ??= Promise.all([
      import("./ps-command.ts"),
      import("./process-table.ts"),
      import("./stop-grace.ts"),
      import("./detached-elsewhere.ts"),
    ]).then(
      ([{ PsCommand }, { ProcessTable }, { stopGraceMs }, { reachThrough }]) =>
        new PsCommand(
          new ProcessTable(ctx.home),
          (text) => ctx.redact(text),
          stopGraceMs((path) => ctx.setting(path)),
          reachThrough((id) => ctx.use("terminal", id), ctx.signal),
        ),
    ));
  ctx.command({
    name: "ps",
    description: "List, follow or stop background processes, or keep them running after the agent",
    argsHint: "[all|follow ID|stop ID|keep ID]",
    run: async (args) => (await loadPs()).slash(args),
    complete: async () => (await loadPs()).complete(),
  });
  ctx.cli({
    name: "ps",
    description: "Show running processes that agents and their commands started",
    input: {
      type: "object",
      properties: {
        action: { type: "string", enum: ["list", "follow", "stop", "keep"], description: "Action. Default: list" },
        id: { type: "string", description: "ID or PID from the list, or its beginning" },
        all: { type: "boolean", description: "Include ended processes" },
        json: { type: "boolean", description: "Print JSON" },
      },
    },
    positional: ["action", "id"],
    run: async (input: PsInput, io: CliIo) => (await loadPs()).cli(input, io),
  });
}
