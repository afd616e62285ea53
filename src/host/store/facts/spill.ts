import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { Fact } from "../../../contract/conversation/fact.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import { inTransaction, type DatabaseFile } from "./database-file.ts";
import { liveLease } from "./leases.ts";
import { insertFact, lastSeqOf, metaOf, noteStand, onlyTitlesAfter, setMeta } from "./state-schema.ts";

/** Facts that found the store locked for too long. */
export interface SpilledStep {
  readonly sessionId: string;
  /** Where the session stood for its writer; without it the facts go to the session's end. */
  readonly expect?: number;
  readonly at: number;
  readonly facts: readonly Fact[];
}

const KEEP_MISFITS_MS = 30 * 24 * 60 * 60 * 1000;
const MISFIT = ".misfit";
let count = 0;

/** Keeps a step beside the store until it can be put in. Returns the file, durable. */
export function spillStep(path: string, step: SpilledStep): string {
  mkdirSync(folderOf(path), { recursive: true, mode: 0o700 });
  const target = join(folderOf(path), `${step.at}-${process.pid}-${++count}.json`);
  const file = openSync(`${target}.part`, "w", 0o600);
  try {
    writeSync(file, JSON.stringify(step));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${target}.part`, target);
  return target;
}

/**
 * Stores the steps that earlier runs could not, oldest first. A step of a session in use waits; one whose session
 * continued without it is saved separately for a month.
 */
export function replaySpills(
  file: DatabaseFile,
  options: { readonly now: number; readonly log: Logger | undefined },
): void {
  for (const name of spilled(file.path)) {
    const path = join(folderOf(file.path), name);
    if (name.endsWith(MISFIT)) {
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat !== undefined && options.now - stat.mtimeMs > KEEP_MISFITS_MS) rmSync(path, { force: true });
      continue;
    }
    const step = readStep(path);
    if (step === undefined) continue;
    // Looked for under the lock: another process deletes it after its own transaction, and before the next one.
    const end = inTransaction(file, () => (existsSync(path) ? replay(file, name, step) : "done"));
    if (end === "done") rmSync(path, { force: true });
    else if (end === "misfit") {
      if (existsSync(path)) renameSync(path, `${path}${MISFIT}`);
      options.log?.warning(
        "a step that could not be stored no longer fits its session, which has continued without it",
        {
          sessionId: step.sessionId,
          path: `${path}${MISFIT}`,
        },
      );
    }
  }
}

/** Steps that wait to be put in, and those that no longer fit. */
export function countSpills(path: string): { readonly waiting: number; readonly misfits: number } {
  const names = spilled(path);
  const misfits = names.filter((name) => name.endsWith(MISFIT)).length;
  return { waiting: names.length - misfits, misfits };
}

function replay(file: DatabaseFile, name: string, step: SpilledStep): "done" | "later" | "misfit" {
  // Put in by a process that ended before it could delete the file.
  if (metaOf(file, "replayed") === name) return "done";
  if (liveLease(file, step.sessionId) !== undefined) return "later";
  const last = lastSeqOf(file, step.sessionId);
  const fits =
    step.expect === undefined ||
    step.expect === last ||
    (step.expect < last && onlyTitlesAfter(file, step.sessionId, step.expect));
  if (!fits) return "misfit";
  let seq = last;
  for (const fact of step.facts) insertFact(file, step.sessionId, ++seq, step.at, JSON.stringify(fact));
  noteStand(file, step.sessionId, seq, step.at, step.facts);
  setMeta(file, "replayed", name);
  return "done";
}

function spilled(path: string): readonly string[] {
  try {
    return readdirSync(folderOf(path))
      .filter((name) => name.endsWith(".json") || name.endsWith(MISFIT))
      .sort();
  } catch {
    return []; // No such folder: nothing was ever spilled.
  }
}

function readStep(path: string): SpilledStep | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as SpilledStep;
  } catch {
    return undefined; // Another process has just put it in.
  }
}

function folderOf(path: string): string {
  return `${path}.spill`;
}
