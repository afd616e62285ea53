import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Period } from "../../contract/providers/terminal.ts";
import { LocalTree, versionOf, type FoundFile } from "./local-tree.ts";
import { EnvironmentTree, type ListedFile, type RunInEnvironment, type Sending } from "./remote-tree.ts";
import type { Say } from "../backend/slow-progress.ts";
import { SyncNotes } from "./sync-notes.ts";
import { syncStep, type SyncStep, type Version } from "./sync-plan.ts";
import type { RememberedSide, SyncState, SyncStates } from "./sync-state.ts";
import { notSent, notTaken, takesPart, type SyncedTree } from "./synced-tree.ts";

const MAX_FILES = 20_000;
const MAX_FILE_BYTES = 64_000_000;
const MAX_BYTES = 1_000_000_000;

export interface SyncListener {
  /** Shows what the user is waiting for. */
  readonly say?: Say | undefined;
  /** Files here were changed then. */
  readonly wrote?: (period: Period) => void;
}

/**
 * Syncs a local tree with its copy in the environment, as far as permitted. @returns notes for the user, and the name
 * of the saved state.
 */
export async function syncTree(
  tree: SyncedTree,
  run: RunInEnvironment,
  states: SyncStates,
  received: SyncListener = {},
): Promise<{ readonly notes: readonly string[]; readonly id: string }> {
  return states.locked(tree.there.marker, () => new TreeSync(tree, run, states, received).run());
}

/** Whether something here is not as it was when both were last alike, without asking the place. */
export async function changedHere(tree: SyncedTree, states: SyncStates, id: string): Promise<boolean> {
  const { files } = await states.read(id);
  const { files: found } = await new LocalTree(tree.here, "").list(tree.parts, MAX_FILES);
  for (const [path, file] of found) {
    const known = files.get(path)?.here;
    if (known?.facts !== file.facts && takesPart(path, tree) && notSent(path, tree) === undefined) return true;
  }
  for (const [path, { here }] of files) if (here.version !== undefined && !found.has(path)) return true;
  return false;
}

interface Seen {
  here?: { readonly found: FoundFile; readonly version: string };
  there?: { readonly listed: ListedFile; readonly version: string };
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

class TreeSync {
  readonly #tree: SyncedTree;
  readonly #states: SyncStates;
  readonly #local: LocalTree;
  readonly #place: EnvironmentTree;
  readonly #say: Say;
  readonly #wrote: (period: Period) => void;
  readonly #seen = new Map<string, Seen>();
  /** Nothing is done about these: one side cannot say what they are, or may not. */
  readonly #skipped = new Set<string>();
  #state!: SyncState;
  #notes!: SyncNotes;

  constructor(
    tree: SyncedTree,
    run: RunInEnvironment,
    states: SyncStates,
    { say = () => {}, wrote = () => {} }: SyncListener,
  ) {
    this.#say = say;
    this.#wrote = wrote;
    this.#tree = tree;
    this.#states = states;
    this.#local = new LocalTree(
      tree.here,
      join(
        states.folder,
        "kept",
        `${new Date().toISOString().slice(0, 19).replaceAll(":", "")}-${randomBytes(2).toString("hex")}`,
      ),
    );
    this.#place = new EnvironmentTree(tree.there, run);
  }

  async run(): Promise<{ readonly notes: readonly string[]; readonly id: string }> {
    const { parts, there, label } = this.#tree;
    this.#say(`Comparing the files of ${label} with the terminal backend`);
    const { files: local, tooMany } = await this.#local.list(parts, MAX_FILES);
    const listing = await this.#place.list(parts);
    const known = listing !== undefined && /^[0-9a-f]{32}$/.test(listing.marked) ? listing.marked : undefined;
    const words = known ?? randomBytes(16).toString("hex");
    const id = `${there.marker}-${words}`;
    this.#state = await this.#states.read(id);
    // An environment that no longer knows us, or has lost the whole folder, has removed nothing: it starts from
    // nothing.
    if (listing?.files.size === 0) this.#state.files.clear();
    this.#notes = new SyncNotes(this.#tree.label, this.#state.reported);
    const within = (all: { readonly size: number; values(): Iterable<{ readonly bytes: number }> }) =>
      all.size <= MAX_FILES &&
      [...all.values()].reduce((sum, { bytes }) => sum + Math.min(bytes, MAX_FILE_BYTES), 0) <= MAX_BYTES;
    if (tooMany || !within(local) || !within(listing?.files ?? new Map())) {
      this.#notes.whole(
        "too-large",
        `${this.#tree.label} is not synced: one side has more than ${MAX_FILES} files or ${MAX_BYTES / 1e9} GB. Start the agent in a smaller folder.`,
      );
    } else {
      if (known === undefined) await this.#place.mark(words);
      try {
        await this.#lookHere(local);
        await this.#lookThere(await this.#withForgotten(listing?.files ?? new Map()));
        await this.#carryOut();
      } finally {
        await this.#states.write(id, this.#state);
      }
    }
    return { notes: this.#notes.texts(), id };
  }

