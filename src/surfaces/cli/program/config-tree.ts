import type { Command } from "commander";
import type { On } from "./call.ts";

/** `hermes config …` */
export function addConfigCommandTree(program: Command, on: On): void {
  const config = program.command("config").description("Show, change and check config.yaml");
  config
    .command("show", { isDefault: true })
    .description("List every setting that differs from its default")
    .option("--all", "Include settings that have their default values")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/config.ts")).showConfig(call, options)));
  config
    .command("get <key>")
    .description("Print the value of one setting")
    .option("--json", "Print JSON")
    .action(on(async (call, key, options) => (await import("../commands/config.ts")).getConfig(call, key, options)));
  config
    .command("set <key> <value>")
    .description("Change one setting in config.yaml; keeps the comments in the file")
    .action(on(async (call, key, value) => (await import("../commands/config.ts")).setConfig(call, key, value)));
  config
    .command("unset <key>")
    .description("Reset a setting to its default")
    .action(on(async (call, key) => (await import("../commands/config.ts")).unsetConfig(call, key)));
  config
    .command("explain <key>")
    .description("Show where the value of a setting comes from and which values are allowed")
    .action(on(async (call, key) => (await import("../commands/config.ts")).explainConfig(call, key)));
  config
    .command("path")
    .description("Print the path of config.yaml")
    .action(on(async (call) => (await import("../commands/config.ts")).configPath(call)));
  config
    .command("env-path")
    .description("Print the path of .env")
    .action(on(async (call) => (await import("../commands/config.ts")).envPath(call)));
  config
    .command("check")
    .description("Check config.yaml for mistakes and unused settings")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/config.ts")).checkConfig(call, options)));
  config
    .command("edit")
    .description("Open config.yaml in $EDITOR")
    .action(on(async (call) => (await import("../commands/config.ts")).editConfig(call)));
}
