import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isObject, objectOf, ToolFailure, type Json, type JsonObject, type PluginContext } from "hermes-agent/plugin";
import { isOver, readRunState, type ProgramName, type RunState } from "./run-state.ts";

/** A training run as requested. */
export interface TrainingRun {
  readonly run_id: string;
  readonly environment: string;
  readonly file_path: string;
  readonly config: JsonObject;
  readonly config_path: string;
  readonly wandb_project: string;
  readonly wandb_run_name: string;
  readonly logs: { readonly [name in ProgramName]: string };
  readonly created_at: number;
  /** When its status was last reported; epoch ms. */
  readonly checked_at?: number;
}

type Door = Pick<PluginContext, "home" | "changeFile">;

const FOLDER = "rl_training";
const FILE = `${FOLDER}/runs.json`;
/** Maximum number of stored runs; the oldest finished ones are deleted first. */
const MAX_RUNS = 200;

/** The state file of the run's starter. */
export function stateFile(home: string, runId: string): string {
  return join(home, FOLDER, `${runId}.json`);
}

/** All known runs, oldest first, including those of earlier processes. */
export function allRuns({ home }: Pick<PluginContext, "home">): readonly TrainingRun[] {
  try {
    return runsIn(readFileSync(join(home, FILE), "utf8"));
  } catch {
    return []; // No run was ever started.
  }
}

/** @throws {ToolFailure} `not_found`, with the running ones. */
export function needRun(runId: string, ctx: Pick<PluginContext, "home">): TrainingRun {
  const runs = allRuns(ctx);
  const found = runs.find(({ run_id }) => run_id === runId);
  if (found === undefined)
    throw new ToolFailure("not_found", `Unknown run "${runId.slice(0, 100)}".`, {
      data: { active_runs: runs.filter((run) => !isOver(stateOf(run, ctx))).map(({ run_id }) => run_id) },
      hint: "Use rl_list_runs to list all runs.",
    });
  return found;
}

export function stateOf(run: TrainingRun, { home }: Pick<PluginContext, "home">): RunState {
  return readRunState(stateFile(home, run.run_id), run.created_at, Date.now());
}

/**
 * Records a run before it is started. @throws {ToolFailure} `conflict` while another run is active, because both would
 * use the same ports.
 */
export async function claimRun(run: TrainingRun, ctx: Door): Promise<void> {
  const gone: string[] = [];
  await ctx.changeFile(FILE, (text) => {
    const runs = runsIn(text ?? "");
    refuseBeside(runs, ctx);
    const saved = runs.slice(-(MAX_RUNS - 1));
    gone.push(...runs.slice(0, runs.length - saved.length).map(({ run_id }) => run_id));
    return textOf([...saved, run]);
  });
  for (const id of gone) rmSync(stateFile(ctx.home, id), { force: true });
}

/** Deletes a run of which nothing was started, so that it does not block the next one. */
export async function noteFailed(runId: string, error: string, { home, changeFile }: Door): Promise<void> {
  await changeFile(stateFile(home, runId).slice(home.length + 1), () =>
    JSON.stringify({ run_id: runId, status: "failed", error, ended_at: Date.now() / 1_000 }),
  );
}

/** @throws {ToolFailure} `conflict` while a run is active. */
export function refuseBeside(runs: readonly TrainingRun[], ctx: Pick<PluginContext, "home">): void {
  const active = runs.find((one) => !isOver(stateOf(one, ctx)));
  if (active !== undefined)
    throw new ToolFailure(
      "conflict",
      `The run "${active.run_id}" of ${active.environment} is still active, and only one can run at a time.`,
      { data: { active_runs: [active.run_id] }, hint: "Use rl_stop_training to stop it." },
    );
}

/** Records a status report. @returns The remaining wait in ms if it is too early, else 0. */
export async function claimCheck(runId: string, intervalMs: number, ctx: Door): Promise<number> {
  let waitMs = 0;
  await ctx.changeFile(FILE, (text) => {
    const runs = runsIn(text ?? "");
    const [now, last] = [Date.now(), runs.find(({ run_id }) => run_id === runId)?.checked_at];
    // A clock that was set back must not extend the wait.
    waitMs = last === undefined || last > now ? 0 : Math.max(0, last + intervalMs - now);
    return waitMs > 0
      ? undefined
      : textOf(runs.map((run) => (run.run_id === runId ? { ...run, checked_at: now } : run)));
  });
  return waitMs;
}

function runsIn(text: string): readonly TrainingRun[] {
  if (text.trim() === "") return [];
  const { runs } = objectOf(JSON.parse(text) as Json);
  return (Array.isArray(runs) ? (runs as readonly Json[]) : []).filter(
    (run) => isObject(run) && typeof run["run_id"] === "string",
  ) as unknown as readonly TrainingRun[];
}

function textOf(runs: readonly TrainingRun[]): string {
  return `${JSON.stringify({ runs }, undefined, 1)}\n`;
}
