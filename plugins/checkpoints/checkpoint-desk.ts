import { join } from "node:path";
import { UserError, type PluginContext } from "hermes-agent/plugin";
import { Breath } from "./breath.ts";
import { CallTimes, hasOurClock } from "./call-times.ts";
import { carryOut, type CarriedOut } from "./carry-out.ts";
import type { KeptEntry } from "./entry.ts";
import { EXCLUDED_NAMES } from "./excluded.ts";
import { planRollback, type PathHistory, type Step } from "./plan-rollback.ts";
import { scopesOf } from "./roots.ts";
import { SnapshotStore, type Checkpoint } from "./snapshot-store.ts";
import { takeSnapshot, type SnapshotOptions } from "./take-snapshot.ts";
import { TooManyFiles, type TreeScope } from "./walk-tree.ts";

/** What a call is about to change. */
export interface Before {
  readonly sessionId: string;
  readonly turnId: string;
  /** Absolute paths. */
  readonly paths: readonly string[];
  readonly label: string;
  /** What the call starts goes on after it. */
  readonly lasting?: boolean;
  progress(text: string): void;
}

/** A turn's checkpoints, as a person chooses among them. */
export interface UndoableTurn {
  readonly turnId: string;
  readonly at: number;
  readonly label: string;
  readonly checkpoints: readonly Checkpoint[];
}

/** What a rollback does to one scope. */
export interface ScopePlan {
  readonly scope: TreeScope;
  readonly steps: readonly Step[];
}

export interface RolledBack extends CarriedOut {}

const DAY_MS = 86_400_000;

/** Takes the checkpoints of this process's turns and carries rollbacks out. */
export class CheckpointDesk {
  readonly #context: PluginContext;
  readonly #home: string;
  #store: SnapshotStore | undefined;
  /** Scopes of each running turn that have their checkpoint, by turn. */
  readonly #running = new Map<string, { readonly scopes: Map<string, Promise<number | undefined>>; readonly times: CallTimes }>();
  /** The tree looked at last: the next look at it need not read it from the file again. */
  #last: { readonly tree: number; readonly snapshot: number; readonly entries: Map<string, KeptEntry> } | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  readonly #told = new Set<string>();

  /** @param home The person's home directory. */
  constructor(context: PluginContext, home: string) {
    this.#context = context;
    this.#home = home;
  }

