import { cpSync, existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { UserError } from "../../contract/common/failure.ts";
import type { UpdateCheck, UpdateOptions, UpdateResult } from "../../contract/services/update-service.ts";
import { replaceFolder } from "../plugins/install/replace-folder.ts";
import { runProgram } from "../plugins/install/run-program.ts";
import { makeFolder } from "../environment/make-folder.ts";
import { versionOf, type UpdatePorts } from "./installation.ts";
import { previousOf, savePrevious } from "./previous.ts";

interface Package {
  readonly name: string;
  readonly version: string;
}

/** Compares the installed package with the latest version, a named one, or a packed file. */
export async function checkPackage(ports: UpdatePorts, options: UpdateOptions): Promise<UpdateCheck> {
  const { name, version } = packageAt(ports.root);
  const latest = await versionToInstall(ports, name, options);
  const prefix = prefixOf(ports.root);
  return {
    kind: "package",
    root: ports.root,
    current: version,
    latest,
    // A named version may be older: the user asks for it.
    newer: options.from === undefined ? isNewer(latest, version) : latest !== version,
    changes: [],
    count: 0,
    obstacle: prefix === undefined ? `${ports.root} was not installed with \`npm install -g\`.` : undefined,
    hint: prefix === undefined ? "Update it with the package manager that installed it." : undefined,
  };
}

/** Installs the package in place of the present one, which is saved for a rollback. */
export async function updatePackage(ports: UpdatePorts, options: UpdateOptions): Promise<UpdateResult> {
  const { root } = ports;
  const check = await checkPackage(ports, options);
  if (check.obstacle !== undefined) throw new UserError(`${check.obstacle} Nothing was changed.`, { hint: check.hint });
  const { name, version } = packageAt(root);
  if (!check.newer)
    return { kind: "package", from: version, to: check.latest, unchanged: true, version: await versionOf(ports) };
  const copy = copyOf(ports, version);
  // With its own dependencies, so that a rollback needs no network.
  makeFolder(dirname(copy));
  rmSync(copy, { recursive: true, force: true });
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
  try {
    await npm(ports, options.signal, "install", "--global", "--prefix", prefixOf(root)!, specOf(name, options));
    const started = await versionOf(ports, options.signal);
    savePrevious(ports, { kind: "package", root, from: version, to: packageAt(root).version });
    return { kind: "package", from: version, to: check.latest, unchanged: false, version: started };
  } catch (cause) {
    replaceFolder(copy, root);
    throw new UserError(
      `The update failed and was taken back: ${cause instanceof Error ? cause.message : String(cause)}`,
      { hint: `Version ${version} is in place again.`, cause },
    );
  }
}

/** Puts the saved package back; the present one is saved in turn. */
export async function rollBackPackage(ports: UpdatePorts): Promise<UpdateResult> {
  const { root } = ports;
  const previous = previousOf(ports, "package");
  const { version } = packageAt(root);
  const copy = copyOf(ports, previous.from);
  if (!existsSync(join(copy, "package.json")))
    throw new UserError(`The saved version ${previous.from} is no longer in ${copy}.`, {
      hint: `Install it again: hermes update --from ${previous.from}`,
    });
  const present = copyOf(ports, version);
  if (present !== copy) {
    rmSync(present, { recursive: true, force: true });
    cpSync(root, present, { recursive: true, verbatimSymlinks: true });
  }
  replaceFolder(copy, root);
  const started = await versionOf(ports);
  savePrevious(ports, { kind: "package", root, from: version, to: previous.from });
  return { kind: "package", from: version, to: previous.from, unchanged: false, version: started };
}

function packageAt(root: string): Package {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Package;
}

function copyOf({ saved }: UpdatePorts, version: string): string {
  return join(saved, version);
}

/** The prefix of a global installation: `PREFIX/lib/node_modules/NAME`. */
function prefixOf(root: string): string | undefined {
  const modules = dirname(root);
  const lib = dirname(modules);
  return basename(modules) === "node_modules" && basename(lib) === "lib" ? dirname(lib) : undefined;
}

async function versionToInstall(ports: UpdatePorts, name: string, { from, signal }: UpdateOptions): Promise<string> {
  if (from !== undefined && isFile(from)) {
    // npm reads the manifest in the file.
    const [packed] = JSON.parse(
      await npm(ports, signal, "pack", "--dry-run", "--json", resolve(from)),
    ) as readonly Package[];
    if (packed?.name !== name)
      throw new UserError(`${from} contains the package "${packed?.name}", not "${name}".`, { exitCode: 2 });
    return packed.version;
  }
  return (await npm(ports, signal, "view", specOf(name, { from }), "version")).trim();
}

function specOf(name: string, { from }: UpdateOptions): string {
  if (from === undefined) return `${name}@latest`;
  if (isFile(from)) return resolve(from);
  if (!/^[\w][\w.+-]*$/.test(from))
    throw new UserError(`"${from}" is neither a version nor a file.`, {
      hint: "Name a version such as 0.2.0, or a packed file.",
      exitCode: 2,
    });
  return `${name}@${from}`;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

const QUIET = [
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  "--no-update-notifier",
  "--fetch-retry-mintimeout=1000",
  "--fetch-retry-maxtimeout=5000",
] as const;

function npm({ env, signal, saved }: UpdatePorts, own: AbortSignal | undefined, ...args: readonly string[]) {
  makeFolder(saved);
  return runProgram("npm", [...args, ...QUIET], {
    // Not the user's folder: npm would read its settings.
    cwd: saved,
    env,
    signal: own === undefined ? signal : AbortSignal.any([signal, own]),
  });
}

/** Compares versions such as 1.2.3 and 1.2.3-beta.1. */
export function isNewer(one: string, other: string): boolean {
  const [a, b] = [parts(one), parts(other)];
  for (let at = 0; at < 3; at++) if (a.numbers[at] !== b.numbers[at]) return a.numbers[at]! > b.numbers[at]!;
  if (a.pre === b.pre) return false;
  // A version without a suffix comes after its previews.
  return a.pre === "" || (b.pre !== "" && a.pre.localeCompare(b.pre, "en", { numeric: true }) > 0);
}

function parts(version: string): { readonly numbers: readonly number[]; readonly pre: string } {
  const [, major, minor, patch, pre = ""] = /^v?(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?/.exec(version) ?? [];
  return { numbers: [Number(major ?? 0), Number(minor ?? 0), Number(patch ?? 0)], pre };
}
