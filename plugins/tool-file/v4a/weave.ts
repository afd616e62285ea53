import type { Hunk } from "./operation.ts";

/**
 * Combines a hunk's new lines with the matched lines of the file: context lines stay as in the file, and added lines
 * get the file's indentation of the lines around them, whatever the patch used.
 */
export function weave(there: readonly string[], hunk: Hunk): string[] {
  const indents = new Map<string, string>();
  let at = 0;
  for (const { kind, text } of hunk.lines) {
    if (kind === "add") continue;
    const line = there[at++]!;
    if (text.trim() !== "" && !indents.has(indentOf(text))) indents.set(indentOf(text), indentOf(line));
  }
  at = 0;
  return hunk.lines.flatMap(({ kind, text }) => {
    if (kind === "add") return [reindent(text, indents)];
    const line = there[at++]!;
    return kind === "context" ? [line] : [];
  });
}

/** Maps the longest indentation prefix that this line shares. */
function reindent(text: string, indents: ReadonlyMap<string, string>): string {
  if (text.trim() === "") return text;
  const written = indentOf(text);
  for (let length = written.length; length >= 0; length--) {
    const real = indents.get(written.slice(0, length));
    if (real !== undefined) return real + text.slice(length);
  }
  return text;
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}
