import { hash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ToolFailure } from "../../../contract/common/failure.ts";
import type { Prompter } from "../../../contract/conversation/question.ts";
import { runProgram } from "../install/run-program.ts";

const INSTALL = "Install it";
const LEAVE = "Leave it";

export interface PackagePorts {
  /** Where packages are put: `packages` in the agent's home. */
  readonly folder: string;
  /** `security.allow_lazy_installs`. */
  readonly allowed: boolean;
  /** Of the call that wants it. */
  readonly prompter: Prompter | undefined;
  readonly env: { readonly [name: string]: string };
  readonly signal: AbortSignal;
}

/**
 * Loads a package that a plugin names in its folder `packages`, whose lock file pins all that it brings, by version and by content. What is
 * not there is installed after a yes, without running anything of it. A package that it does not name is one that the person installed.
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
  // Another lock file is another folder: an update asks again.
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
      const hint = FAILED.find(([words]) => words.test(message))?.[1];
      throw new ToolFailure("unavailable", `The package ${name} ${pinned} could not be installed: ${message}`, {
        cause,
        hint,
      });
    }
  }
  return import(pathToFileURL(createRequire(join(folder, "package.json")).resolve(name)).href);
}

/** The version of a package that the plugin in a folder names, and brings along when it is first used. */
export function pinnedVersion(dir: string, name: string): string | undefined {
  const wanted = join(dir, "packages", "package.json");
  return existsSync(wanted)
    ? (JSON.parse(readFileSync(wanted, "utf8")) as { readonly dependencies?: Record<string, string> }).dependencies?.[
        name
      ]
    : undefined;
}

/** Why a package that no plugin names cannot be loaded, if so. */
export function lackOfOwnPackage(name: string, packages: string): ToolFailure | undefined {
  const folder = ownFolder(packages);
  if (!/^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i.test(name))
    return new ToolFailure("unavailable", `"${name}" is not the name of a package.`);
  if (existsSync(join(folder, "node_modules", name, "package.json"))) return undefined;
  return new ToolFailure(
    "unavailable",
    `The package ${name} comes with no plugin, and is not installed in ${folder}.`,
    { hint: `Where you trust it: npm install --ignore-scripts --prefix '${folder}' ${name}` },
  );
}

/** Nothing pins these: a person put them there, and nobody else does. */
async function ownPackage(name: string, packages: string): Promise<unknown> {
  const lack = lackOfOwnPackage(name, packages);
  if (lack !== undefined) throw lack;
  const folder = ownFolder(packages);
  return import(pathToFileURL(createRequire(join(folder, "package.json")).resolve(name)).href);
}

function ownFolder(packages: string): string {
  return join(packages, "own");
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
      `The plugin "${plugin}" needs the package ${what}, and security.allow_lazy_installs is off.`,
      { hint: "Turn it on, or choose something else that needs no package." },
    );
  const hint = "Use it once in an interactive session, which asks whether to install it.";
  if (prompter === undefined)
    throw new ToolFailure(
      "unavailable",
      `The plugin "${plugin}" needs the package ${what}, which is not installed, and nobody is here to ask.`,
      { hint },
    );
  const text = `The plugin "${plugin}" needs the package ${what}, which is not installed (${count} packages in all, pinned by version and content; nothing of them is run while they are installed). Install it into the agent's home?`;
  const answer = await prompter.ask({ kind: "choice", text, choices: [INSTALL, LEAVE], other: false }, signal);
  if (answer.kind !== "text" || answer.text !== INSTALL)
    throw new ToolFailure(
      "unavailable",
      `The package ${what} was not installed: ${answer.kind === "none" ? "nobody answered" : "the person said no"}.`,
    );
}

const FAILED: readonly (readonly [RegExp, string])[] = [
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY)|CERT_|certificate/i,
    "npm does not trust a certificate on the way, as behind a company's proxy: set NODE_EXTRA_CA_CERTS to the file of its authority.",
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET|did not end within/,
    "npm does not reach its registry: look at the network, HTTPS_PROXY, and `npm config get registry`. The next use asks again.",
  ],
  [/ENOSPC|EACCES|EROFS/, "Look whether the agent's home can be written and has room."],
  [/is not there/, "Install npm, which comes with Node.js."],
];

interface LockedPackage {
  readonly integrity?: string;
  readonly optional?: boolean;
}

/** By place in the folder; the first is the folder itself. */
function packagesOf(lock: string): ReadonlyMap<string, LockedPackage> {
  return new Map(
    Object.entries(
      (JSON.parse(readFileSync(lock, "utf8")) as { readonly packages: Record<string, LockedPackage> }).packages,
    ),
  );
}

/** In a folder beside its place, and moved: what broke off leaves nothing that looks installed. */
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
    // Not `npm ci`, which refuses a lock without the binaries for every platform. A dead network is said in seconds, not minutes.
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
        throw new Error(`${path} is not what the lock file of the plugin names.`);
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(stage, folder);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
