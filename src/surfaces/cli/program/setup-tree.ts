import type { Command } from "commander";
import { asTyped } from "../../shared/process/called-as.ts";
import type { On } from "./call.ts";

/** Subcommands of `hermes memory` for the agent's own notes. */
const NOTES = [
  ["list", "List the agent's notes, each with its author, session and date"],
  ["why <entry>", "Show where a note came from: session, turn, author, approval and earlier texts"],
  ["log [count]", "List the last changes of the notes"],
  ["revert <change>", "Undo a change of the notes"],
  ["edit <entry> <text...>", "Replace the text of a note"],
  ["remove <entry>", "Remove a note"],
  ["pending", "List changes that wait for your approval"],
  ["approve <change>", "Save a pending change, or all"],
  ["reject <change>", "Drop a pending change, or all"],
] as const;

/** The commands that choose models and services: `hermes model`, `setup`, `fallback …`, `auth`, `memory …`. */
export function addSetupCommandTree(program: Command, on: On): void {
  const model = program
    .command("model [model]")
    .description(asTyped("Show or choose the model: `hermes model provider/name`"))
    .option("--base-url <url>", "Address of an OpenAI-compatible server")
    .option("--api-key <key>", "API key; stored in .env, never in config.yaml")
    .option("--list", "List the provider's models")
    .option("--no-check", "Save the model without a request to it first")
    .action(on(async (call, name, options) => (await import("../commands/setup/model.ts")).model(call, name, options)));
  model
    .command("install [packages...]")
    .description("Install provider packages: those you name, or those that configured models lack")
    .action(
      on(async (call, names) =>
        (await import("../commands/setup/install-packages.ts")).installModelPackages(call, names),
      ),
    );
  program
    .command("setup [section]")
    .description("Connect a model step by step, or set up the section you name")
    .option("--quick", "Ask for everything that is missing, and nothing else")
    .option("--non-interactive", "Ask nothing; report what is set and what is missing")
    .option("--yes", "Ask nothing; install the packages that configured models lack, and report")
    .option("--reset", "Reset to the defaults first")
    .action(
      on(async (call, section, options) => (await import("../commands/setup/setup.ts")).setup(call, section, options)),
    );
  const fallback = program
    .command("fallback")
    .description("Manage fallback models, used in order when the model fails");
  fallback
    .command("list", { isDefault: true })
    .alias("ls")
    .description("List the fallback models in order")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/setup/fallback.ts")).listFallbacks(call, options)));
  fallback
    .command("add [model]")
    .description(
      asTyped("Add a fallback model at the end: `hermes fallback add provider/name`; asks if no name is given"),
    )
    .action(on(async (call, name) => (await import("../commands/setup/fallback.ts")).addFallback(call, name)));
  fallback
    .command("remove [which]")
    .alias("rm")
    .description("Remove a fallback model by number or name")
    .action(on(async (call, which) => (await import("../commands/setup/fallback.ts")).removeFallback(call, which)));
  fallback
    .command("clear")
    .description("Remove all fallback models")
    .action(on(async (call) => (await import("../commands/setup/fallback.ts")).clearFallbacks(call)));
  program
    .command("auth [name] [words...]")
    .description("Sign in to a service, show the status, or sign out")
    .allowUnknownOption()
    .action(on(async (call, name, words) => (await import("../commands/setup/auth.ts")).auth(call, name, words)));
  const memory = program
    .command("memory")
    .description("Show and choose the provider that stores memories across sessions");
  memory
    .command("status", { isDefault: true })
    .description("Show the active memory provider, and whether it is available")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/plugins/memory.ts")).memoryStatus(call, options)));
  memory
    .command("setup [provider]")
    .description("Choose the memory provider")
    .action(on(async (call, name) => (await import("../commands/plugins/memory.ts")).memorySetup(call, name)));
  for (const [words, description] of NOTES) {
    const verb = words.split(" ")[0]!;
    const command = memory.command(words).description(description);
    if (["list", "log", "pending"].includes(verb)) command.option("--json", "Print JSON");
    command.action(
      on(async (call, ...given) =>
        (await import("../commands/plugins/memory-notes.ts")).memoryNotes(call, verb, given, command.opts()),
      ),
    );
  }
  memory
    .command("off")
    .description("Stop using the memory provider")
    .action(on(async (call) => (await import("../commands/plugins/memory.ts")).memoryOff(call)));
  const moa = program.command("moa").description("Manage the presets of models that the tool mixture_of_agents asks");
  moa
    .command("list", { isDefault: true })
    .alias("ls")
    .description("List the presets and their models")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/setup/moa.ts")).listPresets(call, options)));
  moa
    .command("configure [name]")
    .alias("config")
    .description("Create or change a preset; asks for models if none are given")
    .option("--reference <model...>", "Models to ask, as provider/model")
    .option("--aggregator <model>", "Model that combines the answers, as provider/model")
    .option("--use", "Make it the preset in use")
    .action(
      on(async (call, name, options) =>
        (await import("../commands/setup/moa.ts")).configurePreset(call, name, options),
      ),
    );
  moa
    .command("delete <name>")
    .alias("rm")
    .description("Delete a preset")
    .action(on(async (call, name) => (await import("../commands/setup/moa.ts")).deletePreset(call, name)));
}
