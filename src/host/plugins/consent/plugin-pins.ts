import { readFileSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { UserError } from "../../../contract/common/failure.ts";
import { withFileLock } from "../../config/file-lock.ts";
import { writeAtomically } from "../../config/write-atomically.ts";
import type { Home } from "../../environment/home.ts";
import { contentHash } from "../discovery/content-hash.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";

/** What was agreed to when a plugin was installed, or a project's plugin enabled. */
export interface Pin {
  /** Of the folder's content. Other content is not what was agreed to. */
  readonly hash: string;
  /** The folder that was hashed, seen from the plugin's, where that is more than its own: a package and what it brought along. */
  readonly root?: string;
  /** Where it came from, as it was asked for: `owner/repo`, `npm:name@1`; absent for a project's. */
  readonly from?: string;
  /** The branch or tag that was asked for beside it. */
  readonly ref?: string;
  /** What that was then: a commit, a version. */
  readonly resolved?: string;
  readonly version?: string;
  /** What its manifest asked for then. */
  readonly grants?: readonly string[];
  readonly at: string;
  /** What is being put in its place; where this stays, the process that did it was killed, and the content says which of the two it is. */
  readonly next?: Omit<Pin, "next">;
}

interface LockFile {
  readonly format: 1;
  /** By folder, as seen from the home where it lies inside: a home may be moved. */
  readonly plugins: { readonly [place: string]: Pin };
}

/** `~/.hermes/plugins.lock.json`. */
export interface PluginPins {
  readonly file: string;
  get(dir: string): Pin | undefined;
  set(dir: string, pin: Pin): Promise<void>;
  /** `put` puts the content of these pins in place. Killed anywhere, the old content and the new one are both agreed to, and no other. */
  exchange(pins: readonly (readonly [dir: string, pin: Pin])[], put: () => void): Promise<void>;
  remove(dir: string): Promise<void>;
  /** Why this plugin's content may not run; `undefined` when it may. Reads every file of it. */
  refusal(plugin: Pick<FoundPlugin, "dir" | "source" | "key">): string | undefined;
}

export function openPluginPins(home: Home): PluginPins {
  const file = home.file("plugins.lock.json");
  let read: LockFile | undefined;
  const within = home.path + sep;
  const placeOf = (dir: string): string => {
    if (dir.startsWith(within)) return dir.slice(within.length); // Folders of plugins come normalised: `relative` asks for a hundred of them what is known.
    const inside = relative(home.path, dir);
    return inside.startsWith("..") || isAbsolute(inside) ? dir : inside;
  };

  const load = (): LockFile => {
    let text: string;
    try {
      text = readFileSync(file, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      return { format: 1, plugins: {} };
    }
    try {
      const lock = JSON.parse(text) as LockFile;
      if (lock.format === 1 && typeof lock.plugins === "object") return lock;
    } catch {
      // Said below.
    }
    // Taken as empty it would agree to whatever lies there now.
    throw new UserError(`${file} cannot be read, and it says which plugins were agreed to.`, {
      hint: "Mend it, or delete it and install those plugins again.",
      exitCode: 78,
    });
  };

  const change = async (next: (plugins: LockFile["plugins"]) => LockFile["plugins"]): Promise<void> => {
    home.folder();
    await withFileLock(file, () => {
      const sorted = Object.entries(next(load().plugins)).sort(([a], [b]) => (a < b ? -1 : 1));
      writeAtomically(file, `${JSON.stringify({ format: 1, plugins: Object.fromEntries(sorted) }, null, 2)}\n`);
    });
    read = undefined;
  };

  /** Each place gets its pin, or has none any more. */
  const write = (pins: readonly (readonly [dir: string, pin: Pin | undefined])[]): Promise<void> =>
    change((plugins) => {
      const changed = new Map(Object.entries(plugins));
      for (const [dir, pin] of pins) {
        if (pin === undefined) changed.delete(placeOf(dir));
        else changed.set(placeOf(dir), pin);
      }
      return Object.fromEntries(changed);
    });

  const pinOf = (dir: string): Pin | undefined => {
    const pin = (read ??= load()).plugins[placeOf(dir)];
    if (pin?.next === undefined) return pin;
    const { next, ...before } = pin;
    return hashOf(dir, next) === next.hash ? next : before;
  };

  return {
    file,
    get(dir) {
      try {
        return pinOf(dir);
      } catch {
        return undefined; // What may run is asked of `refusal`, which says it.
      }
    },
    set: (dir, pin) => write([[dir, pin]]),
    async exchange(pins, put) {
      const before = pins.map(([dir]) => [dir, pinOf(dir)] as const);
      await write(pins.map(([dir, pin], at) => [dir, between(before[at]![1] ?? unpinned(dir, pin), pin)]));
      try {
        put();
      } catch (error) {
        await write(before);
        throw error;
      }
      await write(pins);
    },
    remove: (dir) => write([[dir, undefined]]),
    refusal({ dir, source, key }) {
      if (source === "bundled") return undefined;
      let pin: Pin | undefined;
      try {
        pin = pinOf(dir);
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
      if (pin === undefined)
        return source === "project"
          ? `a project's plugin that nobody trusted yet (look at ${dir}, then run \`hermes plugins enable ${key}\`)`
          : undefined;
      if (hashOf(dir, pin) === pin.hash) return undefined;
      return source === "project"
        ? `its files changed since it was trusted (look at ${dir}, then run \`hermes plugins enable ${key}\`)`
        : `its files are not those that were installed (\`hermes plugins update ${key}\` fetches them again, \`hermes plugins enable ${key}\` agrees to them)`;
    },
  };
}

/** What a pin says while the content of another is put in its place. */
function between(before: Pin | undefined, next: Pin): Pin {
  return before === undefined ? next : { ...before, next };
}

/** What lies there without having been installed goes on running if it stays. */
function unpinned(dir: string, pin: Pin): Pin | undefined {
  const hash = hashOf(dir, pin);
  return hash === undefined ? undefined : { hash, root: pin.root, at: pin.at };
}

/** `undefined` where nothing lies, or nothing that can be read. */
function hashOf(dir: string, { root = "." }: Pick<Pin, "root">): string | undefined {
  try {
    return contentHash(join(dir, root));
  } catch {
    return undefined;
  }
}
