import { posix } from "node:path";
import type { Call } from "../evaluate/call.ts";
import { hasMark } from "../parse/marks.ts";

/**
 * A repository in another place than the one the command runs in: its configuration may name programs, and git runs
 * them for a mere `status`.
 */
export function judgeRepository(directory: string, call: Call): void {
  if (hasMark(directory) && !directory.startsWith("/")) return;
  for (const path of call.by.paths(directory, call.state)) {
    const own = call.state.cwds.some(
      (cwd) => cwd !== undefined && (isBelow(path, cwd) || isBelow(cwd, posix.dirname(path))),
    );
    if (!own && !hasMark(path))
      call.by.harm("git-config-runs", `git uses the repository ${directory}, whose configuration can run programs`);
  }
}

const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);

/** Subcommands that read the files of the work tree. */
const READS_FILES = /^(?:add|commit|diff|stash|grep|update-index|stage|hash-object|archive|show|checkout-index)$/;

/** A home as the work tree: its secrets are files like others. */
export function judgeWorkTree(directory: string, verb: string, call: Call): void {
  if (READS_FILES.test(verb)) call.by.read(directory, call, { recursive: true, shown: true });
}
