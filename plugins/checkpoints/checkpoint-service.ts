import { join } from "node:path";
import type { Period, PluginContext } from "hermes-agent/plugin";
import { CallTimes, hasOurClock } from "./snapshot/call-times.ts";
import { carryOut, type CarriedOut } from "./rollback/apply-rollback.ts";
import { planRollback, type PathHistory, type Step } from "./rollback/plan-rollback.ts";
import { pruneCheckpoints } from "./snapshot/prune-checkpoints.ts";
import { scopesOf } from "./snapshot/roots.ts";
import { SnapshotStore, type Checkpoint } from "./snapshot/snapshot-store.ts";
import { TreeLooks, type Look } from "./snapshot/tree-state.ts";
import type { UndoableTurn } from "./rollback/undoable-turn.ts";
import { TooManyFiles, type TreeScope } from "./snapshot/walk-tree.ts";

/** A call that is about to change files. */
export interface Before {
  readonly sessionId: string;
  readonly turnId: string;
  /** Absolute paths. */
  readonly paths: readonly string[];
  readonly label: string;
  /** The call may start processes that outlive it. */
  readonly lasting?: boolean;
  progress(text: string): void;
}

/** The steps of a rollback in one scope. */
export interface ScopePlan {
  readonly scope: TreeScope;
  readonly steps: readonly Step[];
}

export interface RolledBack extends CarriedOut {}

/** Takes the checkpoints of this process's turns and runs rollbacks. */
export class CheckpointService {
  readonly #context: PluginContext;
  readonly #home: string;
  readonly #looks: TreeLooks;
  #store: SnapshotStore | undefined;
  /** Scopes that already have a checkpoint, by running turn. */
  readonly #running = new Map<
    string,
    { readonly scopes: Map<string, Promise<number | undefined>>; readonly times: CallTimes }
  >();

  /** @param home The user's home directory. */
  constructor(context: PluginContext, home: string) {
    this.#context = context;
    this.#home = home;
    this.#looks = new TreeLooks(context, () => this.#open());
  }

