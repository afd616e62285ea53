import type { Command } from "commander";
import type { On } from "./call.ts";

/** `hermes tools …` */
export function addToolCommandTree(program: Command, on: On): void {
  const tools = program.command("tools").description("List, show, call, enable and disable tools");
  tools
    .command("list", { isDefault: true })
    .description("List every tool, and why one is not offered to the model")
    .option("--json", "Print JSON")
    .option("--platform <name>", "Apply to this platform", "cli")
    .action(on(async (call, options) => (await import("../commands/plugins/tools.ts")).listTools(call, options)));
  tools
    .command("show <tool>")
    .description("Show one tool's schema, owner and requirements")
    .option("--json", "Print JSON")
    .action(
      on(async (call, name, options) => (await import("../commands/plugins/tools.ts")).showTool(call, name, options)),
    );
  tools
    .command("call <tool> [arguments]")
    .description("Call a tool as a model does, with checks, approval and limits; - reads the arguments from stdin")
    .option("--json", "Print the result as JSON")
    .option("--yolo", "Do not ask for approval (hard blocks still apply)")
    .action(
      on(async (call, name, args, options) =>
        (await import("../commands/plugins/tools.ts")).callTool(call, name, args, options),
      ),
    );
  for (const verb of ["enable", "disable"] as const) {
    tools
      .command(`${verb} <names...>`)
      .description(`${verb === "enable" ? "Enable" : "Disable"} toolsets or tools in config.yaml`)
      .option("--json", "Print JSON")
      .option("--platform <name>", "Apply to this platform", "cli")
      .action(
        on(async (call, names, options) =>
          (await import("../commands/plugins/tools.ts")).switchTools(call, verb, names, options),
        ),
      );
  }
}
