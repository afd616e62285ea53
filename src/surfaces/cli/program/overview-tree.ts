import type { Command } from "commander";
import type { On } from "./call.ts";

/** The commands that sum up an installation and its use: `hermes status`, `insights`, `cost` and `dump`. */
export function addOverviewCommandTree(program: Command, on: On): void {
  program
    .command("status")
    .description("Show model, gateway, platforms, memory, jobs, sessions and the last error; contacts no service")
    .option("--deep", "Also ask the model service, run a test command and start the memory provider")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/overview/status.ts")).status(call, options)));
  program
    .command("insights")
    .description("Show usage over days: sessions, turns, tools, models, tokens, cost and activity by hour")
    .option("--days <n>", "Number of days up to now", "30")
    .option("--source <surface>", "Count only sessions of this surface")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/overview/insights.ts")).insights(call, options)));
  const cost = program
    .command("cost")
    .description("Show what requests to models and paid services cost")
    .option("--by <group>", "Group by day, model, session, tool, job, user or kind", "day")
    .option("--since <time>", "Count from a number of days ago (7d), a date, today or month", "30d")
    .option("--json", "Print JSON")
    .option("--csv", "Print CSV")
    .action(on(async (call, options) => (await import("../commands/overview/cost.ts")).cost(call, options)));
  cost
    .command("explain <session>")
    .description("Show where a session's tokens went, and what broke the provider's cache")
    .option("--json", "Print JSON")
    .action(
      on(async (call, session: string, options) =>
        (await import("../commands/overview/cost-explain.ts")).explainCost(call, session, options),
      ),
    );
  program
    .command("dump")
    .description("Print a summary for a support request, without keys, chats and texts")
    .option("--show-keys", "Show the first and last characters of each key")
    .action(on(async (call, options) => (await import("../commands/overview/dump.ts")).dump(call, options)));
}
