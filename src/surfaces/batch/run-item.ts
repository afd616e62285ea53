import type { App } from "../../contract/services/app.ts";
import type { Item } from "./read-prompts.ts";
import { trajectoryOf, type Trajectory } from "./trajectory.ts";

export interface ItemRun {
  /** Id of the run; it is part of the names of the item's sessions. */
  readonly runId: string;
  readonly cwd: string;
  readonly toolsets: readonly string[];
  readonly model: { readonly name: string; readonly provider?: string; readonly baseUrl?: string };
  readonly maxTurns: number;
  readonly yolo: boolean;
}

export type ItemEnd =
  | { readonly kind: "done"; readonly sessionId: string; readonly completed: boolean; readonly trajectory: Trajectory }
  | { readonly kind: "failed"; readonly sessionId: string; readonly why: string };

/** Toolsets that items never get: no one can answer, and no item may influence later ones. */
const NEVER = ["clarify", "memory", "session_search", "cronjob", "messaging", "skill_manage"];

/**
 * Runs one item in a separate session, named by its position in the run. An interrupted item is resumed, a completed
 * one is not repeated, and a failed one starts again in a new session.
 * @throws {UserError} for an error that affects every item.
 */
export async function runItem(app: App, item: Item, run: ItemRun): Promise<ItemEnd> {
  for (let attempt = 1; ; attempt += 1) {
    const sessionId = `batch_${run.runId}_${item.key}${attempt === 1 ? "" : `_${attempt}`}`;
    const trajectory = async (): Promise<Trajectory> =>
      trajectoryOf(await Array.fromAsync(app.sessions.factsOf(sessionId)));
    const before = await trajectory();
    if (before.ended !== undefined && !counts(before.ended.reason)) continue;
    if (before.ended === undefined) await work(app, item, run, sessionId, before.begun);
    const after = before.ended === undefined ? await trajectory() : before;
    const { ended } = after;
    if (ended === undefined || !counts(ended.reason))
      return { kind: "failed", sessionId, why: ended?.detail ?? "The turn did not end." };
    return { kind: "done", sessionId, completed: ended.reason === "done", trajectory: after };
  }
}

/** A turn that reached its request limit has an answer too; one that a budget stopped runs again when it is raised. */
function counts(reason: string): boolean {
  return reason === "done" || reason === "limit";
}

async function work(app: App, item: Item, run: ItemRun, sessionId: string, begun: boolean): Promise<void> {
  await using session = await app.openSession({
    surface: "batch",
    cwd: item.cwd ?? run.cwd,
    sessionId,
    job: { id: `batch:${run.runId}`, sessionId: `batch_${run.runId}` },
    toolsets: { enabled: run.toolsets, disabled: NEVER },
    ignoreRules: true,
    ignoreMemory: true,
    maxTurns: run.maxTurns,
    yolo: run.yolo,
    model: run.model,
  });
  if (begun && (await session.resume()) !== undefined) return;
  await session.send(item.prompt, { inputId: `batch:${item.key}` });
}
