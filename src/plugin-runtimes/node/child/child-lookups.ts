import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Json } from "../../../contract/common/json.ts";
import { currentCall } from "./current-call.ts";

type Anything = (this: unknown, ...args: unknown[]) => unknown;
type Functions = { [name: string]: Anything };

/** What one plugin looks up while it loads. */
class Lookups {
  readonly #variables = new Set<string>();
  readonly #found = new Map<string, Json>();

  variable(name: string): void {
    this.#variables.add(name);
  }

  add(kind: string, name: string, found: boolean | null): void {
    const full = this.#found.size >= MOST;
    this.#found.set(full ? "unknown" : `${kind} ${name}`, full ? ["unknown", "", null] : [kind, name, found]);
  }

  /** As the result of `plugin.load`. */
  reported(): Json {
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

const loading = new Map<string, Lookups>();
let restore: (() => void) | undefined;

/** Runs the load of a plugin, and returns what the plugin looked up in the system. */
export async function withLookups(key: string, load: () => Promise<unknown>): Promise<Json> {
  const lookups = new Lookups();
  loading.set(key, lookups);
  restore ??= watch();
  try {
    await load();
  } finally {
    loading.delete(key);
    if (loading.size === 0) {
      restore();
      restore = undefined;
    }
  }
  return lookups.reported();
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
  const { env } = process;
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
  return loading.get(currentCall.getStore()?.plugin ?? "");
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
  const programs = (process.env["PATH"] ?? "").split(":");
  if (kind === "path" && programs.some((folder) => folder !== "" && name === `${folder}${sep}${basename(name)}`))
    lookups.add("program", basename(name), null);
  else lookups.add(kind, name, null);
}
