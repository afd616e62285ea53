import type { Command } from "commander";
import type { On } from "./call.ts";

/** `hermes cron …`: names and help. Each action's code loads when it runs. */
export function addCronCommandTree(program: Command, on: On): void {
  const more = (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value];
  const jobOptions = (command: Command): Command =>
    command
      .option("--name <name>", "Name of the job")
      .option(
        "--deliver <target>",
        "Where to deliver the answer: local, origin, all, PLATFORM or PLATFORM:CHAT; comma-separated",
      )
      .option("--repeat <n>", "Number of runs; 0 means no limit")
      .option("--skill <name>", "Skill to follow; repeatable", more)
      .option("--script <file>", "Script in ~/.hermes/scripts to run first; the agent gets its output")
      .option("--no-agent", "Run only the script; its output is the answer")
      .option("--workdir <folder>", "Working folder; the agent reads its AGENTS.md")
      .option("--model <name>", "Model for this job")
      .option("--provider <id>", "Provider of that model")
      .option("--context-from <job>", "Job whose newest output the agent gets; repeatable", more)
      .option("--toolsets <names>", "Toolsets for this job, comma-separated")
      .option("--json", "Print JSON");
  const cron = program.command("cron").description("Create and manage scheduled jobs");
  cron
    .command("list", { isDefault: true })
    .alias("ls")
    .description("List scheduled jobs, and when each runs next")
    .option("--all", "Include paused and finished jobs")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/cron.ts")).listJobs(call, options)));
  jobOptions(cron.command("create <schedule> [prompt...]").alias("add").description("Create a scheduled job")).action(
    on(async (call, schedule, prompt, options) =>
      (await import("../commands/cron.ts")).createJob(call, schedule, prompt, options),
    ),
  );
  jobOptions(cron.command("edit <job>").description("Change a scheduled job; an empty value resets a field"))
    .option("--schedule <schedule>", "New schedule of the job")
    .option("--prompt <text>", "New prompt of the job")
    .option("--add-skill <name>", "Add a skill; repeatable", more)
    .option("--remove-skill <name>", "Remove a skill; repeatable", more)
    .option("--clear-skills", "Remove all skills from the job")
    .option("--agent", "Run the agent again (undoes --no-agent)")
    .action(on(async (call, job, options) => (await import("../commands/cron.ts")).editJob(call, job, options)));
  for (const [verb, does] of [
    ["pause", "Pause a scheduled job until you resume it"],
    ["resume", "Resume a paused job from its next scheduled time"],
  ] as const) {
    cron
      .command(`${verb} <job>`)
      .description(does)
      .option("--json", "Print JSON")
      .action(
        on(async (call, job, options) => (await import("../commands/cron.ts")).changeJob(call, verb, job, options)),
      );
  }
  cron
    .command("run <job>")
    .description("Make a job due now, once, regardless of its schedule")
    .option("--json", "Print JSON")
    .action(
      on(async (call, job, options) => (await import("../commands/cron.ts")).changeJob(call, "trigger", job, options)),
    );
  cron
    .command("remove <job>")
    .aliases(["rm", "delete"])
    .description("Delete a scheduled job and its outputs permanently")
    .option("--json", "Print JSON")
    .action(
      on(async (call, job, options) => (await import("../commands/cron.ts")).changeJob(call, "remove", job, options)),
    );
  cron
    .command("runs [job]")
    .alias("history")
    .description("List past runs of scheduled jobs, newest first")
    .option("--limit <n>", "Maximum number of runs", "20")
    .option("--json", "Print JSON")
    .action(on(async (call, job, options) => (await import("../commands/cron.ts")).listRuns(call, job, options)));
  cron
    .command("status")
    .description("Show whether a scheduler is running, and the next job")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/cron.ts")).cronStatus(call, options)));
  cron
    .command("tick")
    .description("Run the scheduled jobs that are due, then exit")
    .option("-Q, --quiet", "Report only failures")
    .action(on(async (call, options) => (await import("../commands/cron.ts")).tick(call, options)));
  cron
    .command("serve")
    .description("Run scheduled jobs when they are due, until you stop the command")
    .action(on(async (call) => (await import("../commands/cron.ts")).serveJobs(call)));
}
