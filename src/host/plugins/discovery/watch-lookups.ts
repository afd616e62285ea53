import { AsyncLocalStorage } from "node:async_hooks";
import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { getCallSites } from "node:util";
import { PACKAGE } from "../registry/door.ts";

type Anything = (this: unknown, ...args: unknown[]) => unknown;
type Functions = { [name: string]: Anything };

/** As the protocol reports it. */
type Lookup = readonly [kind: string, name: string, found: boolean | null];

/** What one plugin looks up while it loads. */
class Lookups {
  readonly #variables = new Set<string>();
  readonly #found = new Map<string, Lookup>();

  variable(name: string): void {
    this.#variables.add(name);
  }

  add(kind: string, name: string, found: boolean | null): void {
    const full = this.#found.size >= MOST;
    this.#found.set(full ? "unknown" : `${kind} ${name}`, full ? ["unknown", "", null] : [kind, name, found]);
  }

  /** As the result of `plugin.load`. */
  reported(): Loaded<unknown>["reported"] {
    // More variables than these are a copy of the environment, and say nothing about the plugin.
    return {
      reads: this.#variables.size > MOST ? [] : [...this.#variables].sort(),
      lookups: [...this.#found.values()],
    };
  }
}

const MOST = 64;
const KINDS: { readonly [kind: string]: readonly string[] } = {
  path: ["exists", "stat", "lstat", "access"],
  file: ["readFile", "open", "createReadStream"],
  folder: ["readdir", "opendir"],
};
const OPAQUE = ["exec", "execFile", "fork", "spawn", "execSync", "execFileSync", "spawnSync"];
const CODE = /\.([cm]?[jt]s|node|json\.map)$|[/\\]package\.json$/;

/** The plugin whose load the running code belongs to. */
const loading = new AsyncLocalStorage<Lookups>();
/** The variables without the watch. */
let env = process.env;
let loads = 0;
let restore: (() => void) | undefined;

interface Loaded<T> {
  readonly result: T;
  readonly reported: { readonly reads: readonly string[]; readonly lookups: readonly Lookup[] };
}

/**
 * Runs the load of a plugin in this process, and returns its result and what the plugin looked up in the system. What
 * Hermes looks up meanwhile does not count, also where the plugin called Hermes.
 */
export async function withLookups<T>(load: () => Promise<T>): Promise<Loaded<T>> {
  const lookups = new Lookups();
  loads += 1;
  restore ??= watch();
  try {
    const result = await loading.run(lookups, load);
    return { result, reported: lookups.reported() };
  } finally {
    loads -= 1;
    if (loads === 0) {
      restore?.();
      restore = undefined;
    }
  }
}

/** Replaces functions of Node, also where modules import them by name, until the result is called. */
function watch(): () => void {
  const replaced: (() => void)[] = [];
  const replace = (module: unknown, name: string, note: (args: readonly unknown[]) => void): void => {
    const functions = module as Functions;
    const original = functions[name];
    if (typeof original !== "function") return;
    const watched: Anything = function (...args) {
      note(args);
      return original.apply(this, args);
    };
    // Also what `util.promisify` looks for.
    for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(original)))
      if (key !== "prototype") Object.defineProperty(watched, key, property);
    for (const symbol of Object.getOwnPropertySymbols(original))
      Object.defineProperty(watched, symbol, Object.getOwnPropertyDescriptor(original, symbol)!);
    functions[name] = watched;
    replaced.push(() => (functions[name] = original));
  };
  for (const [kind, names] of Object.entries(KINDS))
    for (const name of names) {
      const note = ([path, flags]: readonly unknown[]): void => noteFile(kind, name, path, flags);
      replace(fs, name, note);
      replace(fs, `${name}Sync`, note);
      replace(fs.promises, name, note);
    }
  for (const name of OPAQUE) replace(childProcess, name, () => current()?.add("unknown", "", null));
  env = process.env;
  process.env = new Proxy(env, {
    get: (variables, name) => (noteVariable(name), Reflect.get(variables, name) as string | undefined),
    has: (variables, name) => (noteVariable(name), Reflect.has(variables, name)),
    // Without its receiver, which would define a property, and the environment takes only assignments.
    set: (variables, name, value) => Reflect.set(variables, name, value),
  });
  syncBuiltinESMExports();
  return () => {
    for (const back of replaced) back();
    process.env = env;
    syncBuiltinESMExports();
  };
}

function current(): Lookups | undefined {
  const lookups = loading.getStore();
  return lookups === undefined || !isByPlugin() ? undefined : lookups;
}

/** A frame of this module, of what it replaced, or of Node itself says nothing about who asks. */
const MOST_FRAMES = 10;

/** Whether neither Hermes nor only Node itself calls the watched function. */
function isByPlugin(): boolean {
  const caller = getCallSites(MOST_FRAMES)
    .map(({ scriptName }) => scriptName)
    .find((name) => name !== "" && name !== import.meta.url && !name.startsWith("node:"));
  // Files of CommonJS have a path there.
  const url = caller === undefined || caller.includes("://") ? caller : pathToFileURL(caller).href;
  return url !== undefined && !ownFolders().some((folder) => url.startsWith(folder));
}

let own: readonly string[] | undefined;

/** Where the code of Hermes and its packages is. */
function ownFolders(): readonly string[] {
  return (own ??= ["src", "dist", "plugins", "node_modules"].map(
    (name) => `${pathToFileURL(join(fileURLToPath(import.meta.resolve(`${PACKAGE}/plugin`)), "../..", name)).href}/`,
  ));
}

function noteVariable(name: string | symbol): void {
  if (typeof name === "string") current()?.variable(name);
}

function noteFile(kind: string, method: string, path: unknown, flags: unknown): void {
  const lookups = current();
  if (lookups === undefined || (method === "open" && typeof flags === "string" && !/^r[bs]*$/.test(flags))) return;
  const name = path instanceof URL && path.protocol === "file:" ? fileURLToPath(path) : path;
  if (typeof name !== "string" || CODE.test(name) || name.split(sep).includes("node_modules")) return;
  // A lookup in a folder of PATH looks for a program.
  const programs = (env["PATH"] ?? "").split(":");
  if (kind === "path" && programs.some((folder) => folder !== "" && name === `${folder}${sep}${basename(name)}`))
    lookups.add("program", basename(name), null);
  else lookups.add(kind, name, null);
}
