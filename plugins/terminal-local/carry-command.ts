import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileText, inlineText, type CommandText } from "hermes-agent/terminal";

/** A longer command travels by a file, which bash reads in blocks. */
const INLINE_LIMIT = 1_024;

/**
 * Puts text that is too long for the shell's pipe, and a command's input, into files of the shell's folder. @returns
 * The text to send to the shell instead.
 */
export function carryCommand(
  directory: string,
  id: number,
  run: { readonly command: string; readonly stdin: string | Uint8Array | undefined },
): { text: CommandText; stdin: string; files: string[] } {
  const files: string[] = [];
  const put = (name: string, content: string | Uint8Array) => {
    const file = join(directory, name);
    writeFileSync(file, content, { mode: 0o600 });
    files.push(file);
    return file;
  };
  const text = run.command.length > INLINE_LIMIT ? fileText(put(`${id}.text`, run.command)) : inlineText(run.command);
  const stdin = run.stdin === undefined || run.stdin.length === 0 ? "/dev/null" : `"$__h/${id}.stdin"`;
  if (run.stdin !== undefined && run.stdin.length > 0) put(`${id}.stdin`, run.stdin);
  return { text, stdin, files };
}
