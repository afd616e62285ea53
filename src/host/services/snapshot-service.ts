import { lstatSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../contract/common/failure.ts";
import type { Snapshot, SnapshotService } from "../../contract/services/snapshot-service.ts";
import { writeAtomically } from "../config/write-atomically.ts";
import type { Home } from "../environment/home.ts";
import { stateFile } from "../store/facts/store-files.ts";

/** Files with the user's decisions, which cannot be rebuilt. */
const FILES = ["config.yaml", ".env", "SOUL.md", "shell-hooks-allowlist.json", "plugins.lock.json"] as const;
const RETAINED = 20;
const NAME = /^\d{8}-\d{6}[a-z0-9-]*$/;

/** `backup` writes the current store into a new file. */
export function createSnapshotService(ports: {
  readonly home: Home;
  readonly now: () => number;
  readonly backup: (target: string) => Promise<unknown>;
}): SnapshotService {
  const folder = ports.home.file("state-snapshots");

  function all(): readonly Snapshot[] {
    const names = entries(folder).filter((name) => NAME.test(name));
    return names
      .toSorted()
      .toReversed()
      .map((id) => ({
        id,
        path: join(folder, id),
        at: lstatSync(join(folder, id)).mtimeMs,
        bytes: sizeOf(join(folder, id)),
      }));
  }

  async function create(label = "", spared?: string): Promise<Snapshot> {
    const id = freeName(folder, `${stamp(ports.now())}${slug(label)}`);
    // Whole or not at all: a name with a dot is none of a snapshot.
    const part = ports.home.folder("state-snapshots", `.${id}.part`);
    try {
      for (const name of FILES) copy(ports.home.file(name), join(part, name));
      await ports.backup(stateFile(part));
      renameSync(part, join(folder, id));
    } finally {
      rmSync(part, { recursive: true, force: true });
    }
    remove(
      all()
        .slice(RETAINED)
        .filter((one) => one.id !== spared),
    );
    return all().find((one) => one.id === id)!;
  }

  function remove(old: readonly Snapshot[]): number {
    for (const { path } of old) rmSync(path, { recursive: true, force: true });
    return old.length;
  }

  return {
    list: async () => all(),
    create: (label) => create(label),
    async restore(which) {
      const there = all();
      const found =
        there.find(({ id }) => id === which) ?? (/^\d{1,3}$/.test(which) ? there[Number(which) - 1] : undefined);
      if (found === undefined)
        throw new UserError(`There is no snapshot "${which}".`, {
          hint:
            there.length === 0 ? "/snapshot create makes one." : `Available: ${there.map(({ id }) => id).join(", ")}.`,
        });
      const texts = FILES.flatMap((name) =>
        isFile(join(found.path, name)) ? [[name, readFileSync(join(found.path, name), "utf8")] as const] : [],
      );
      // The one that is restored may be the oldest: its conversations are looked at where it is.
      const before = await create("before restore", found.id);
      for (const [name, text] of texts) writeAtomically(ports.home.file(name), text);
      return { restored: found, files: texts.map(([name]) => name), before };
    },
    prune: async (keep) => remove(all().slice(keep)),
  };
}

/** A link of the home's is followed, as by everything that reads these files. */
function copy(from: string, to: string): void {
  try {
    writeAtomically(to, readFileSync(from, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** Hermes puts no links into snapshots, so another program did. */
function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false; // It is not there.
  }
}

function entries(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // There were no snapshots yet.
  }
}

function sizeOf(path: string): number {
  return entries(path).reduce((sum, name) => sum + lstatSync(join(path, name)).size, 0);
}

/** `20261122-183100`, so that names sort by time. */
function stamp(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
}

function slug(label: string): string {
  const word = label
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 40);
  return word === "" ? "" : `-${word}`;
}

function freeName(folder: string, wanted: string): string {
  const taken = new Set(entries(folder));
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    if (!taken.has(name)) return name;
  }
}
