import { existsSync, readFileSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ToolFailure, type JsonObject, type PluginContext } from "hermes-agent/plugin";
import { isAlive, type ProcessIdentity } from "./process-identity.ts";
import { isOver, PROGRAMS } from "./run-state.ts";
import { needRun, stateFile, stateOf } from "./training-runs.ts";

type Door = Pick<PluginContext, "home" | "changeFile">;

const GRACE_MS = 10_000;
/** Time for three programs with their grace periods, one after the other. */
const STARTER_MS = 50_000;
const LOOK_MS = 50;

/** Lets the run's starter end its programs in reverse order; if the starter is gone, ends them here. */
export async function stopTraining(runId: string, ctx: Door): Promise<JsonObject> {
  const run = needRun(runId, ctx);
  const before = stateOf(run, ctx);
  if (isOver(before) && !PROGRAMS.some((name) => before.processes[name].alive) && marked(runId).length === 0)
    return {
      message: `The run "${runId}" is not running (status: ${before.status}).`,
      run_id: runId,
      status: before.status,
    };
  if (before.starter !== undefined && before.starterAlive) {
    send(before.starter.pid, "SIGTERM");
    if (!(await ended(before.starter, STARTER_MS))) {
      send(before.starter.pid, "SIGKILL");
      await ended(before.starter, GRACE_MS);
    }
  }
  await endLeft(runId, stateOf(run, ctx).processes);
  await noteStopped(runId, ctx);
  const after = stateOf(run, ctx);
  const left = PROGRAMS.filter((name) => after.processes[name].alive);
  if (left.length > 0)
    throw new ToolFailure("failed", `Cannot stop ${left.join(", ")} of the run "${runId}".`, {
      data: { run_id: runId, status: after.status },
    });
  return { message: `Stopped the training run "${runId}".`, run_id: runId, status: after.status };
}

/** Ends the programs that a killed starter left. */
async function endLeft(runId: string, processes: ReturnType<typeof stateOf>["processes"]): Promise<void> {
  for (const name of PROGRAMS.toReversed()) {
    const { identity } = processes[name];
    if (identity === undefined || !isAlive(identity)) continue;
    send(-identity.pid, "SIGTERM");
    if (await ended(identity, GRACE_MS)) continue;
    send(-identity.pid, "SIGKILL");
    await ended(identity, GRACE_MS);
  }
  for (const pid of marked(runId)) send(pid, "SIGKILL");
}

/** Waits for the starter's own report, unless it was killed before. */
async function noteStopped(runId: string, { home, changeFile }: Door): Promise<void> {
  if (!existsSync(stateFile(home, runId))) return;
  await changeFile(stateFile(home, runId).slice(home.length + 1), (text) => {
    const saved = JSON.parse(text ?? "{}") as JsonObject;
    return ["stopped", "completed", "failed"].includes(String(saved["status"]))
      ? undefined
      : JSON.stringify({ ...saved, status: "stopped", ended_at: Date.now() / 1_000 });
  });
}

async function ended(identity: ProcessIdentity, withinMs: number): Promise<boolean> {
  // There is no exit event for a process that is not our child.
  for (const until = performance.now() + withinMs; performance.now() < until; await sleep(LOOK_MS))
    if (!isAlive(identity)) return true;
  return !isAlive(identity);
}

/** Processes of the run that left their group. Linux only. */
function marked(runId: string): readonly number[] {
  let names: readonly string[];
  try {
    names = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  return names
    .map(Number)
    .filter((pid) => pid !== process.pid && environmentOf(pid).includes(`\0HERMES_RL_RUN=${runId}\0`));
}

function environmentOf(pid: number): string {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}\0`;
  } catch {
    return ""; // Ended, or owned by another user.
  }
}

function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has already ended.
  }
}
