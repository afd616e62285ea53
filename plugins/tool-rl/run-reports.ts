import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import {
  definedFields,
  ToolFailure,
  type Json,
  type JsonObject,
  type PluginContext,
  type ToolContext,
} from "hermes-agent/plugin";
import { PROGRAMS, type RunProcess, type RunState } from "./run-state.ts";
import { settingsOf } from "./settings.ts";
import { allRuns, claimCheck, needRun, stateOf, type TrainingRun } from "./training-runs.ts";
import { findWandbRun, type WandbRun } from "./wandb.ts";

type Call = Pick<ToolContext, "env" | "fetch" | "signal">;
type Door = Pick<PluginContext, "home" | "setting" | "changeFile" | "redact">;

const MAX_QUOTED = 1_500;
const MAX_READ = 64 * 1024;

export async function checkStatus(runId: string, call: Call, ctx: Door): Promise<JsonObject> {
  const settings = settingsOf(ctx);
  const run = needRun(runId, ctx);
  const waitMs = await claimCheck(runId, settings.statusIntervalMs, ctx);
  if (waitMs > 0)
    return {
      rate_limited: true,
      run_id: runId,
      message: `The status was checked recently; the next check is possible in ${Math.ceil(waitMs / 60_000)} minutes.`,
      next_check_in_seconds: Math.ceil(waitMs / 1_000),
    };
  const state = stateOf(run, ctx);
  const asked = await askWandb(run, call, ctx);
  return {
    run_id: runId,
    status: state.status,
    environment: run.environment,
    running_time_minutes:
      state.startedAt === undefined ? 0 : Math.round(((state.endedAt ?? Date.now()) - state.startedAt) / 600) / 100,
    processes: Object.fromEntries(PROGRAMS.map((name) => [name, wordsOf(state.processes[name])])),
    wandb_project: run.wandb_project,
    wandb_run_name: run.wandb_run_name,
    logs: run.logs,
    ...failureOf(run, state, ctx),
    ...("wandb_error" in asked ? asked : { wandb_url: asked.url, metrics: metricsOf(asked.summary) }),
  };
}

export async function results(runId: string, call: Call, ctx: Door): Promise<JsonObject> {
  const run = needRun(runId, ctx);
  const state = stateOf(run, ctx);
  const asked = await askWandb(run, call, ctx);
  const weights = [...(endOf(run.logs.trainer) ?? "").matchAll(/tinker:\/\/[^\s"'<>]+/g)].at(-1)?.[0];
  return {
    run_id: runId,
    status: state.status,
    environment: run.environment,
    wandb_project: run.wandb_project,
    wandb_run_name: run.wandb_run_name,
    ...failureOf(run, state, ctx),
    ...definedFields({ weights: weights === undefined ? undefined : ctx.redact(weights) }),
    ...("wandb_error" in asked
      ? asked
      : { wandb_url: asked.url, final_metrics: asked.summary, history: asked.history }),
  };
}

export function listRuns(ctx: Pick<PluginContext, "home">): JsonObject {
  const runs = allRuns(ctx).map((run) => ({
    run_id: run.run_id,
    environment: run.environment,
    status: stateOf(run, ctx).status,
    wandb_run_name: run.wandb_run_name,
  }));
  return { runs, count: runs.length };
}

/** Weights & Biases is optional: the report works without it. */
async function askWandb(run: TrainingRun, call: Call, ctx: Door): Promise<WandbRun | { readonly wandb_error: string }> {
  try {
    return await findWandbRun(run, settingsOf(ctx), call);
  } catch (cause) {
    call.signal.throwIfAborted();
    if (!(cause instanceof ToolFailure)) throw cause;
    return { wandb_error: ctx.redact(cause.message) };
  }
}

function metricsOf(summary: JsonObject): JsonObject {
  const metric = (name: string): Json => summary[name] ?? null;
  return {
    step: summary["_step"] ?? 0,
    reward_mean: metric("train/reward_mean"),
    percent_correct: metric("train/percent_correct"),
    eval_percent_correct: metric("eval/percent_correct"),
  };
}

function wordsOf({ alive, identity, code }: RunProcess): string {
  if (alive) return "running";
  return identity === undefined ? "not started" : `exited${code === undefined ? "" : ` (${code})`}`;
}

/** The reason, and the last output of each program that failed. */
function failureOf(
  run: TrainingRun,
  { error, status, processes }: RunState,
  { redact }: Pick<PluginContext, "redact">,
): JsonObject {
  const quoted =
    status !== "failed"
      ? []
      : PROGRAMS.filter((name) => processes[name].code !== 0 && processes[name].identity !== undefined).flatMap(
          (name) => {
            const text = (endOf(run.logs[name]) ?? "").trim();
            return text === "" ? [] : [[name, redact(text).slice(-MAX_QUOTED).toWellFormed()] as const];
          },
        );
  return definedFields({
    error: error === "" ? undefined : error,
    last_output: quoted.length === 0 ? undefined : Object.fromEntries(quoted),
  });
}

function endOf(file: string): string | undefined {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch {
    return undefined; // It was not started, or the logs were deleted.
  }
  try {
    const { size } = fstatSync(handle);
    const bytes = Buffer.alloc(Math.min(size, MAX_READ));
    return bytes.toString("utf8", 0, readSync(handle, bytes, 0, bytes.length, size - bytes.length));
  } finally {
    closeSync(handle);
  }
}
