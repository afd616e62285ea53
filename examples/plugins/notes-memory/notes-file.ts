import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

export interface Note {
  readonly user: string;
  readonly assistant: string;
}

export function notesFile(home: string): string {
  return join(home, "notes-memory", "notes.jsonl");
}

export async function addNote(file: string, note: Note): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await appendFile(file, `${JSON.stringify(note)}\n`, { mode: 0o600 });
}

/** Those with the most words of the query, the newest first among equals. */
export async function searchNotes(file: string, query: string, most: number): Promise<readonly Note[]> {
  const wanted = wordsOf(query);
  const scored = (await readNotes(file)).map((note, at) => ({
    note,
    at,
    score: wordsOf(`${note.user} ${note.assistant}`).filter((word) => wanted.includes(word)).length,
  }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.at - a.at)
    .slice(0, most)
    .map(({ note }) => note);
}

export async function readNotes(file: string): Promise<readonly Note[]> {
  const text = await readFile(file, "utf8").catch(() => ""); // There are no notes yet.
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Note]));
}

/** Long enough to be significant. */
function wordsOf(text: string): readonly string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [])];
}
