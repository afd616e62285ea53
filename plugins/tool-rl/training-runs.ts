import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isObject, objectOf, ToolFailure, type Json, type JsonObject, type PluginContext } from "hermes-agent/plugin";
import { isOver, readRunState, type ProgramName, type RunState } from "./run-state.ts";

/** A training run as it was ordered. */
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
  /** When its status was last told; epoch ms. */
  readonly checked_at?: number;
}

type Door = Pick<PluginContext, "home" | "changeFile">;

const FOLDER = "rl_training";
const FILE = `${FOLDER}/runs.json`;
/** The oldest that are over go first. */
const MAX_RUNS = 200;

/** Where the run's starter writes how it stands. */
export function stateFile(home: string, runId: string): string {
  return join(home, FOLDER, `${runId}.json`);
}

/** All that are known, the oldest first, those of earlier processes too. */
export function allRuns({ home }: Pick<PluginContext, "home">): readonly TrainingRun[] {
  try {
    return runsIn(readFileSync(join(home, FILE), "utf8"));
  } catch {
    return []; // None was ever started.
  }
}

/** @throws {ToolFailure} `not_found`, with those that run. */
export function needRun(runId: string, ctx: Pick<PluginContext, "home">): TrainingRun {
  const runs = allRuns(ctx);
  const found = runs.find(({ run_id }) => run_id === runId);
  if (found === undefined)
    throw new ToolFailure("not_found", `There is no run "${runId.slice(0, 100)}".`, {
      data: { active_runs: runs.filter((run) => !isOver(stateOf(run, ctx))).map(({ run_id }) => run_id) },
      hint: "rl_list_runs lists all.",
    });
  return found;
}

export function stateOf(run: TrainingRun, { home }: Pick<PluginContext, "home">): RunState {
  return readRunState(stateFile(home, run.run_id), run.created_at, Date.now());
}

/** Notes a run before anything of it is started. @throws {ToolFailure} `conflict` while another one is not over: both would want the same ports. */
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

/** Nothing of it was started: it must not stand in the way of the next. */
export async function noteFailed(runId: string, error: string, { home, changeFile }: Door): Promise<void> {
  await changeFile(stateFile(home, runId).slice(home.length + 1), () =>
    JSON.stringify({ run_id: runId, status: "failed", error, ended_at: Date.now() / 1_000 }),
  );
}

/** @throws {ToolFailure} `conflict` while one is not over. */
export function refuseBeside(runs: readonly TrainingRun[], ctx: Pick<PluginContext, "home">): void {
  const active = runs.find((one) => !isOver(stateOf(one, ctx)));
  if (active !== undefined)
    throw new ToolFailure(
      "conflict",
      `The run "${active.run_id}" of ${active.environment} is not over, and two cannot run beside each other.`,
      { data: { active_runs: [active.run_id] }, hint: "rl_stop_training ends it." },
    );
}

/** Notes that the run's status is told now. @returns how long it is until it may be told, 0 where it may. */
export async function claimCheck(runId: string, intervalMs: number, ctx: Door): Promise<number> {
  let waitMs = 0;
  await ctx.changeFile(FILE, (text) => {
    const runs = runsIn(text ?? "");
    const [now, last] = [Date.now(), runs.find(({ run_id }) => run_id === runId)?.checked_at];
    // A clock that was set back must not lock it for longer.
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
