import type { Command } from "commander";
import type { On } from "./call.ts";

/** `hermes cron …`: words and help. Each action's code is loaded when it runs. */
export function addCronCommandTree(program: Command, on: On): void {
  const more = (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value];
  const jobOptions = (command: Command): Command =>
    command
      .option("--name <name>", "what it is called")
      .option(
        "--deliver <target>",
        "where its answer goes: local, origin, all, PLATFORM, PLATFORM:CHAT; several with commas",
      )
      .option("--repeat <n>", "so many runs; 0 is for ever")
      .option("--skill <name>", "a skill it follows; may be repeated", more)
      .option("--script <file>", "run first, its output is told to the agent; a file of ~/.hermes/scripts")
      .option("--no-agent", "the script is all: what it prints is the answer")
      .option("--workdir <folder>", "where it works; its AGENTS.md is read")
      .option("--model <name>", "instead of the model in use")
      .option("--provider <id>", "of that model")
      .option("--context-from <job>", "the newest output of another job is told to the agent; may be repeated", more)
      .option("--toolsets <names>", "these tools only, comma-separated")
      .option("--json", "as JSON");
  const cron = program.command("cron").description("work that runs by itself, at set times");
  cron
    .command("list", { isDefault: true })
    .alias("ls")
    .description("every job, and when it runs next")
    .option("--all", "paused and finished ones too")
    .option("--json", "as JSON")
    .action(on(async (call, options) => (await import("../commands/cron.ts")).listJobs(call, options)));
  jobOptions(cron.command("create <schedule> [prompt...]").alias("add").description("a new job")).action(
    on(async (call, schedule, prompt, options) =>
      (await import("../commands/cron.ts")).createJob(call, schedule, prompt, options),
    ),
  );
  jobOptions(cron.command("edit <job>").description("change a job; an empty text takes a value back"))
    .option("--schedule <schedule>", "another time")
    .option("--prompt <text>", "another task")
    .option("--add-skill <name>", "one more; may be repeated", more)
    .option("--remove-skill <name>", "one less; may be repeated", more)
    .option("--clear-skills", "none")
    .option("--agent", "with the agent again")
    .action(on(async (call, job, options) => (await import("../commands/cron.ts")).editJob(call, job, options)));
  for (const [verb, does] of [
    ["pause", "it does not run until it is resumed"],
    ["resume", "it runs again, from its next time on"],
  ] as const) {
    cron
      .command(`${verb} <job>`)
      .description(does)
      .option("--json", "as JSON")
      .action(
        on(async (call, job, options) => (await import("../commands/cron.ts")).changeJob(call, verb, job, options)),
      );
  }
  cron
    .command("run <job>")
    .description("due now, once, whatever its schedule says")
    .option("--json", "as JSON")
    .action(
      on(async (call, job, options) => (await import("../commands/cron.ts")).changeJob(call, "trigger", job, options)),
    );
  cron
    .command("remove <job>")
    .aliases(["rm", "delete"])
    .description("for good, with its outputs")
    .option("--json", "as JSON")
    .action(
      on(async (call, job, options) => (await import("../commands/cron.ts")).changeJob(call, "remove", job, options)),
    );
  cron
    .command("runs [job]")
    .alias("history")
    .description("what has run, newest first")
    .option("--limit <n>", "how many", "20")
    .option("--json", "as JSON")
    .action(on(async (call, job, options) => (await import("../commands/cron.ts")).listRuns(call, job, options)));
  cron
    .command("status")
    .description("whether anything runs due jobs, and what comes next")
    .option("--json", "as JSON")
    .action(on(async (call, options) => (await import("../commands/cron.ts")).cronStatus(call, options)));
  cron
    .command("tick")
    .description("run what is due, and end")
    .option("-Q, --quiet", "only say what failed")
    .action(on(async (call, options) => (await import("../commands/cron.ts")).tick(call, options)));
  cron
    .command("serve")
    .description("run due jobs until it is stopped")
    .action(on(async (call) => (await import("../commands/cron.ts")).serveJobs(call)));
}
