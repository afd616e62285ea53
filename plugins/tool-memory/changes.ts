import { randomBytes } from "node:crypto";
import { isObject, ToolFailure, type PluginContext } from "hermes-agent/plugin";
import { changeNotes, type Operation } from "./change-notes.ts";
import { parseNotes, printNotes, type Store, type Target } from "./notes.ts";

/** Author and place of a change. */
export interface Authorship {
  /** `model`, `person` (the user) or another origin of a call. */
  readonly by: string;
  readonly session?: string;
  readonly turn?: string;
  readonly call?: string;
}

/** One change of an entry. */
export interface Change extends Authorship {
  readonly id: string;
  /** Epoch ms. */
  readonly at: number;
  readonly target: Target;
  /** Absent: the entry is new. */
  readonly before?: string;
  /** Absent: the entry was removed. */
  readonly after?: string;
  /** The change that this one takes back. */
  readonly reverts?: string;
}

export type Pair = Pick<Change, "before" | "after">;

/** What to do with a store, computed from its entries. */
export interface Plan {
  readonly entries: readonly string[];
  readonly pairs: readonly Pair[];
}

export const LOG = "memories/changes.jsonl";
const MAX_CHANGES = 2_000;
const MAX_TRIES = 5;

export function parseChanges(text: string | undefined): readonly Change[] {
  return (text ?? "").split("\n").flatMap((line): readonly Change[] => {
    try {
      const change: unknown = line === "" ? undefined : JSON.parse(line);
      return isObject(change) && typeof change["id"] === "string" ? [change as unknown as Change] : [];
    } catch {
      return []; // The user edited the file.
    }
  });
}

/**
 * Changes a store and its log. The log is written first, so that no entry is ever without its author; a change that a
 * crash left out of the store is shown as such.
 * @param make Computes the change; may be called again if another process wrote meanwhile. With the same entries as
 * before, nothing is written.
 */
export async function applyPlan<P extends Plan>(
  store: Pick<Store, "path" | "target">,
  about: Authorship & { readonly reverts?: string },
  ctx: Pick<PluginContext, "changeFile">,
  make: (before: readonly string[], text: string) => P,
): Promise<P> {
  const id = randomBytes(3).toString("hex");
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    let read: string | undefined;
    let plan!: P;
    let changes = false;
    await ctx.changeFile(store.path, (text) => {
      read = text;
      const before = parseNotes(text ?? "");
      plan = make(before, text ?? "");
      changes = plan.entries !== before;
      return undefined;
    });
    if (!changes) return plan;
    const records = plan.pairs.map((pair, index) => ({
      id: index === 0 ? id : `${id}-${index + 1}`,
      at: Date.now(),
      target: store.target,
      ...about,
      ...pair,
    }));
    await ctx.changeFile(LOG, (log) => {
      const others = parseChanges(log).filter((change) => !records.some((record) => record.id === change.id));
      return [...others, ...records]
        .slice(-MAX_CHANGES)
        .map((change) => `${JSON.stringify(change)}\n`)
        .join("");
    });
    let done = false;
    await ctx.changeFile(store.path, (text) => {
      if (text !== read) return undefined;
      done = true;
      return printNotes(plan.entries);
    });
    if (done) return plan;
  }
  throw new ToolFailure("conflict", `Other processes keep changing ${store.path}; nothing was changed.`, {
    data: { success: false },
    hint: "Try again.",
  });
}

/** The change of each entry, operation by operation. */
export function pairsOf(before: readonly string[], operations: readonly Operation[], store: Store): readonly Pair[] {
  let entries = before;
  return operations.flatMap((operation): readonly Pair[] => {
    // Only the end of all operations is held against the limit.
    const { entries: next } = changeNotes(entries, [operation], { ...store, limit: Number.MAX_SAFE_INTEGER });
    const gone = entries.find((entry) => !next.includes(entry));
    const come = next.find((entry) => !entries.includes(entry));
    entries = next;
    return gone === undefined && come === undefined ? [] : [{ before: gone, after: come }];
  });
}