  /**
   * Keeps what the call is about to change, once for each turn and tree. Never rejects: a call is not stopped by a checkpoint that fails.
   * @returns To be called when the call has ended.
   */
  async before(call: Before): Promise<() => void> {
    const { scopes, times } = this.#running.get(call.turnId) ?? { scopes: new Map<string, Promise<number | undefined>>(), times: new CallTimes() };
    this.#running.set(call.turnId, { scopes, times });
    for (const scope of scopesOf(call.paths, this.#home)) {
      const key = keyOf(scope);
      let taking = scopes.get(key);
      if (taking === undefined) scopes.set(key, (taking = this.#checkpoint(scope, call)));
      await taking;
    }
    return times.begin(call.lasting === true);
  }

  /** The turn is over: what it left behind is what a later rollback compares with. */
  async after(turnId: string): Promise<void> {
    const turn = this.#running.get(turnId);
    this.#running.delete(turnId);
    for (const [key, taking] of turn?.scopes ?? []) {
      const id = await taking;
      if (id === undefined) continue;
      const scope = scopeOf(key);
      await this.#guarded(scope, async () => {
        const { tree, snapshot } = await this.#snapshot(scope);
        await this.#alone(() => {
          const store = this.#open();
          const changed = hasOurClock(scope.root) ? store.changedBetween(tree, store.checkpoint(id)?.before ?? snapshot, snapshot) : [];
          store.setAfter(id, snapshot, changed.filter((path) => turn!.times.byOthers(store.entryAt(tree, path, snapshot))));
        });
      });
    }
    await this.#alone(() => this.#prune());
  }

  /** Newest first: the turns of a conversation whose changes can be undone. */
  turns(turnIds: ReadonlySet<string>): readonly UndoableTurn[] {
    const mine = this.#open().checkpoints().filter(({ turnId, cameFrom }) => cameFrom === undefined && turnIds.has(turnId));
    return [...Map.groupBy(mine, ({ turnId }) => turnId)].map(([turnId, checkpoints]) => ({ turnId, at: Math.min(...checkpoints.map(({ at }) => at)), label: checkpoints.at(-1)!.label, checkpoints }));
  }

  /** The newest rollback of a session that was not redone. */
  lastRollback(sessionId: string): readonly Checkpoint[] {
    const mine = this.#open().checkpoints().filter((checkpoint) => checkpoint.sessionId === sessionId && checkpoint.cameFrom !== undefined);
    return mine.filter(({ turnId }) => turnId === mine[0]?.turnId);
  }

  /** The conversation that the newest rollback of all led to. */
  lastRolledBack(): string | undefined {
    return this.#open().checkpoints().find(({ cameFrom }) => cameFrom !== undefined)?.sessionId;
  }

  /** What undoing these checkpoints would do now. */
  async plan(checkpoints: readonly Checkpoint[], only?: string): Promise<readonly ScopePlan[]> {
    const groups = Map.groupBy(checkpoints, (checkpoint) => keyOf(checkpoint));
    const plans: ScopePlan[] = [];
    for (const [key, ofScope] of groups) {
      const scope = scopeOf(key);
      const now = await this.#snapshot(scope);
      const steps = planRollback(this.#histories(scope, ofScope.toSorted((a, b) => a.id - b.id), now));
      plans.push({ scope, steps: only === undefined ? steps : steps.filter(({ path }) => isNamed(scope, path, only)) });
    }
    return plans;
  }

  /** Carries plans out. @param as Keeps what was there under these names, so that it can be redone, also when the process is killed over it. */
  async carryOut(plans: readonly ScopePlan[], as?: { readonly sessionId: string; readonly cameFrom: string; readonly label: string }): Promise<RolledBack> {
    const store = this.#open();
    const all: RolledBack[] = [];
    const at = Date.now();
    for (const { scope, steps } of plans) {
      const before = await this.#snapshot(scope);
      const id = as === undefined ? undefined : await this.#alone(() => store.addCheckpoint(before.tree, { ...scope, ...as, turnId: `rollback-${at}`, at, before: before.snapshot }));
      const done = await carryOut(scope.root, steps, (hash) => store.content(hash));
      if (id !== undefined) {
        const after = await this.#snapshot(scope);
        await this.#alone(() => store.setAfter(id, after.snapshot));
      }
      const full = (path: string): string => join(scope.root, path);
      all.push({
        restored: done.restored.map(full),
        removed: done.removed.map(full),
        failed: done.failed.map(({ path, why }) => ({ path: full(path), why })),
        kept: [...done.kept.map(({ path, why }) => ({ path: full(path), why })), ...steps.flatMap((step) => (step.kind === "restore" ? [] : [{ path: full(step.path), why: step.why }]))],
      });
    }
    return { restored: all.flatMap((one) => one.restored), removed: all.flatMap((one) => one.removed), failed: all.flatMap((one) => one.failed), kept: all.flatMap((one) => one.kept) };
  }

  async forget(checkpoints: readonly Checkpoint[]): Promise<void> {
    await this.#alone(() => this.#forgetAll(checkpoints));
  }

  content(hash: string): Uint8Array | undefined {
    return this.#open().content(hash);
  }

  all(): readonly Checkpoint[] {
    return this.#open().checkpoints();
  }

  get bytes(): number {
    return this.#open().bytes;
  }

  close(): void {
    this.#store?.[Symbol.dispose]();
    this.#store = undefined;
  }

  #open(): SnapshotStore {
    return (this.#store ??= new SnapshotStore(join(this.#context.home, "checkpoints", "snapshots.db")));
  }

  async #checkpoint(scope: TreeScope, call: Before): Promise<number | undefined> {
    return this.#guarded(scope, async () => {
      const { tree, snapshot } = await this.#snapshot(scope, call.progress);
      const { sessionId, turnId, label } = call;
      return this.#alone(() => this.#open().addCheckpoint(tree, { ...scope, sessionId, turnId, at: Date.now(), label, before: snapshot }));
    });
  }

  /** A folder that cannot be kept is told once, and the work goes on. */
  async #guarded<T>(scope: TreeScope, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const hint = cause instanceof TooManyFiles ? " Set checkpoints.max_files higher, or work in a narrower folder." : "";
      this.#tellOnce(scope, `No checkpoint of ${scope.root}: ${why}${hint}`);
      return undefined;
    }
  }

  #tellOnce({ root }: TreeScope, warning: string): void {
    if (!this.#told.has(root)) this.#context.log.warning(warning);
    this.#told.add(root);
  }

  /** One look at a time: two would keep the same changes twice. */
  #snapshot(scope: TreeScope, progress?: (text: string) => void): Promise<{ readonly tree: number; readonly snapshot: number }> {
    const look = async () => {
      const store = this.#open();
      const tree = store.treeOf(scope.root);
      const known = this.#last?.tree === tree && this.#last.snapshot === store.lastOf(tree) ? this.#last.entries : undefined;
      this.#last = undefined;
      const { snapshot, entries, leftOut } = await takeSnapshot(store, tree, scope, this.#options(scope, progress), known);
      this.#last = { tree, snapshot, entries };
      if (leftOut.files > 0) this.#tellOnce(scope, `No room for ${leftOut.files} files of ${scope.root} (${Math.ceil(leftOut.bytes / 1_000_000)} MB): they cannot be brought back. Set checkpoints.max_total_size_mb higher, or work in a narrower folder.`);
      return { tree, snapshot };
    };
    return this.#alone(look);
  }

  /** What writes to the store does so one after the other: a long look holds its transaction across its pauses. */
  #alone<T>(work: () => T | Promise<T>): Promise<T> {
    const working = this.#queue.then(work);
    this.#queue = working.catch(() => undefined);
    return working;
  }

  #options(scope: TreeScope, progress: ((text: string) => void) | undefined): SnapshotOptions {
    const { config } = this.#context;
    return {
      maxFiles: Number(config["max_files"] ?? 50_000),
      maxFileBytes: Number(config["max_file_size_mb"] ?? 10) * 1_000_000,
      // The rest is for what changes later.
      maxNewBytes: Number(config["max_total_size_mb"] ?? 500) * 750_000,
      excluded: new Set([...EXCLUDED_NAMES, ...((config["exclude"] ?? []) as string[])]),
      hidden: [this.#context.home],
      breath: new Breath(AbortSignal.timeout(timeoutMs(this.#context.env("HERMES_CHECKPOINT_TIMEOUT")))),
      ...(progress === undefined ? {} : { progress: (files) => progress(`keeping ${scope.root} as it is: ${files} files`) }),
    };
  }

  #histories(scope: TreeScope, checkpoints: readonly Checkpoint[], now: { readonly tree: number; readonly snapshot: number }): readonly PathHistory[] {
    const store = this.#open();
    const { tree } = now;
    // A turn whose process ended before it did is taken to reach to the next look.
    const spans = checkpoints.map(({ before, after, byOthers }, at) => ({ before, after: after ?? checkpoints[at + 1]?.before ?? now.snapshot, byOthers: new Set(byOthers) }));
    const paths = new Set(spans.flatMap(({ before, after }) => store.changedBetween(tree, before, after)));
    const { only } = scope;
    return [...paths]
      .filter((path) => only === undefined || only.some((top) => path === top || path.startsWith(`${top}/`)))
      .map((path) => ({
        path,
        turns: spans.map(({ before, after, byOthers }) => ({ before: store.entryAt(tree, path, before), after: store.entryAt(tree, path, after), byOthers: byOthers.has(path) })),
        now: store.entryAt(tree, path, now.snapshot),
      }));
  }

  #prune(): void {
    const { config } = this.#context;
    const store = this.#open();
    const all = store.checkpoints();
    const most = Number(config["max_snapshots"] ?? 20);
    const oldest = config["auto_prune"] === false ? 0 : Date.now() - Number(config["retention_days"] ?? 7) * DAY_MS;
    const counts = new Map<string, number>();
    const forgotten = all.filter(({ root, at }) => {
      const count = (counts.get(root) ?? 0) + 1;
      counts.set(root, count);
      return count > most || at < oldest;
    });
    if (forgotten.length > 0) this.#forgetAll(forgotten);
    const maxBytes = Number(config["max_total_size_mb"] ?? 500) * 1_000_000;
    for (let left = store.checkpoints(); left.length > 1 && store.bytes > maxBytes; left = store.checkpoints()) this.#forgetAll(left.slice(-Math.ceil(left.length / 4)));
  }

  #forgetAll(checkpoints: readonly Checkpoint[]): void {
    this.#last = undefined;
    this.#open().forget(checkpoints.map(({ id }) => id));
  }
}

