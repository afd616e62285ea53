import { spawn, spawnSync } from "node:child_process";
import { UserError } from "../../../contract/common/failure.ts";

/** Tried in order if neither VISUAL nor EDITOR is set. */
const EDITORS = ["editor", "nano", "vim", "vi"];

/** The user's editor, a shell command. @throws {UserError} There is none. */
export function textEditor(): string {
  const usual = (): string | undefined =>
    EDITORS.find((name) => spawnSync("sh", ["-c", 'command -v "$1"', "sh", name]).status === 0);
  const editor = process.env["VISUAL"] || process.env["EDITOR"] || usual();
  if (editor === undefined) throw new UserError("No editor is set.", { hint: "Set EDITOR to the editor you use." });
  return editor;
}

/**
 * Opens a file in the editor and waits until it closes.
 * @throws {UserError} The editor cannot be started, or fails.
 */
export async function editFile(editor: string, file: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  spawn("sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" })
    .once("error", reject)
    .once("exit", resolve);
  const status = await promise.catch((cause: Error) => {
    throw new UserError(`Cannot start the editor "${editor}": ${cause.message}`);
  });
  if (status !== 0)
    throw new UserError(`The editor "${editor}" exited with status ${status}.`, {
      hint: "Set VISUAL or EDITOR to another editor.",
    });
}
