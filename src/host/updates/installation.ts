import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UserError } from "../../contract/common/failure.ts";
import { runProgram } from "../plugins/install/run-program.ts";

export interface UpdatePorts {
  /** Folder of the program: of a clone, or of the installed package. */
  readonly root: string;
  /** Folder for what a rollback needs. */
  readonly saved: string;
  /** Version of this process. */
  readonly version: string;
  readonly now: () => number;
  /** Environment of git and npm. */
  readonly env: { readonly [name: string]: string };
  readonly signal: AbortSignal;
}

const NAME = "hermes-agent-ts";

/**
 * The folder of the program that contains this file: of the clone, also if a build of it runs, or of the package.
 * @throws {UserError} if there is none.
 */
export function programRoot(from: string): string {
  let found: string | undefined;
  for (let folder = from; ; folder = dirname(folder)) {
    if (isProgram(folder)) {
      if (isClone(folder)) return folder;
      found ??= folder;
    }
    if (dirname(folder) === folder) break;
  }
  if (found !== undefined) return found;
  throw new UserError("Cannot find the folder of this program.", { hint: "Install Hermes again." });
}

function isProgram(folder: string): boolean {
  try {
    return (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { name?: string }).name === NAME;
  } catch {
    return false; // No manifest, or not JSON.
  }
}

export function isClone(root: string): boolean {
  return existsSync(join(root, ".git")) && existsSync(join(root, "hermes"));
}

/** Starts the program in a separate process. @returns what it prints. @throws {UserError} if it does not start. */
export async function versionOf({ root, env, signal }: UpdatePorts, own?: AbortSignal): Promise<string> {
  const run = { cwd: root, env, signal: own === undefined ? signal : AbortSignal.any([signal, own]) };
  // The launcher of a clone also installs the dependencies that the new version needs.
  return isClone(root)
    ? (await runProgram(join(root, "hermes"), ["--version"], run)).trim()
    : (await runProgram(process.execPath, [join(root, "dist", "hermes.cjs"), "--version"], run)).trim();
}