/** How long taking a checkpoint may last: 10 to 60 seconds, 30 unless told otherwise. */
export function timeoutMs(seconds: string | undefined): number {
  const wanted = seconds === undefined || seconds.trim() === "" ? Number.NaN : Number(seconds);
  return 1000 * (Number.isNaN(wanted) ? 30 : Math.min(60, Math.max(10, wanted)));
}

/** @throws {UserError} naming what there is. */
export function pickTurn(turns: readonly UndoableTurn[], which: string): { readonly turn: UndoableTurn; readonly checkpoints: readonly Checkpoint[] } {
  const at = Number(which) - 1;
  const turn = turns[at];
  if (!/^\d+$/.test(which) || turn === undefined) throw new UserError(turns.length === 0 ? "No turn of this conversation changed files that were kept." : `There is no checkpoint ${which}; ${turns.length === 1 ? "there is one" : `there are ${turns.length}`}.`, { exitCode: 2 });
  return { turn, checkpoints: turns.slice(0, at + 1).flatMap(({ checkpoints }) => checkpoints) };
}

function isNamed(scope: TreeScope, path: string, only: string): boolean {
  return path === only || join(scope.root, path) === only || path.startsWith(`${only}/`);
}

function keyOf({ root, only }: TreeScope): string {
  return JSON.stringify([root, only ?? null]);
}

function scopeOf(key: string): TreeScope {
  const [root, only] = JSON.parse(key) as [string, string[] | null];
  return { root, ...(only === null ? {} : { only }) };
}
