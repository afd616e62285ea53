import { hash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ToolFailure } from "../../../contract/common/failure.ts";
import type { Prompter } from "../../../contract/conversation/question.ts";
import { runProgram } from "../install/run-program.ts";
import { adviceFor, ownPackage } from "./own-packages.ts";

const INSTALL = "Install it";
const LEAVE = "Leave it";

export interface PackagePorts {
  /** The folder of installed packages: `packages` in the agent's home. */
  readonly folder: string;
  /** `security.allow_lazy_installs`. */
  readonly allowed: boolean;
  /** Signal of the call that needs it. */
  readonly prompter: Prompter | undefined;
  readonly env: { readonly [name: string]: string };
  readonly signal: AbortSignal;
}

/**
 * Loads a package that a plugin names in its folder `packages`, whose lock file pins all dependencies, by version and
 * by content. Installs a missing one after approval, without running its code. The user has to install a package that
 * the plugin does not name.
 */
export async function loadPackage(
  plugin: { readonly key: string; readonly dir: string },
  name: string,
  ports: PackagePorts,
): Promise<unknown> {
  const [wanted, lock] = ["package.json", "package-lock.json"].map((file) => join(plugin.dir, "packages", file)) as [
    string,
    string,
  ];
  const pinned = pinnedVersion(plugin.dir, name);
  if (pinned === undefined) return ownPackage(name, ports.folder);
  // Another lock file gets another folder, so an update asks again.
  const folder = join(
    ports.folder,
    `${plugin.key.replaceAll("/", "-")}-${hash("sha256", readFileSync(lock)).slice(0, 12)}`,
  );
  if (!existsSync(join(folder, "node_modules", name, "package.json"))) {
    const locked = packagesOf(lock);
    await needConsent(
      `${name} ${pinned}`,
      [...locked.values()].filter(({ optional }) => optional !== true).length - 1,
      plugin.key,
      ports,
    );
    try {
      await install([wanted, lock], folder, locked, ports);
    } catch (cause) {
      ports.signal.throwIfAborted();
      const { message } = cause as Error;
      const hint = adviceFor(message);
      throw new ToolFailure("unavailable", `Cannot install the package ${name} ${pinned}: ${message}`, {
        cause,
        hint,
      });
    }
  }
  return import(pathToFileURL(createRequire(join(folder, "package.json")).resolve(name)).href);
}

/** The version of a package that the plugin in a folder names and installs on first use. */
export function pinnedVersion(dir: string, name: string): string | undefined {
  const wanted = join(dir, "packages", "package.json");
  return existsSync(wanted)
    ? (JSON.parse(readFileSync(wanted, "utf8")) as { readonly dependencies?: Record<string, string> }).dependencies?.[
        name
      ]
    : undefined;
}

async function needConsent(
  what: string,
  count: number,
  plugin: string,
  { allowed, prompter, signal }: PackagePorts,
): Promise<void> {
  if (!allowed)
    throw new ToolFailure(
      "unavailable",
      `The plugin "${plugin}" needs the package ${what}, but security.allow_lazy_installs is off.`,
      { hint: "Turn it on, or use an alternative that needs no package." },
    );
  const hint = "Use it once in an interactive session, which asks whether to install it.";
  if (prompter === undefined)
    throw new ToolFailure(
      "unavailable",
      `The plugin "${plugin}" needs the package ${what}, which is not installed, and there is no one to ask.`,
      { hint },
    );
  const text = `The plugin "${plugin}" needs the package ${what}, which is not installed. Install it into the agent's home? (${count} packages in all, pinned by version and content; the install runs none of their code)`;
  const answer = await prompter.ask({ kind: "choice", text, choices: [INSTALL, LEAVE], other: false }, signal);
  if (answer.kind !== "text" || answer.text !== INSTALL)
    throw new ToolFailure(
      "unavailable",
      `The package ${what} was not installed: ${answer.kind === "none" ? "no one answered" : "you said no"}.`,
    );
}

interface LockedPackage {
  readonly integrity?: string;
  readonly optional?: boolean;
}

/** Packages of a lock file by their path in the folder; the first is the folder itself. */
function packagesOf(lock: string): ReadonlyMap<string, LockedPackage> {
  return new Map(
    Object.entries(
      (JSON.parse(readFileSync(lock, "utf8")) as { readonly packages: Record<string, LockedPackage> }).packages,
    ),
  );
}

/** Installed beside its final folder, then moved, so that an interrupted install never looks complete. */
async function install(
  files: readonly string[],
  folder: string,
  locked: ReadonlyMap<string, LockedPackage>,
  { env, signal }: PackagePorts,
): Promise<void> {
  const stage = `${folder}.${process.pid}`;
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true, mode: 0o700 });
  try {
    for (const file of files) copyFileSync(file, join(stage, file.slice(file.lastIndexOf("/") + 1)));
    // Not `npm ci`, which refuses a lock file without the binaries for every platform. Short timeouts report a dead
    // network in seconds.
    const quick = ["--fetch-retries=1", "--fetch-retry-mintimeout=2000", "--fetch-timeout=30000"];
    await runProgram(
      "npm",
      [
        "install",
        "--no-save",
        "--ignore-scripts",
        "--omit=dev",
        "--omit=optional",
        "--no-audit",
        "--no-fund",
        "--no-update-notifier",
        "--loglevel=error",
        ...quick,
      ],
      { cwd: stage, env, signal },
    );
    for (const [path, { integrity }] of packagesOf(join(stage, "node_modules/.package-lock.json"))) {
      if (integrity !== locked.get(path)?.integrity)
        throw new Error(
          `npm installed ${path}, which is missing from the plugin's package-lock.json or has another checksum there.`,
        );
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(stage, folder);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
