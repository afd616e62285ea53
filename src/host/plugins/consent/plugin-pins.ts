import { readFileSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { UserError } from "../../../contract/common/failure.ts";
import { withFileLock } from "../../config/file-lock.ts";
import { writeAtomically } from "../../config/write-atomically.ts";
import type { Home } from "../../environment/home.ts";
import { contentHash } from "../discovery/content-hash.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";

/** The user's consent, given when a plugin was installed or a project's plugin was enabled. */
export interface Pin {
  /** Hash of the folder's content. The consent does not cover any other content. */
  readonly hash: string;
  /** The hashed folder, relative to the plugin's, if it is larger than that: a package and its dependencies. */
  readonly root?: string;
  /** The source as requested: `owner/repo`, `npm:name@1`; absent for a project's. */
  readonly from?: string;
  /** The requested branch or tag. */
  readonly ref?: string;
  /** The commit or version at that time. */
  readonly resolved?: string;
  readonly version?: string;
  /** The grants that its manifest requested then. */
  readonly grants?: readonly string[];
  readonly at: string;
  /**
   * The content that is replacing it. If this is still set, the process that replaced it was killed; the content on
   * disk shows which of the two it is.
   */
  readonly next?: Omit<Pin, "next">;
}

interface LockFile {
  readonly format: 1;
  /** Keyed by folder. A folder inside the home is stored relative to it, so that a home can be moved. */
  readonly plugins: { readonly [place: string]: Pin };
}

/** `~/.hermes/plugins.lock.json`. */
export interface PluginPins {
  readonly file: string;
  get(dir: string): Pin | undefined;
  set(dir: string, pin: Pin): Promise<void>;
  /**
   * `put` moves the content of these pins into place. If the process is killed at any point, the consent covers the old
   * and the new content and no other.
   */
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
    if (dir.startsWith(within)) return dir.slice(within.length); // Plugin folders arrive normalised, and `relative` is slow for a hundred of them.
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
      // Reported below.
    }
    // If an unreadable file counted as empty, any content would count as agreed to.
    throw new UserError(`Cannot read ${file}, which records the plugins that you agreed to.`, {
      hint: "Fix the file, or delete it and install those plugins again.",
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

  /** Sets or removes the pin of each folder. */
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
        return undefined; // Use `refusal` to find out what may run; it reports an unreadable file.
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
          ? `a project's plugin that you have not trusted yet (look at ${dir}, then run \`hermes plugins enable ${key}\`)`
          : undefined;
      if (hashOf(dir, pin) === pin.hash) return undefined;
      return source === "project"
        ? `its files changed since you trusted it (look at ${dir}, then run \`hermes plugins enable ${key}\`)`
        : `its files differ from the installed ones (\`hermes plugins update ${key}\` fetches them again, \`hermes plugins enable ${key}\` accepts them)`;
    },
  };
}

/** The pin while other content is moved into place. */
function between(before: Pin | undefined, next: Pin): Pin {
  return before === undefined ? next : { ...before, next };
}

/** A folder that was not installed has no pin and may continue to run if the replacement fails. */
function unpinned(dir: string, pin: Pin): Pin | undefined {
  const hash = hashOf(dir, pin);
  return hash === undefined ? undefined : { hash, root: pin.root, at: pin.at };
}

/** `undefined` if the folder does not exist or cannot be read. */
function hashOf(dir: string, { root = "." }: Pick<Pin, "root">): string | undefined {
  try {
    return contentHash(join(dir, root));
  } catch {
    return undefined;
  }
}
