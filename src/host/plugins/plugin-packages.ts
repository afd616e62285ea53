import { hash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ToolFailure } from "../../contract/failure.ts";
import type { Person } from "../../contract/question.ts";
import { runProgram } from "./install/run-program.ts";

const INSTALL = "Install it";
const LEAVE = "Leave it";

export interface PackagePorts {
  /** Where packages are put: `packages` in the agent's home. */
  readonly folder: string;
  /** `security.allow_lazy_installs`. */
  readonly allowed: boolean;
  /** Of the call that wants it. */
  readonly person: Person | undefined;
  readonly env: { readonly [name: string]: string };
  readonly signal: AbortSignal;
}

/**
 * Loads a package that a plugin names in its folder `packages`, whose lock file pins all that it brings, by version and by content. What is
 * not there is installed after a yes, without running anything of it.
 */
export async function loadPackage(plugin: { readonly key: string; readonly dir: string }, name: string, ports: PackagePorts): Promise<unknown> {
  const [wanted, lock] = ["package.json", "package-lock.json"].map((file) => join(plugin.dir, "packages", file)) as [string, string];
  const pinned = (JSON.parse(readFileSync(wanted, "utf8")) as { readonly dependencies?: Record<string, string> }).dependencies?.[name];
  if (pinned === undefined) throw new ToolFailure("unavailable", `The plugin "${plugin.key}" names no package ${name}.`);
  // Another lock file is another folder: an update asks again.
  const folder = join(ports.folder, `${plugin.key.replaceAll("/", "-")}-${hash("sha256", readFileSync(lock)).slice(0, 12)}`);
  if (!existsSync(join(folder, "node_modules", name, "package.json"))) {
    await needConsent(`${name} ${pinned}`, Object.keys((JSON.parse(readFileSync(lock, "utf8")) as { readonly packages: object }).packages).length - 1, plugin.key, ports);
    await install([wanted, lock], folder, ports);
  }
  return import(pathToFileURL(createRequire(join(folder, "package.json")).resolve(name)).href);
}

async function needConsent(what: string, count: number, plugin: string, { allowed, person, signal }: PackagePorts): Promise<void> {
  if (!allowed) throw new ToolFailure("unavailable", `The plugin "${plugin}" needs the package ${what}, and security.allow_lazy_installs is off.`, { hint: "Turn it on, or choose something else that needs no package." });
  const hint = "Use it once in an interactive session, which asks whether to install it.";
  if (person === undefined) throw new ToolFailure("unavailable", `The plugin "${plugin}" needs the package ${what}, which is not installed, and nobody is here to ask.`, { hint });
  const text = `The plugin "${plugin}" needs the package ${what}, which is not installed (${count} packages in all, pinned by version and content; nothing of them is run while they are installed). Install it into the agent's home?`;
  const answer = await person.ask({ kind: "choice", text, choices: [INSTALL, LEAVE], other: false }, signal);
  if (answer.kind !== "text" || answer.text !== INSTALL) throw new ToolFailure("unavailable", `The package ${what} was not installed: ${answer.kind === "none" ? "nobody answered" : "the person said no"}.`);
}

/** In a folder beside its place, and moved: what broke off leaves nothing that looks installed. */
async function install(files: readonly string[], folder: string, { env, signal }: PackagePorts): Promise<void> {
  const stage = `${folder}.${process.pid}`;
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true, mode: 0o700 });
  try {
    for (const file of files) copyFileSync(file, join(stage, file.slice(file.lastIndexOf("/") + 1)));
    await runProgram("npm", ["ci", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"], { cwd: stage, env, signal });
    rmSync(folder, { recursive: true, force: true });
    renameSync(stage, folder);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
