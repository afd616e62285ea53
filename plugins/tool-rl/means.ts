import { accessSync, constants, existsSync, readFileSync, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { ToolFailure, type Json } from "hermes-agent/plugin";

/** Requirements of training on this machine. */
export interface Means {
  readonly checkout: string;
  readonly python: string;
  readonly runApi: string;
}

export interface MeansPorts {
  /** The agent's home. */
  readonly home: string;
  setting(path: string): Json | undefined;
}

const OLDEST_MINOR = 11;

/**
 * Finds the requirements. Checks only files, because it runs whenever tools are listed. @returns A text with the next
 * step if something is missing.
 */
export function meansOf({ home, setting }: MeansPorts): Means | string {
  const checkout = placeOf(setting("rl.tinker_atropos_dir"), home) ?? join(home, "tinker-atropos");
  if (!existsSync(join(checkout, "launch_training.py")) || !existsSync(environmentsOf(checkout)))
    return `tinker-atropos is not checked out at ${checkout}. Run git clone https://github.com/NousResearch/tinker-atropos ${checkout}, or set rl.tinker_atropos_dir.`;
  const named = setting("rl.python");
  const python =
    typeof named === "string" && named !== ""
      ? programOf(named, checkout)
      : (runnable(join(checkout, ".venv/bin/python")) ?? onPath("python3"));
  if (python === undefined)
    return typeof named === "string" && named !== ""
      ? `rl.python is ${named}, which does not exist.`
      : `python3 is not installed. Training needs Python 3.${OLDEST_MINOR} or later, preferably in ${join(checkout, ".venv")}.`;
  const version = versionOf(python);
  if (version !== undefined && isTooOld(version)) return tooOld(python, version, checkout);
  const runApi = runnable(join(dirname(python), "run-api")) ?? onPath("run-api");
  return runApi === undefined
    ? `run-api is not installed next to ${python}. Run ${python} -m pip install -e ${checkout}`
    : { checkout, python, runApi };
}

/** What training needs; for use in a tool call. @throws {ToolFailure} if a requirement is missing by now. */
export function needMeans(ports: MeansPorts): Means {
  const means = meansOf(ports);
  if (typeof means === "string") throw new ToolFailure("unavailable", means);
  return means;
}

export function environmentsOf(checkout: string): string {
  return join(checkout, "tinker_atropos", "environments");
}

/** @param version For example `3.11`. */
export function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < 3 || (major === 3 && minor < OLDEST_MINOR);
}

export function tooOld(python: string, version: string, checkout: string): string {
  return `${python} is Python ${version}, but training needs 3.${OLDEST_MINOR} or later. Create ${join(checkout, ".venv")} with a later one, or set rl.python.`;
}

/** The version according to its files; `undefined` if unknown, then Python reports it when it runs. */
function versionOf(python: string): string | undefined {
  try {
    return /^version(?:_info)?\s*=\s*(\d+\.\d+)/m.exec(
      readFileSync(join(dirname(dirname(python)), "pyvenv.cfg"), "utf8"),
    )?.[1];
  } catch {
    // Not in a virtual environment.
  }
  try {
    const real = realpathSync(python);
    const named = /^python(\d+\.\d+)$/.exec(basename(real))?.[1];
    if (named !== undefined) return named;
    const libraries = readdirSync(join(dirname(dirname(real)), "lib")).flatMap(
      (name) => /^python(\d+\.\d+)$/.exec(name)?.[1] ?? [],
    );
    return libraries.length === 1 ? libraries[0] : undefined;
  } catch {
    return undefined; // A wrapper script that finds the interpreter at run time.
  }
}

function placeOf(setting: Json | undefined, base: string): string | undefined {
  if (typeof setting !== "string" || setting.trim() === "") return undefined;
  const open = setting.trim().replace(/^~(?=\/|$)/, homedir());
  return isAbsolute(open) ? join(open) : join(base, open);
}

function programOf(named: string, checkout: string): string | undefined {
  return named.includes("/") ? runnable(placeOf(named, checkout) ?? "") : onPath(named);
}

function onPath(name: string): string | undefined {
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .flatMap((folder) => (folder === "" ? [] : (runnable(join(folder, name)) ?? [])))[0];
}

function runnable(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return undefined;
  }
}
