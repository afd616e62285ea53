import { readFileSync } from "node:fs";
import { definedFields, objectOf, type Json, type JsonObject } from "hermes-agent/plugin";
import { isAlive, type ProcessIdentity } from "./process-identity.ts";

export type RunStatus = "starting" | "running" | "stopping" | "stopped" | "completed" | "failed";

export interface RunProcess {
  /** Absent if it was not started. */
  readonly identity?: ProcessIdentity;
  readonly alive: boolean;
  /** As its starter saw it; `undefined` if it runs or the starter did not see its end. */
  readonly code?: number;
}

/** The state of a run according to its actual processes. */
export interface RunState {
  readonly status: RunStatus;
  readonly error: string;
  /** Epoch ms; absent if the run did not get that far. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly starter?: ProcessIdentity;
  readonly starterAlive: boolean;
  /** In start order. */
  readonly processes: { readonly [name in ProgramName]: RunProcess };
}

export type ProgramName = "api" | "trainer" | "env";
export const PROGRAMS: readonly ProgramName[] = ["api", "trainer", "env"];

const OVER: readonly Json[] = ["stopped", "completed", "failed"];
/** Maximum time between recording a run and the first message of its starter. */
const BEGINS_MS = 30_000;

export function isOver({ status }: Pick<RunState, "status">): boolean {
  return OVER.includes(status);
}

/** @param file The state file that the starter writes. @param createdAt When the run was recorded. */
export function readRunState(file: string, createdAt: number, now: number): RunState {
  const saved = readSaved(file);
  const processes = Object.fromEntries(
    PROGRAMS.map((name) => [name, processOf(objectOf(objectOf(saved?.["processes"])[name]))]),
  ) as RunState["processes"];
  const starter = identityOf(objectOf(saved?.["starter"]));
  const starterAlive = starter !== undefined && isAlive(starter);
  const times = { ...timeOf("startedAt", saved?.["started_at"]), ...timeOf("endedAt", saved?.["ended_at"]) };
  const message = { ...times, ...definedFields({ starter }), starterAlive, processes };
  if (saved === undefined)
    return Math.abs(now - createdAt) < BEGINS_MS
      ? { ...message, status: "starting", error: "" }
      : {
          ...message,
          status: "failed",
          error: "The run was never started: the agent ended before it started the programs.",
        };
  const [status, error] = [saved["status"] as RunStatus, String(saved["error"] ?? "")];
  if (starterAlive || OVER.includes(status)) return { ...message, status, error };
  const living = PROGRAMS.filter((name) => processes[name].alive);
  if (living.length > 0)
    return {
      ...message,
      status: "running",
      error: `The run's starter was killed, so nothing supervises the run. ${living.join(", ")} still run${living.length === 1 ? "s" : ""}; use rl_stop_training to stop.`,
    };
  const outcome = saved["outcome"];
  return OVER.includes(outcome as Json)
    ? { ...message, status: outcome as RunStatus, error }
    : { ...message, status: "failed", error: "The run's programs and its starter were killed." };
}

function processOf({ pid, born, code }: JsonObject): RunProcess {
  const identity = identityOf({ pid: pid ?? null, born: born ?? null });
  const alive = identity !== undefined && isAlive(identity);
  return {
    identity,
    alive,
    code: alive || typeof code !== "number" ? undefined : code,
  };
}

function identityOf({ pid, born }: JsonObject): ProcessIdentity | undefined {
  return typeof pid === "number" && Number.isInteger(pid) && pid > 1 && typeof born === "string" && born !== ""
    ? { pid, born }
    : undefined;
}

function timeOf<K extends string>(name: K, seconds: Json | undefined): { readonly [key in K]?: number } {
  return (typeof seconds === "number" ? { [name]: seconds * 1_000 } : {}) as { readonly [key in K]?: number };
}

function readSaved(file: string): JsonObject | undefined {
  try {
    return objectOf(JSON.parse(readFileSync(file, "utf8")) as Json);
  } catch {
    return undefined; // Not written yet, or invalid.
  }
}
