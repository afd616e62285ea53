import type { Command } from "commander";
import type { On } from "./call.ts";

/** `hermes hooks …` */
export function addHookCommandTree(program: Command, on: On): void {
  const hooks = program
    .command("hooks")
    .description("List and test hooks: shell commands in config.yaml, and handlers in ~/.hermes/hooks");
  hooks
    .command("list", { isDefault: true })
    .alias("ls")
    .description("List every hook, and whether it may run")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/plugins/hooks.ts")).listHooks(call, options)));
  hooks
    .command("test <event>")
    .description("Run the shell hooks of this event with a sample payload, even hooks you have not allowed")
    .option("--for-tool <name>", "Sample a call of this tool")
    .option("--payload-file <file>", "Add the keys of this JSON file to the payload")
    .option("--json", "Print JSON")
    .action(
      on(async (call, event, options) =>
        (await import("../commands/plugins/hooks.ts")).testHooks(call, event, options),
      ),
    );
  hooks
    .command("revoke <command>")
    .alias("remove")
    .alias("rm")
    .description("Revoke the permission of a shell hook; it runs again only after you allow it")
    .action(on(async (call, command) => (await import("../commands/plugins/hooks.ts")).revokeHook(call, command)));
  hooks
    .command("doctor")
    .description("Check whether each hook can run, and what it answers")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/plugins/hooks.ts")).doctorHooks(call, options)));
}
