import { readFileSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { UserError } from "../../contract/failure.ts";
import { withFileLock } from "../config/file-lock.ts";
import { writeAtomically } from "../config/write-atomically.ts";
import type { Home } from "../home.ts";
import { contentHash } from "./content-hash.ts";
import type { FoundPlugin } from "./discovery.ts";

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
    throw new UserError(`${file} cannot be read, and it says which plugins were agreed to.`, { hint: "Mend it, or delete it and install those plugins again.", exitCode: 78 });
  };

  const change = async (next: (plugins: LockFile["plugins"]) => LockFile["plugins"]): Promise<void> => {
    home.folder();
    await withFileLock(file, () => {
      const sorted = Object.entries(next(load().plugins)).sort(([a], [b]) => (a < b ? -1 : 1));
      writeAtomically(file, `${JSON.stringify({ format: 1, plugins: Object.fromEntries(sorted) }, null, 2)}\n`);
    });
    read = undefined;
  };

  return {
    file,
    get(dir) {
      try {
        return (read ??= load()).plugins[placeOf(dir)];
      } catch {
        return undefined; // What may run is asked of `refusal`, which says it.
      }
    },
    set: (dir, pin) => change((plugins) => ({ ...plugins, [placeOf(dir)]: pin })),
    remove: (dir) => change((plugins) => Object.fromEntries(Object.entries(plugins).filter(([place]) => place !== placeOf(dir)))),
    refusal({ dir, source, key }) {
      if (source === "bundled") return undefined;
      let pin: Pin | undefined;
      try {
        pin = (read ??= load()).plugins[placeOf(dir)];
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
      if (pin === undefined) return source === "project" ? `a project's plugin that nobody trusted yet (look at ${dir}, then run \`hermes plugins enable ${key}\`)` : undefined;
      if (contentHash(join(dir, pin.root ?? ".")) === pin.hash) return undefined;
      return source === "project"
        ? `its files changed since it was trusted (look at ${dir}, then run \`hermes plugins enable ${key}\`)`
        : `its files are not those that were installed (\`hermes plugins update ${key}\` fetches them again, \`hermes plugins enable ${key}\` agrees to them)`;
    },
  };
}
