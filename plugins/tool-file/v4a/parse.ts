import type { Hunk, Operation } from "./operation.ts";

export type Parsed =
  | { readonly kind: "parsed"; readonly operations: readonly Operation[] }
  | { readonly kind: "refused"; readonly reason: string };

const HEADER = /^\*\*\*\s*(Update|Add|Delete|Move)\s+File:\s*(.+?)\s*$/;
/** Below an Update header: the new path of the file. */
const MOVE_TO = /^\*\*\*\s*Move to:\s*(.+?)\s*$/;
const MARKER = /^@@(?:\s*(.*?)\s*(@@)?)\s*$/;
/** `@@ -1,3 +1,4 @@`: line numbers of a unified diff are ignored, because the lines identify the position better. */
const LINE_NUMBERS = /^-\d+(?:,\d+)?\s+\+\d+(?:,\d+)?$/;

type Line = Hunk["lines"][number];
interface OpenHunk {
  hint?: string;
  firm: boolean;
  lines: Line[];
  /** Blank lines seen since the last other line: context if another line follows, else only spacing. */
  blanks: number;
}

/** Reads a V4A patch. Lines outside any section are skipped; a blank line inside a hunk is a blank line of context. */
export function parsePatch(text: string): Parsed {
  const operations: Operation[] = [];
  const problems: string[] = [];
  let update: { path: string; to?: string; hunks: OpenHunk[] } | undefined;
  let add: { path: string; lines: string[]; blanks: number } | undefined;

  const close = (): void => {
    if (add !== undefined)
      operations.push({ kind: "add", path: add.path, content: add.lines.map((line) => `${line}\n`).join("") });
    if (update !== undefined) {
      const { path, to } = update;
      const hunks = update.hunks.filter((hunk) => hunk.lines.length > 0);
      if (hunks.length > 0)
        operations.push({ kind: "update", path, hunks: hunks.map(({ hint, firm, lines }) => ({ hint, firm, lines })) });
      else if (to === undefined) problems.push(`UPDATE '${path}': no hunks found`);
      if (to !== undefined) operations.push({ kind: "move", path, to });
    }
    add = undefined;
    update = undefined;
  };

  for (const raw of text.replaceAll("\r\n", "\n").split("\n")) {
    if (/^\*\*\*\s*Begin Patch\s*$/.test(raw)) continue;
    if (/^\*\*\*\s*End Patch\s*$/.test(raw)) break;
    if (/^\*\*\* End of File\s*$/.test(raw)) continue;
    const header = HEADER.exec(raw);
    if (header !== null) {
      close();
      const path = header[2]!;
      if (header[1] === "Update") update = { path, hunks: [] };
      else if (header[1] === "Add") add = { path, lines: [], blanks: 0 };
      else if (header[1] === "Delete") operations.push({ kind: "delete", path });
      else {
        const ends = /^(.+?)\s*->\s*(.+)$/.exec(path);
        if (ends === null) problems.push(`MOVE '${path}': expected 'from -> to'`);
        else operations.push({ kind: "move", path: ends[1]!, to: ends[2]! });
      }
      continue;
    }
    const to = update === undefined ? undefined : MOVE_TO.exec(raw)?.[1];
    if (update !== undefined && to !== undefined) update.to = to;
    else if (add !== undefined) readAdded(add, raw);
    else if (update !== undefined) readUpdated(update.hunks, raw);
  }
  close();
  if (problems.length > 0) return { kind: "refused", reason: `Cannot parse the patch: ${problems.join("; ")}` };
  return { kind: "parsed", operations };
}

function readAdded(add: { lines: string[]; blanks: number }, raw: string): void {
  if (raw.startsWith("+")) {
    for (; add.blanks > 0; add.blanks--) add.lines.push("");
    add.lines.push(raw.slice(1));
  } else if (raw === "" && add.lines.length > 0) add.blanks++;
}

function readUpdated(hunks: OpenHunk[], raw: string): void {
  const marker = raw.startsWith("@@") ? MARKER.exec(raw) : null;
  if (marker !== null) {
    const hint = marker[1] ?? "";
    const useful = hint !== "" && !LINE_NUMBERS.test(hint);
    hunks.push({ hint: useful ? hint : undefined, firm: useful && marker[2] !== undefined, lines: [], blanks: 0 });
    return;
  }
  if (raw.startsWith("\\ No newline")) return;
  let hunk = hunks.at(-1);
  if (raw === "") {
    if (hunk !== undefined) hunk.blanks++;
    return;
  }
  if (hunk === undefined) hunks.push((hunk = { firm: false, lines: [], blanks: 0 }));
  // Blank lines before the first line are context too, once a line follows.
  for (; hunk.blanks > 0; hunk.blanks--) hunk.lines.push({ kind: "context", text: "" });
  hunk.lines.push(lineOf(raw));
}

function lineOf(raw: string): Line {
  if (raw.startsWith("+")) return { kind: "add", text: raw.slice(1) };
  if (raw.startsWith("-")) return { kind: "remove", text: raw.slice(1) };
  // Accept a context line without its leading space.
  return { kind: "context", text: raw.startsWith(" ") ? raw.slice(1) : raw };
}
