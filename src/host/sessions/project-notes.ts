import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { readableText } from "../../contract/common/text-encoding.ts";
import type { ProjectNotes } from "../../contract/conversation/fact.ts";

/** The first of these in a folder applies. */
const NAMES = ["AGENTS.md", "agents.md", ".hermes.md", "HERMES.md", "CLAUDE.md", "claude.md", ".cursorrules"];
const DEFAULT_CHARS = 20_000;
const READ_BYTES = 2_000_000;

/** The notes of the project in this folder; `undefined` when there are none. Never throws. */
export function readProjectNotes(folder: string, maxChars: number | undefined): ProjectNotes | undefined {
  for (const name of NAMES) {
    const text = read(join(folder, name));
    const whole = text === undefined ? "" : withoutFrontmatter(text).trim();
    if (whole !== "") return { file: name, text: cut(whole, maxChars ?? DEFAULT_CHARS) };
  }
  return undefined;
}

/** Notes of the folders between `cwd` and these paths that were not read before, outermost first. */
export function readFolderNotes(
  cwd: string,
  paths: readonly string[],
  known: ReadonlySet<string>,
  maxChars: number | undefined,
): readonly { readonly folder: string; readonly notes: ProjectNotes | undefined }[] {
  const folders = new Set(paths.flatMap((path) => foldersBelow(cwd, path)).filter((folder) => !known.has(folder)));
  return [...folders].sort().map((folder) => {
    const notes = readProjectNotes(join(cwd, folder), maxChars);
    return { folder, notes: notes === undefined ? undefined : { ...notes, file: `${folder}/${notes.file}` } };
  });
}

/** `src/engine/x.ts` is in `src/engine` (if `x.ts` is not a folder) and in `src`. */
function foldersBelow(cwd: string, path: string): readonly string[] {
  const found: string[] = [];
  for (
    let folder = relative(cwd, resolve(cwd, path));
    folder !== "" && folder !== "." && !folder.startsWith("..");
    folder = dirname(folder)
  )
    found.push(folder);
  return found;
}

function read(file: string): string | undefined {
  let handle: number | undefined;
  if (!existsSync(file)) return undefined;
  try {
    // A pipe without a writer must not block the start.
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(handle);
    if (!stat.isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(stat.size, READ_BYTES));
    return readableText(bytes.subarray(0, readSync(handle, bytes)));
  } catch {
    return undefined; // Not there, or not ours to read: then it says nothing.
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function withoutFrontmatter(text: string): string {
  return text.replace(/^---\r?\n[\s\S]*?\r?\n---\s*(?:\r?\n|$)/, "");
}

/** The beginning and the end, which say most. */
function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = text.slice(0, Math.floor(maxChars * 0.7)).toWellFormed();
  const tail = text.slice(text.length - Math.floor(maxChars * 0.2)).toWellFormed();
  return `${head}\n[... ${text.length - head.length - tail.length} characters left out; read_file shows them ...]\n${tail}`;
}
