import type { App } from "../../contract/services/app.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import { distributionNamed, distributions, draw } from "./distributions.ts";
import type { Item } from "./read-prompts.ts";
import type { BatchRecord, RunFolder } from "./run-folder.ts";
import { runItem, type ItemEnd, type ItemRun } from "./run-item.ts";
import type { ToolCount } from "./trajectory.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

export interface BatchOptions extends Pick<ItemRun, "cwd" | "maxTurns" | "yolo"> {
  readonly baseUrl: string | undefined;
  readonly workers: number;
  /** When aborted, running items are finished and no others start. */
  readonly stop: AbortSignal;
  ended(item: Item, end: ItemEnd): void;
}

export interface BatchEnd {
  readonly statistics: JsonObject;
  readonly done: number;
  readonly failed: number;
  /** Items not started because the run was stopped. */
  readonly open: number;
  readonly merged: number;
  readonly left: number;
}

/**
 * Runs the remaining items, `workers` at a time, and stores each one as it ends. Only one process may run a run: an
 * empty session is opened for the run itself, and its lease refuses a second process.
 */
export async function runBatch(
  app: App,
  items: readonly Item[],
  folder: RunFolder,
  options: BatchOptions,
): Promise<BatchEnd> {
  const { plan } = folder;
  const distribution = distributionNamed(plan.distribution, distributions(app.config.get("batch.distributions")));
  await using _held = await app.openSession({ surface: "batch", cwd: options.cwd, sessionId: `batch_${plan.id}` });
  const startedAt = Date.now();
  const tools = (await app.tools.list({ surface: "batch", prompter: false })).map(
    ({ declaration }) => declaration.name,
  );
  const waiting = items.filter(({ key }) => !folder.records.has(key));
  let failed = 0;
  let broken: unknown;

  async function worker(): Promise<void> {
    while (broken === undefined && !options.stop.aborted) {
      const item = waiting.shift();
      if (item === undefined) return;
      const toolsets = draw(distribution, plan.seed, `${item.index} ${item.key}`);
      try {
        const model = definedFields({
          name: plan.model,
          provider: plan.provider,
          baseUrl: options.baseUrl,
        });
        const end = await runItem(app, item, {
          runId: plan.id,
          cwd: options.cwd,
          toolsets,
          model,
          maxTurns: options.maxTurns,
          yolo: options.yolo,
        });
        if (end.kind === "done") await folder.add(recordOf(app, item, end, toolsets, tools, folder));
        else failed += 1;
        options.ended(item, end);
      } catch (cause) {
        // The error affects every item, so stop.
        broken ??= cause;
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(options.workers, Math.max(1, waiting.length)) }, worker));
  if (broken !== undefined) throw broken;

  const statistics = statisticsOf(folder, items.length, Date.now() - startedAt);
  await folder.statistics(statistics);
  return {
    statistics,
    done: items.filter(({ key }) => folder.records.has(key)).length,
    failed,
    open: waiting.length,
    ...(await folder.merge(new Set(tools))),
  };
}

function recordOf(
  app: App,
  { index, key }: Item,
  end: Extract<ItemEnd, { kind: "done" }>,
  toolsets: readonly string[],
  tools: readonly string[],
  { plan }: RunFolder,
): BatchRecord {
  const { trajectory, completed, sessionId } = end;
  // Give each record the same keys, so that they form a table.
  const names = [...new Set([...tools, ...trajectory.tools.keys()])].toSorted();
  const counts = names.map(
    (name) => [name, trajectory.tools.get(name) ?? { count: 0, success: 0, failure: 0 }] as const,
  );
  return {
    prompt_index: index,
    conversations: trajectory.conversations.map(({ from, value }) => ({ from, value: app.mask(value) })),
    metadata: {
      batch_num: Math.floor(index / plan.batchSize),
      timestamp: new Date().toISOString(),
      model: plan.model,
      key,
      session_id: sessionId,
    },
    completed,
    partial: !completed,
    api_calls: trajectory.apiCalls,
    toolsets_used: toolsets,
    tool_stats: Object.fromEntries(
      counts.map(([name, { count, success, failure }]) => [name, { count, success, failure }]),
    ),
    tool_error_counts: Object.fromEntries(counts.map(([name, { failure }]) => [name, failure])),
    reasoning: { total_assistant_turns: trajectory.answers, turns_with_reasoning: trajectory.answersWithReasoning },
  };
}

/** Statistics of all records, including earlier starts of the run. */
function statisticsOf({ plan, records }: RunFolder, prompts: number, durationMs: number): JsonObject {
  const all = [...records.values()];
  const tools = new Map<string, ToolCount>();
  for (const { tool_stats } of all) {
    for (const [name, { count, success, failure }] of Object.entries(tool_stats)) {
      if (count === 0) continue;
      const sum = tools.get(name) ?? { count: 0, success: 0, failure: 0 };
      tools.set(name, { count: sum.count + count, success: sum.success + success, failure: sum.failure + failure });
    }
  }
  const sum = (key: string): number =>
    all.reduce((total, record) => total + Number((record["reasoning"] as JsonObject | undefined)?.[key] ?? 0), 0);
  const [answers, reasoned] = [sum("total_assistant_turns"), sum("turns_with_reasoning")];
  const rate = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100);
  return {
    run_name: plan.runName,
    distribution: plan.distribution,
    total_prompts: prompts,
    completed_prompts: all.length,
    total_batches: Math.ceil(prompts / plan.batchSize),
    batch_size: plan.batchSize,
    model: plan.model,
    completed_at: new Date().toISOString(),
    duration_seconds: Math.round(durationMs / 10) / 100,
    tool_statistics: Object.fromEntries(
      [...tools]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, one]) => [
          name,
          { ...one, success_rate: rate(one.success, one.count), failure_rate: rate(one.failure, one.count) },
        ]),
    ),
    reasoning_statistics: {
      total_assistant_turns: answers,
      turns_with_reasoning: reasoned,
      turns_without_reasoning: answers - reasoned,
    },
  };
}