  /**
   * Saves what the call is about to change, once for each turn and tree. Never rejects: a failed checkpoint does not
   * stop a call.
   * @returns To be called when the call has ended.
   */
  async before(call: Before): Promise<() => void> {
    const { scopes, times } = this.#running.get(call.turnId) ?? {
      scopes: new Map<string, Promise<number | undefined>>(),
      times: new CallTimes(),
    };
    this.#running.set(call.turnId, { scopes, times });
    for (const scope of scopesOf(call.paths, this.#home)) {
      const key = keyOf(scope);
      let taking = scopes.get(key);
      if (taking === undefined) scopes.set(key, (taking = this.#checkpoint(scope, call)));
      await taking;
    }
    return times.begin(call.lasting === true);
  }

  /**
   * Ends the turn: a later rollback compares with the state at this moment.
   * @param brought When files were copied here from the environments in which its calls ran.
   */
  async after(turnId: string, brought: readonly Period[] = []): Promise<void> {
    const turn = this.#running.get(turnId);
    this.#running.delete(turnId);
    for (const period of brought) turn?.times.add(period);
    for (const [key, taking] of turn?.scopes ?? []) {
      const id = await taking;
      if (id === undefined) continue;
      const scope = scopeOf(key);
      await this.#guarded(scope, async () => {
        const { tree, snapshot } = await this.#looks.look(scope);
        await this.#looks.alone(() => {
          const store = this.#open();
          const changed = hasOurClock(scope.root)
            ? store.changedBetween(tree, store.checkpoint(id)?.before ?? snapshot, snapshot)
            : [];
          store.setAfter(
            id,
            snapshot,
            changed.filter((path) => turn!.times.byOthers(store.entryAt(tree, path, snapshot))),
          );
        });
      });
    }
    await this.#looks.alone(() =>
      pruneCheckpoints(this.#open(), this.#context.config, (forgotten) => this.#forgetAll(forgotten)),
    );
  }

  /** The turns of a conversation whose changes can be undone, newest first. */
  turns(turnIds: ReadonlySet<string>): readonly UndoableTurn[] {
    const mine = this.#open()
      .checkpoints()
      .filter(({ turnId, cameFrom }) => cameFrom === undefined && turnIds.has(turnId));
    return [...Map.groupBy(mine, ({ turnId }) => turnId)].map(([turnId, checkpoints]) => ({
      turnId,
      at: Math.min(...checkpoints.map(({ at }) => at)),
      label: checkpoints.at(-1)!.label,
      checkpoints,
    }));
  }

  /** The newest rollback of a session that has not been redone. */
  lastRollback(sessionId: string): readonly Checkpoint[] {
    const mine = this.#open()
      .checkpoints()
      .filter((checkpoint) => checkpoint.sessionId === sessionId && checkpoint.cameFrom !== undefined);
    return mine.filter(({ turnId }) => turnId === mine[0]?.turnId);
  }

  /** The conversation that the newest rollback of any session created. */
  lastRolledBack(): string | undefined {
    return this.#open()
      .checkpoints()
      .find(({ cameFrom }) => cameFrom !== undefined)?.sessionId;
  }

  /** The steps that undoing these checkpoints would take now. */
  async plan(checkpoints: readonly Checkpoint[], only?: string): Promise<readonly ScopePlan[]> {
    const groups = Map.groupBy(checkpoints, (checkpoint) => keyOf(checkpoint));
    const plans: ScopePlan[] = [];
    for (const [key, ofScope] of groups) {
      const scope = scopeOf(key);
      const now = await this.#looks.look(scope);
      const steps = planRollback(
        this.#histories(
          scope,
          ofScope.toSorted((a, b) => a.id - b.id),
          now,
        ),
      );
      plans.push({ scope, steps: only === undefined ? steps : steps.filter(({ path }) => isNamed(scope, path, only)) });
    }
    return plans;
  }

  /**
   * Applies plans. @param as Saves the current state under these names first, so that a redo works even if the process
   * is killed meanwhile.
   */
  async carryOut(
    plans: readonly ScopePlan[],
    as?: { readonly sessionId: string; readonly cameFrom: string; readonly label: string },
  ): Promise<RolledBack> {
    const store = this.#open();
    const all: RolledBack[] = [];
    const at = Date.now();
    for (const { scope, steps } of plans) {
      const before = await this.#looks.look(scope);
      const id =
        as === undefined
          ? undefined
          : await this.#looks.alone(() =>
              store.addCheckpoint(before.tree, {
                ...scope,
                ...as,
                turnId: `rollback-${at}`,
                at,
                before: before.snapshot,
              }),
            );
      const done = await carryOut(scope.root, steps, (hash) => store.content(hash));
      if (id !== undefined) {
        const after = await this.#looks.look(scope);
        await this.#looks.alone(() => store.setAfter(id, after.snapshot));
      }
      const full = (path: string): string => join(scope.root, path);
      all.push({
        restored: done.restored.map(full),
        removed: done.removed.map(full),
        failed: done.failed.map(({ path, why }) => ({ path: full(path), why })),
        kept: [
          ...done.kept.map(({ path, why }) => ({ path: full(path), why })),
          ...steps.flatMap((step) => (step.kind === "restore" ? [] : [{ path: full(step.path), why: step.why }])),
        ],
      });
    }
    return {
      restored: all.flatMap((one) => one.restored),
      removed: all.flatMap((one) => one.removed),
      failed: all.flatMap((one) => one.failed),
      kept: all.flatMap((one) => one.kept),
    };
  }

  async forget(checkpoints: readonly Checkpoint[]): Promise<void> {
    await this.#looks.alone(() => this.#forgetAll(checkpoints));
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
      const { tree, snapshot } = await this.#looks.look(scope, call.progress);
      const { sessionId, turnId, label } = call;
      return this.#looks.alone(() =>
        this.#open().addCheckpoint(tree, { ...scope, sessionId, turnId, at: Date.now(), label, before: snapshot }),
      );
    });
  }

  /** Reports a folder that cannot be saved once; the turn continues without a checkpoint. */
  async #guarded<T>(scope: TreeScope, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const hint = cause instanceof TooManyFiles ? " Raise checkpoints.max_files or work in a smaller folder." : "";
      this.#looks.reportOnce(scope, `Cannot checkpoint ${scope.root}: ${why}${hint}`);
      return undefined;
    }
  }

  #histories(scope: TreeScope, checkpoints: readonly Checkpoint[], now: Look): readonly PathHistory[] {
    const store = this.#open();
    const { tree } = now;
    // If the process ended before the turn did, the turn counts as lasting until the next snapshot.
    const spans = checkpoints.map(({ before, after, byOthers }, at) => ({
      before,
      after: after ?? checkpoints[at + 1]?.before ?? now.snapshot,
      byOthers: new Set(byOthers),
    }));
    const paths = new Set(spans.flatMap(({ before, after }) => store.changedBetween(tree, before, after)));
    const { only } = scope;
    return [...paths]
      .filter((path) => only === undefined || only.some((top) => path === top || path.startsWith(`${top}/`)))
      .map((path) => ({
        path,
        turns: spans.map(({ before, after, byOthers }) => ({
          before: store.entryAt(tree, path, before),
          after: store.entryAt(tree, path, after),
          byOthers: byOthers.has(path),
        })),
        now: store.entryAt(tree, path, now.snapshot),
      }));
  }

  #forgetAll(checkpoints: readonly Checkpoint[]): void {
    this.#looks.forget();
    this.#open().forget(checkpoints.map(({ id }) => id));
  }
}

function isNamed(scope: TreeScope, path: string, only: string): boolean {
  return path === only || join(scope.root, path) === only || path.startsWith(`${only}/`);
}

function keyOf({ root, only }: TreeScope): string {
  return JSON.stringify([root, only ?? null]);
}

function scopeOf(key: string): TreeScope {
  const [root, only] = JSON.parse(key) as [string, string[] | null];
  return { root, only: only ?? undefined };
}
