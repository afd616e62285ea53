import type { Hunk } from "./operation.ts";

/**
 * A hunk's new lines over the lines it was found at: context stays as the file has it, and added lines are indented the way the file
 * indents the lines around them, whatever indentation the patch was written with.
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

/** By the longest written indentation that this line shares. */
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
