import { existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ToolFailure, UserError } from "../../../contract/common/failure.ts";
import { runProgram } from "../install/run-program.ts";

/** Packages that the user chose, in the folder `own` of the home's `packages`. No plugin names or pins them. */

const NAME = /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i;
const VERSION = /^[\w.^~+-]+$/;

/** Why a package that no plugin names cannot be loaded, if so. */
export function lackOfOwnPackage(name: string, packages: string): ToolFailure | undefined {
  const folder = ownFolder(packages);
  if (!NAME.test(name)) return new ToolFailure("unavailable", `"${name}" is not the name of a package.`);
  if (existsSync(join(folder, "node_modules", name, "package.json"))) return undefined;
  return new ToolFailure(
    "unavailable",
    `The package ${name} is not part of a plugin, and is not installed in ${folder}.`,
    { hint: `If you trust it, run: hermes model install ${name}` },
  );
}

/** Loads it. Nothing pins these packages: only the user installs them. */
export async function ownPackage(name: string, packages: string): Promise<unknown> {
  const lack = lackOfOwnPackage(name, packages);
  if (lack !== undefined) throw lack;
  const folder = ownFolder(packages);
  return import(pathToFileURL(createRequire(join(folder, "package.json")).resolve(name)).href);
}

/**
 * Installs a package by name, without running its code. `NAME@VERSION` selects a version.
 *
 * @param publishedBefore Ignores versions that are newer.
 * @throws {UserError} with what npm reports, and what helps.
 */
export async function installOwnPackage(
  spec: string,
  packages: string,
  run: {
    readonly env: { readonly [name: string]: string };
    readonly signal: AbortSignal;
    readonly publishedBefore: Date | undefined;
  },
): Promise<void> {
  const at = spec.indexOf("@", 1);
  const [name, version] = at < 0 ? [spec, undefined] : [spec.slice(0, at), spec.slice(at + 1)];
  if (!NAME.test(name) || (version !== undefined && !VERSION.test(version)))
    throw new UserError(`"${spec}" is not the name of a package.`, {
      hint: "Write NAME or NAME@VERSION, for example @ai-sdk/mistral.",
      exitCode: 2,
    });
  const folder = ownFolder(packages);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const before = run.publishedBefore === undefined ? [] : [`--before=${run.publishedBefore.toISOString()}`];
  try {
    await runProgram(
      "npm",
      [
        "install",
        "--prefix",
        folder,
        "--ignore-scripts",
        "--omit=dev",
        "--no-audit",
        "--no-fund",
        "--no-update-notifier",
        "--loglevel=error",
        "--fetch-retries=1",
        "--fetch-retry-mintimeout=2000",
        "--fetch-timeout=30000",
        ...before,
        spec,
      ],
      { cwd: folder, env: run.env, signal: run.signal },
    );
  } catch (cause) {
    run.signal.throwIfAborted();
    const { message } = cause as Error;
    throw new UserError(`Cannot install the package ${spec}: ${message}`, { cause, hint: adviceFor(message) });
  }
}

/** What helps after npm failed with this message. */
export function adviceFor(message: string): string | undefined {
  return FAILED.find(([words]) => words.test(message))?.[1];
}

const FAILED: readonly (readonly [RegExp, string])[] = [
  [
    /with a date before|No versions available/,
    "Hermes installs a version only some hours after it was published, so that others can find problems first. plugins.cooling_off_hours sets how many.",
  ],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY)|CERT_|certificate/i,
    "npm does not trust a certificate, which can happen behind a company's proxy: set NODE_EXTRA_CA_CERTS to the file of the proxy's authority.",
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET|did not finish within/,
    "npm cannot connect to its registry: check the network, HTTPS_PROXY, and `npm config get registry`. Then try again.",
  ],
  [/ENOSPC|EACCES|EROFS/, "Check that the agent's home is writable and that the disk has space."],
  [/package-lock\.json/, "Report this to the plugin's author, who must update packages/package-lock.json."],
  [/npm is not installed, but/, "Install npm, which comes with Node.js."],
];

function ownFolder(packages: string): string {
  return join(packages, "own");
}
