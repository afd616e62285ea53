import { hash, randomUUID } from "node:crypto";
import { lstat, mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import { RecentMap } from "../../contract/common/recent-map.ts";
import type { Period } from "../../contract/providers/terminal.ts";
import { zonesOf, within, type Zone } from "../../safety/paths/path-zones.ts";
import type { Say } from "../backend/slow-progress.ts";
import { SHARED_FOLDERS, type TerminalSync } from "../backend/terminal-sync.ts";
import type { RunInEnvironment } from "./remote-tree.ts";
import { changedHere, syncTree } from "./sync-tree.ts";
import { SyncStates } from "./sync-state.ts";
import { notSent, type SyncedTree } from "./synced-tree.ts";

/** Between two looks at the files of this machine. */
const LOOK_MS = 5_000;
/** More than one turn can have. */
const PERIODS = 1_000;
/** How many reported notes are remembered, so that they are not reported again. */
const REPORTED = 1_000;
const NOBODYS_WORK: readonly Zone[] = [
  "root",
  "home",
  "system-directory",
  "system",
  "system-config",
  "kernel",
  "credentials",
  "unit",
  "startup",
  "schedule",
  "agent-secret",
  "agent-config",
];

export interface EnvironmentSyncRequest {
  /** The section `terminal` of the configuration. */
  readonly config: JsonObject;
  readonly agentHome: string;
  readonly startDirectory: string;
  readonly log: Logger | undefined;
}

interface Synced {
  readonly tree: SyncedTree;
  /** Id of the state after the last sync. */
  id: string | undefined;
}

/**
 * Everything that one terminal syncs with its environment: the agent's shared folders, declared credential files, and
 * the start directory if wanted.
 */
export class EnvironmentSync implements TerminalSync {
  readonly folder: string | undefined;
  readonly #trees: readonly Synced[];
  readonly #states: SyncStates;
  readonly #lookMs: number;
  readonly #log: Logger | undefined;
  readonly #reported = new RecentMap<string, true>(REPORTED);
  #notes: string[];
  #lookedAt = Number.NEGATIVE_INFINITY;
  readonly #written: Period[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  static async open({ config, agentHome, startDirectory, log }: EnvironmentSyncRequest): Promise<EnvironmentSync> {
    const states = new SyncStates(join(agentHome, "sandboxes/sync"));
    await mkdir(states.folder, { recursive: true, mode: 0o700 });
    await states.prune();
    const machine = await identity(states.folder);
    const home = await realpath(homedir());
    const realHome = await realpath(agentHome);
    const notes: string[] = [];
    const marker = (here: string, there: string) => hash("sha256", JSON.stringify([machine, here, there])).slice(0, 20);
    const trees: SyncedTree[] = [];
    const shared = await sharedTree(config["credential_files"], {
      home,
      agentHome: realHome,
      marker: marker(realHome, "~/.hermes"),
      notes,
    });
    if (shared.parts.length > 0 || (await states.any(shared.there.marker))) trees.push(shared);
    let folder: string | undefined;
    if (config["sync_cwd_to_workspace"] === true) {
      const here = await realpath(startDirectory);
      if (isWork(here, { home, agentHome: realHome })) {
        folder = workspaceFolder(config["cwd"]);
        trees.push({
          label: "the workspace",
          here,
          there: { folder, marker: marker(here, folder), closed: false },
          parts: [],
          bothWays: true,
          secrets: new Set(),
          home,
          agentHome: realHome,
        });
      } else
        notes.push(
          `The start directory ${here} is not synced: it is a home directory, or belongs to the system or the agent. Start the agent in a project folder.`,
        );
    }
    const untold = await Promise.all(trees.map((tree) => states.untold(tree.there.marker)));
    return new EnvironmentSync({
      trees,
      states,
      folder,
      lookMs: config["force_file_sync"] === true ? 0 : LOOK_MS,
      log,
      notes: [...notes, ...untold.flat()],
    });
  }

  private constructor(parts: {
    readonly trees: readonly SyncedTree[];
    readonly states: SyncStates;
    readonly folder: string | undefined;
    readonly lookMs: number;
    readonly log: Logger | undefined;
    readonly notes: string[];
  }) {
    this.folder = parts.folder;
    this.#trees = parts.trees.map((tree) => ({ tree, id: undefined }));
    this.#states = parts.states;
    this.#lookMs = parts.lookMs;
    this.#log = parts.log;
    this.#notes = parts.notes;
  }

  arrived(): void {
    for (const one of this.#trees) one.id = undefined;
    this.refresh();
  }

  refresh(): void {
    this.#lookedAt = Number.NEGATIVE_INFINITY;
  }

  get written(): readonly Period[] {
    return this.#written;
  }

  async before(run: RunInEnvironment, say?: Say): Promise<void> {
    await this.#inTurn(async () => {
      if (performance.now() - this.#lookedAt < this.#lookMs) return;
      for (const one of this.#trees)
        if (one.id === undefined || (await changedHere(one.tree, this.#states, one.id)))
          await this.#sync(one, run, say);
      // An interrupted sync is tried again with the next command.
      if (this.#trees.every((one) => one.id !== undefined)) this.#lookedAt = performance.now();
    });
  }

  async settle(run: RunInEnvironment): Promise<void> {
    await this.#inTurn(async () => {
      for (const one of this.#trees) if (one.tree.bothWays) await this.#sync(one, run);
      this.#lookedAt = performance.now();
    });
  }

  notes(): readonly string[] {
    const now = this.#notes;
    this.#notes = [];
    if (now.length > 0)
      for (const { tree } of this.#trees) void this.#states.writeUntold(tree.there.marker, []).catch(() => {}); // Reporting twice loses nothing.
    return now;
  }

  readonly #wrote = (period: Period): void => {
    this.#written.push(period);
    if (this.#written.length > PERIODS) this.#written.shift();
  };

  async #inTurn(act: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(act).catch((cause: unknown) => this.#log?.warning("Cannot sync files.", { cause }));
    await this.#turn;
  }

  async #sync(one: Synced, run: RunInEnvironment, say?: Say): Promise<void> {
    const { label, there } = one.tree;
    let notes: readonly string[];
    try {
      ({ notes, id: one.id } = await syncTree(one.tree, run, this.#states, { say, wrote: this.#wrote }));
    } catch (error) {
      this.#log?.warning(`The sync of ${label} was interrupted.`, { cause: error });
      one.id = undefined;
      notes = [`The sync of ${label} was interrupted and resumes with the next command: ${(error as Error).message}`];
    }
    const fresh = notes.filter((note) => this.#reported.get(note) === undefined);
    if (fresh.length === 0) return;
    for (const note of fresh) {
      this.#reported.set(note, true);
      this.#log?.warning(note);
    }
    this.#notes.push(...fresh);
    await this.#states.writeUntold(there.marker, this.#notes);
  }
}

/** The agent's shared folders and the declared files, which go there and never come back. */
async function sharedTree(
  declared: unknown,
  about: { readonly home: string; readonly agentHome: string; readonly marker: string; readonly notes: string[] },
): Promise<SyncedTree> {
  const { home, agentHome, marker, notes } = about;
  const there = { folder: "~/.hermes", marker, closed: true };
  const names = Array.isArray(declared) ? declared.filter((name): name is string => typeof name === "string") : [];
  const secrets = new Set(names.map((name) => name.replace(/^(\.\/)+/, "")));
  const tree = { label: "the agent's shared files", here: agentHome, there, bothWays: false, secrets, home, agentHome };
  for (const name of secrets) {
    const path = join(agentHome, name);
    const found = await lstat(path).catch(() => undefined);
    const inside =
      within(path, agentHome) !== undefined &&
      !name.startsWith("/") &&
      path.endsWith(`/${name}`) &&
      (await realpath(path).catch(() => path)) === path;
    const refused = !inside
      ? "it must be a file in the agent's home, given as a relative path without links"
      : found?.isFile() !== true
        ? "no such file"
        : notSent(name, { ...tree, parts: [] });
    if (refused === undefined) continue;
    notes.push(`terminal.credential_files: ${JSON.stringify(name)} is not sent: ${refused}.`);
    secrets.delete(name);
  }
  const folders = await Promise.all(
    SHARED_FOLDERS.map(async (name) =>
      (await lstat(join(agentHome, name)).catch(() => undefined))?.isDirectory() === true ? [name] : [],
    ),
  );
  return { ...tree, parts: [...folders.flat(), ...secrets] };
}

/** A folder that a user works in: neither a home nor above one, nor the system's, nor the agent's. */
function isWork(path: string, places: { readonly home: string; readonly agentHome: string }): boolean {
  if (within(places.home, path) !== undefined || within(places.agentHome, path) !== undefined) return false;
  const zones = zonesOf(path, places);
  return !NOBODYS_WORK.some((zone) => zones.has(zone));
}

/** Never a whole home of the place. */
function workspaceFolder(cwd: unknown): string {
  const configured = typeof cwd === "string" ? cwd.replace(/(.)\/+$/, "$1") : "";
  return /^(~\/|\/).+/.test(configured) ? configured : "~/workspace";
}

/** Tells this home from every other that goes to the same place. */
async function identity(folder: string): Promise<string> {
  const path = join(folder, "identity");
  await writeFile(path, randomUUID(), { flag: "wx", mode: 0o600 }).catch(() => {}); // There is one already.
  return readFile(path, "utf8");
}
