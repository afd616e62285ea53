import { existsSync } from "node:fs";
import { sep } from "node:path";
import { ToolFailure, type Terminal } from "hermes-agent/plugin";

/** Terminals that have had their first command. */
const used = new WeakSet<Terminal>();

/**
 * A terminal whose folder is gone starts in the nearest folder above it, where a command meant for that folder would
 * change something else: the first command is refused, and the message says where the terminal is.
 * @param folder The session's folder.
 * @throws {ToolFailure}
 */
export function refuseInLostFolder(terminal: Terminal, folder: string, workdir: string | undefined): void {
  if (used.has(terminal)) return;
  used.add(terminal);
  const isAbove = folder.startsWith(terminal.cwd.endsWith(sep) ? terminal.cwd : `${terminal.cwd}${sep}`);
  if (workdir !== undefined || !isAbove || existsSync(folder)) return;
  throw new ToolFailure("not_found", `The session's folder ${folder} no longer exists. Nothing was run.`, {
    hint: `The terminal is in ${terminal.cwd}. The next command runs there; workdir names another folder.`,
    data: { output: "", exit_code: -1, status: "error" },
  });
}
