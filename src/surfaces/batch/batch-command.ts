import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { UserError } from "../../contract/common/failure.ts";
import { asTyped } from "../shared/process/called-as.ts";
import { distributions, distributionNamed } from "./distributions.ts";
import { readPrompts, type Item } from "./read-prompts.ts";
import { RunFolder } from "./run-folder.ts";
import type { ItemEnd } from "./run-item.ts";
import { printable } from "../shared/display/printable.ts";
import type { BatchFlags, SurfaceCall } from "../shared/process/surface-command.ts";
import { EXIT } from "../shared/process/exit-code.ts";
import { onInterrupt } from "../shared/process/on-interrupt.ts";
import { tableOn } from "../shared/display/table.ts";

const MODEL = "anthropic/claude-sonnet-4.6";
const BATCH_SIZE = 10;
const RUN_NAME = /^[\w.-]{1,100}$/;

/** `hermes batch run FILE`. */
export async function runBatchFile({ io, open }: SurfaceCall, file: string, flags: BatchFlags): Promise<number> {
  const cwd = process.cwd();
  const path = resolve(cwd, file);
  const name = flags.name ?? basename(file).replace(/\.[^.]+$/, "");
  if (!RUN_NAME.test(name) || /^\.+$/.test(name))
    throw new UserError(`Invalid run name "${printable(name)}".`, {
      hint: "Use letters, digits, dots, _ and - in --name.",
      exitCode: EXIT.usage,
    });
  const [workers, maxTurns] = [wholeNumber("--workers", flags.workers), wholeNumber("--max-turns", flags.maxTurns)];
  const batchSize = flags.batchSize === undefined ? undefined : wholeNumber("--batch-size", flags.batchSize);
  const text = await readFile(path, "utf8").catch((cause: Error) => {
    throw new UserError(`Cannot read ${file}: ${cause.message}`, { exitCode: EXIT.usage, cause });
  });
  const all = readPrompts(text, file, cwd);
  const items = flags.maxSamples === undefined ? all : all.slice(0, wholeNumber("--max-samples", flags.maxSamples));
  const app = await open();
  if (flags.distribution !== undefined)
    distributionNamed(flags.distribution, distributions(app.config.get("batch.distributions")));
  const { distribution, seed, model, provider } = flags;
  const folder = await RunFolder.open(
    resolve(cwd, flags.output ?? join("data", name)),
    { distribution, seed, model, provider, batchSize },
    {
      runName: name,
      distribution: distribution ?? "default",
      seed: seed ?? name,
      model: model ?? MODEL,
      provider,
      batchSize: batchSize ?? BATCH_SIZE,
    },
  );
  const before = items.filter(({ key }) => folder.records.has(key)).length;
  io.note(
    `${items.length} prompts of ${printable(file)}, ${before === 0 ? "" : `${before} done before, `}${workers} at a time, with ${printable(folder.plan.model)}; output in ${printable(folder.path)}\n`,
  );

  const stop = new AbortController();
  using interrupts = onInterrupt(io, async () => stop.abort());
  let shown = before;
  const message = (item: Item, end: ItemEnd): void => {
    shown += end.kind === "done" ? 1 : 0;
    const words =
      end.kind === "failed"
        ? io.style("red", `✗ ${printable(end.why.split("\n")[0]!)}`)
        : end.completed
          ? "✓"
          : io.style("yellow", "… reached its request limit");
    io.note(`${shown}/${items.length} prompt ${item.index}: ${words}\n`);
  };
  const { runBatch } = await import("./run-batch.ts");
  const end = await runBatch(app, items, folder, {
    cwd,
    workers,
    maxTurns,
    yolo: flags.yolo ?? false,
    baseUrl: flags.baseUrl,
    stop: stop.signal,
    ended: message,
  });
  if (flags.json)
    io.out(`${JSON.stringify({ ...end.statistics, failed_prompts: end.failed, trajectories: end.merged }, null, 2)}\n`);
  else
    io.out(
      `${end.done} of ${items.length} prompts are done${end.failed === 0 ? "" : `, ${end.failed} failed`}; ${end.merged} conversations in ${join(folder.path, "trajectories.jsonl")}${end.left === 0 ? "" : `, ${end.left} left out because they call unknown tools`}.\n`,
    );
  if (end.failed + end.open > 0)
    io.note(asTyped(`Run the same command again for the remaining ${end.failed + end.open}.\n`));
  if (interrupts.count > 0) return EXIT.interrupted;
  return end.failed > 0 ? EXIT.failed : EXIT.ok;
}

/** `hermes batch distributions`. */
export async function listDistributions(
  { io, open }: SurfaceCall,
  { json }: { readonly json?: boolean },
): Promise<void> {
  const app = await open();
  const table = distributions(app.config.get("batch.distributions"));
  if (json) return io.out(`${JSON.stringify(Object.fromEntries(table), null, 2)}\n`);
  io.out(
    tableOn(
      io,
      ["NAME", "TOOLSETS (% OF ITEMS)"],
      [...table].map(([name, { toolsets }]) => [
        printable(name),
        Object.entries(toolsets)
          .map(([toolset, percent]) => `${printable(toolset)} ${percent}`)
          .join(" · "),
      ]),
    ),
  );
}

function wholeNumber(flag: string, given: string): number {
  const number = Number(given);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new UserError(`${flag} must be a whole number of at least 1, not "${printable(given)}".`, {
      exitCode: EXIT.usage,
    });
  return number;
}
