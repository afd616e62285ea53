import type { Command } from "commander";
import type { On } from "./call.ts";

/** `hermes batch …`: words and help. Each action's code is loaded when it runs. */
export function addBatchCommandTree(program: Command, on: On): void {
  const batch = program.command("batch").description("many prompts of a file, one session each");
  batch
    .command("run <file>")
    .description(
      'run each line\'s prompt ({"prompt": "…"}) and write the conversations down; started again it goes on where it was',
    )
    .option("--name <name>", "of the run; default is the file's own")
    .option("--output <folder>", "where its files go; default is data/NAME")
    .option("--distribution <name>", "which toolsets items get; default is default")
    .option("--seed <text>", "of the draw of toolsets; default is the run's name")
    .option("--model <name>", "default is anthropic/claude-sonnet-4.6")
    .option("--provider <id>", "of that model")
    .option("--base-url <url>", "of that model, for this start")
    .option("--workers <n>", "items at the same time", "4")
    .option("--batch-size <n>", "records in one file; default is 10")
    .option("--max-turns <n>", "model requests of one item", "10")
    .option("--max-samples <n>", "only the first so many prompts")
    .option("--yolo", "do not ask for approval: nobody is there to be asked (the hard floor stays)")
    .option("--json", "the statistics as JSON")
    .action(on(async (call, file, options) => (await call.surfaces.batch()).runBatchFile(call, file, options)));
  batch
    .command("distributions")
    .description("which toolsets items get by which name")
    .option("--json", "as JSON")
    .action(on(async (call, options) => (await call.surfaces.batch()).listDistributions(call, options)));
}
