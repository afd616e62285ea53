import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../../contract/common/failure.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";

/** The options of a run; a later start must use the same. */
export interface RunPlan {
  readonly id: string;
  readonly runName: string;
  readonly distribution: string;
  readonly seed: string;
  readonly model: string;
  readonly provider: string | undefined;
  readonly batchSize: number;
}

/** One line of a batch file. */
export interface BatchRecord extends JsonObject {
  readonly prompt_index: number;
  readonly metadata: {
    readonly batch_num: number;
    readonly timestamp: string;
    readonly model: string;
    readonly key: string;
    readonly session_id: string;
  };
  readonly tool_stats: {
    readonly [tool: string]: { readonly count: number; readonly success: number; readonly failure: number };
  };
}

const CHECKPOINT = "checkpoint.json";
const BATCH = /^batch_\d+\.jsonl$/;

/** The folder of a run: one file per batch, which gets a record when an item is done, and the merged results. */
export class RunFolder {
  readonly path: string;
  readonly plan: RunPlan;
  /** Records of completed items, by key. */
  readonly records: Map<string, BatchRecord>;
  #writing: Promise<void> = Promise.resolve();

  private constructor(path: string, plan: RunPlan, records: Map<string, BatchRecord>) {
    this.path = path;
    this.plan = plan;
    this.records = records;
  }

  /** @throws {UserError} if the run was started with options other than `requested`. */
  static async open(
    path: string,
    request: Partial<Omit<RunPlan, "id" | "runName">>,
    fresh: Omit<RunPlan, "id">,
  ): Promise<RunFolder> {
    await mkdir(path, { recursive: true });
    const found = planOf(await readJson(join(path, CHECKPOINT)));
    const plan = found ?? { ...fresh, id: randomBytes(4).toString("hex") };
    for (const [name, value] of Object.entries(request)) {
      const was = plan[name as keyof RunPlan];
      if (value !== undefined && value !== was)
        throw new UserError(
          `The run in ${path} was started with ${name} ${JSON.stringify(was ?? null)}, not ${JSON.stringify(value)}.`,
          { hint: "Omit the option to resume that run, or start another run with --name.", exitCode: 2 },
        );
    }
    const folder = new RunFolder(path, plan, await recordsIn(path));
    if (found === undefined) await folder.#checkpoint();
    return folder;
  }

  /** Resolves when the record is on disk. */
  add(record: BatchRecord): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      const file = await open(join(this.path, `batch_${record.metadata.batch_num}.jsonl`), "a", 0o600);
      try {
        await file.write(`${JSON.stringify(record)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      this.records.set(record.metadata.key, record);
      await this.#checkpoint();
    });
    return this.#writing;
  }

  /** Merges all records into one file, except those that call unknown tools. @returns the number of each. */
  async merge(known: ReadonlySet<string>): Promise<{ readonly merged: number; readonly left: number }> {
    const all = [...this.records.values()].toSorted((a, b) => a.prompt_index - b.prompt_index);
    const sound = all.filter(({ tool_stats }) => Object.keys(tool_stats).every((tool) => known.has(tool)));
    await replace(join(this.path, "trajectories.jsonl"), sound.map((record) => `${JSON.stringify(record)}\n`).join(""));
    return { merged: sound.length, left: all.length - sound.length };
  }

  async statistics(statistics: JsonObject): Promise<void> {
    await replace(join(this.path, "statistics.json"), `${JSON.stringify(statistics, null, 2)}\n`);
  }

  async #checkpoint(): Promise<void> {
    const { id, runName, distribution, seed, model, provider, batchSize } = this.plan;
    const completed = [...this.records.values()].map((record) => record.prompt_index).toSorted((a, b) => a - b);
    const checkpoint = {
      run_name: runName,
      run_id: id,
      distribution,
      seed,
      model,
      provider: provider ?? null,
      batch_size: batchSize,
      completed_prompts: completed,
      last_updated: new Date().toISOString(),
    };
    await replace(join(this.path, CHECKPOINT), `${JSON.stringify(checkpoint, null, 2)}\n`);
  }
}

function planOf(value: Json | undefined): RunPlan | undefined {
  if (!isObject(value)) return undefined;
  const { run_id: id, run_name: runName, distribution, seed, model, provider, batch_size: batchSize } = value;
  if (
    typeof id !== "string" ||
    typeof runName !== "string" ||
    typeof distribution !== "string" ||
    typeof seed !== "string" ||
    typeof model !== "string" ||
    typeof batchSize !== "number"
  )
    return undefined;
  return {
    id,
    runName,
    distribution,
    seed,
    model,
    provider: typeof provider === "string" ? provider : undefined,
    batchSize,
  };
}

/** Removes a truncated last line: its item is not done. */
async function recordsIn(path: string): Promise<Map<string, BatchRecord>> {
  const records = new Map<string, BatchRecord>();
  for (const name of (await readdir(path)).filter((one) => BATCH.test(one))) {
    const file = join(path, name);
    const bytes = await readFile(file);
    const whole = bytes.lastIndexOf(0x0a) + 1;
    if (whole < bytes.length) await truncate(file, whole);
    for (const line of bytes.subarray(0, whole).toString().split("\n")) {
      const record = line === "" ? undefined : recordOf(line, file);
      if (record !== undefined) records.set(record.metadata.key, record);
    }
  }
  return records;
}

function recordOf(line: string, file: string): BatchRecord {
  try {
    const record = JSON.parse(line) as BatchRecord;
    if (
      typeof record.metadata.key === "string" &&
      typeof record.prompt_index === "number" &&
      isObject(record.tool_stats as Json)
    )
      return record;
  } catch {
    // Reported below.
  }
  throw new UserError(`${file} has a line that is not a record of a run: ${line.slice(0, 80)}`, {
    hint: "Remove the line, or start another run with --name.",
  });
}

async function readJson(file: string): Promise<Json | undefined> {
  const text = await readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return undefined;
    throw cause;
  });
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw new UserError(`${file} is not valid JSON.`, {
      hint: "It stores the options of the run. Start another run with --name.",
      cause,
    });
  }
}

async function replace(file: string, text: string): Promise<void> {
  await writeFile(`${file}.tmp`, text, { mode: 0o600, flush: true });
  await rename(`${file}.tmp`, file);
}