  /** Files that were sent once and no longer take part must be removed there, so look for them. */
  async #withForgotten(files: ReadonlyMap<string, ListedFile>): Promise<ReadonlyMap<string, ListedFile>> {
    const forgotten = [...this.#state.files.keys()].filter((path) => !takesPart(path, this.#tree));
    if (forgotten.length === 0 || this.#tree.bothWays) return files;
    return new Map([...files, ...((await this.#place.list(forgotten))?.files ?? [])]);
  }

  async #lookHere(files: ReadonlyMap<string, FoundFile>): Promise<void> {
    for (const [path, found] of files) {
      if (!takesPart(path, this.#tree)) continue;
      const secret = notSent(path, this.#tree);
      if (secret !== undefined) this.#skip(path, "secret");
      else if (found.bytes > MAX_FILE_BYTES) this.#skip(path, "large");
      else {
        const known = this.#state.files.get(path)?.here;
        const version = known?.facts === found.facts ? known.version : await this.#local.version(path, found);
        if (typeof version === "object" && !this.#tree.secrets.has(path)) this.#skip(path, "secret");
        else if (typeof version === "string") this.#of(path).here = { found, version };
        else if (typeof version === "object") {
          const bytes = await this.#local.read(path, found);
          if (bytes !== undefined)
            this.#of(path).here = { found, version: versionOf(bytes, (found.mode & 0o100) !== 0) };
        }
      }
    }
  }

  async #lookThere(files: ReadonlyMap<string, ListedFile>): Promise<void> {
    const unknown = new Map<string, ListedFile>();
    for (const [path, listed] of files) {
      if (this.#skipped.has(path) || (!takesPart(path, this.#tree) && !this.#state.files.has(path))) continue;
      const known = this.#state.files.get(path)?.there;
      if (listed.bytes > MAX_FILE_BYTES) this.#skip(path, "large");
      else if (known?.facts === listed.facts && known.version !== undefined)
        this.#of(path).there = { listed, version: known.version };
      else unknown.set(path, listed);
    }
    const versions = await this.#place.hash(unknown);
    for (const [path, listed] of unknown) {
      const version = versions.get(path);
      if (version === undefined) this.#skipped.add(path);
      else this.#of(path).there = { listed, version };
    }
  }

  async #carryOut(): Promise<void> {
    const steps: { readonly [K in SyncStep]: string[] } = { settled: [], send: [], take: [], conflict: [], leave: [] };
    for (const path of [...new Set([...this.#state.files.keys(), ...this.#seen.keys()])].sort()) {
      if (this.#skipped.has(path)) continue;
      const { here, there } = this.#seen.get(path) ?? {};
      const base = this.#state.files.get(path);
      steps[
        syncStep(
          { here: base?.here.version, there: base?.there.version },
          { here: here?.version, there: there?.version },
          this.#tree.bothWays,
        )
      ].push(path);
    }
    for (const path of steps.settled) this.#remember(path);
    await this.#send(steps.send);
    const from = Date.now();
    try {
      await this.#take(steps.take);
    } finally {
      if (steps.take.length > 0) this.#wrote({ from, to: Date.now() });
    }
    await this.#reportConflicts(steps.conflict);
  }

  async #send(paths: readonly string[]): Promise<void> {
    const sendings: Sending[] = [];
    const removals: { path: string; expected: ListedFile }[] = [];
    for (const path of paths) {
      const { here, there } = this.#seen.get(path) ?? {};
      if (here !== undefined) {
        const mode = this.#tree.secrets.has(path) ? 0o600 : here.found.mode & (this.#tree.there.closed ? 0o700 : 0o755);
        sendings.push({
          path,
          mode,
          bytes: here.found.bytes,
          expected: there?.listed,
          read: () => this.#local.read(path, here.found),
        });
      } else if (there !== undefined && (!takesPart(path, this.#tree) || (await this.#local.absent(path))))
        removals.push({ path, expected: there.listed });
    }
    const total = sendings.reduce((sum, { bytes }) => sum + bytes, 0);
    const moved = (files: number, bytes: number) =>
      this.#say(
        `Files of ${this.#tree.label} sent: ${files} of ${sendings.length}, ${megabytes(bytes)} of ${megabytes(total)} MB`,
      );
    for (const path of await this.#place.put(sendings, moved))
      this.#remember(path, this.#seen.get(path)?.here?.version);
    for (const path of await this.#place.remove(removals)) this.#remember(path, undefined);
  }

  async #take(paths: readonly string[]): Promise<void> {
    const wanted = new Map<string, ListedFile>();
    const gone: string[] = [];
    for (const path of paths) {
      const { here, there } = this.#seen.get(path) ?? {};
      const refused = notTaken(
        path,
        this.#tree,
        there === undefined ? "delete" : here === undefined ? "create" : "write",
      );
      if (refused !== undefined) this.#notes.add("refused", path, there?.version);
      else if (there === undefined) gone.push(path);
      else wanted.set(path, there.listed);
    }
    await this.#place.fetch(wanted, async (path, bytes) => {
      const { here, there } = this.#seen.get(path)!;
      const runs = there!.listed.runs;
      // The received content counts, whatever the listing said.
      if (await this.#put(path, bytes, runs, here?.found)) this.#remember(path, versionOf(bytes, runs));
    });
    for (const path of await this.#place.absent(gone)) {
      const found = this.#seen.get(path)?.here?.found;
      if (found !== undefined && (await this.#local.remove(path, found))) this.#remember(path, undefined);
    }
  }

  async #put(path: string, bytes: Buffer, runs: boolean, found: FoundFile | undefined): Promise<boolean> {
    try {
      if (await this.#local.put(path, bytes, runs, found)) return true;
      this.#notes.add("blocked", path, versionOf(bytes, runs));
    } catch (error) {
      // A full disk, a folder that may not be written: the others still come.
      this.#notes.add("blocked", path, (error as NodeJS.ErrnoException).code);
    }
    return false;
  }

  /** Saves the environment's version here. Both stay unchanged until one of them changes again. */
  async #reportConflicts(paths: readonly string[]): Promise<void> {
    const saved = new Map<string, string>();
    const wanted = new Map(
      paths.flatMap((path) =>
        this.#seen.get(path)?.there === undefined || !this.#tree.bothWays
          ? []
          : [[path, this.#seen.get(path)!.there!.listed]],
      ),
    );
    await this.#place.fetch(
      wanted,
      async (path, bytes) => void saved.set(path, await this.#local.keepUnknown(path, bytes)),
    );
    for (const path of paths) {
      if (wanted.has(path) && !saved.has(path)) continue;
      const { here, there } = this.#seen.get(path) ?? {};
      this.#notes.conflict(path, { here: here !== undefined, there: there !== undefined, saved: saved.get(path) });
      this.#state.files.set(path, {
        here: this.#side(here?.version, here?.found),
        there: this.#side(there?.version, there?.listed),
      });
    }
  }

  /** Both sides are alike: as they were seen, or as one was made like the other. */
  #remember(path: string, ...made: readonly [Version] | readonly []): void {
    const { here, there } = this.#seen.get(path) ?? {};
    const version = made.length === 0 ? here?.version : made[0];
    if (version === undefined) this.#state.files.delete(path);
    else
      this.#state.files.set(path, {
        here: this.#side(version, here?.version === version ? here.found : undefined),
        there: this.#side(version, there?.version === version ? there.listed : undefined),
      });
  }

  #side(version: Version, seen: { readonly facts: string; readonly racy: boolean } | undefined): RememberedSide {
    return { version, facts: seen === undefined || seen.racy ? undefined : seen.facts };
  }

  #of(path: string): Seen {
    const known = this.#seen.get(path) ?? {};
    this.#seen.set(path, known);
    return known;
  }

  #skip(path: string, why: "secret" | "large"): void {
    this.#skipped.add(path);
    this.#seen.delete(path);
    if (why === "large" || this.#tree.bothWays) this.#notes.add(why, path, undefined);
  }
}
