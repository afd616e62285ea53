import type { Command } from "commander";
import type { On } from "./call.ts";

/** `hermes batch …`: names and help. Each action's code loads when it runs. */
export function addBatchCommandTree(program: Command, on: On): void {
  const batch = program.command("batch").description("Run many prompts from a file, one session each");
  batch
    .command("run <file>")
    .description('Run the prompt of each line ({"prompt": "…"}) and save the conversations; a restart resumes the run')
    .option("--name <name>", "Name of the run; default: the file's name")
    .option("--output <folder>", "Folder for the results; default: data/NAME")
    .option("--distribution <name>", "Distribution of toolsets over items; default: default")
    .option("--seed <text>", "Random seed for the toolsets; default: the run's name")
    .option("--model <name>", "Model; default: anthropic/claude-sonnet-4.6")
    .option("--provider <id>", "Provider of that model")
    .option("--base-url <url>", "Base URL of that model; not saved with the run")
    .option("--workers <n>", "Number of items to run in parallel", "4")
    .option("--batch-size <n>", "Records per file; default: 10")
    .option("--max-turns <n>", "Maximum model requests per item", "10")
    .option("--max-samples <n>", "Run only the first n prompts")
    .option("--yolo", "Run commands that need approval, which are otherwise denied (hard blocks still apply)")
    .option("--json", "Print the statistics as JSON")
    .action(on(async (call, file, options) => (await call.surfaces.batch()).runBatchFile(call, file, options)));
  batch
    .command("distributions")
    .description("List the distributions and the toolsets of each")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await call.surfaces.batch()).listDistributions(call, options)));
}
