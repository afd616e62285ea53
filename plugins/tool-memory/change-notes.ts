import { ToolFailure } from "hermes-agent/plugin";
import { parseNotes, printNotes, sizeOf, usageOf, type Store } from "./notes.ts";

export interface Operation {
  readonly action: "add" | "replace" | "remove";
  readonly content: string;
  /** Part of the entry that is meant. */
  readonly oldText: string;
}

export interface Changed {
  readonly entries: readonly string[];
  readonly message: string;
}

/**
 * The entries after all of these operations, of which none counts when one cannot be done. The limit is held against the end alone.
 * @throws {ToolFailure} with what the store holds, so that the next try can be right.
 */
export function changeNotes(before: readonly string[], operations: readonly Operation[], store: Store): Changed {
  // Entries that are alike are one: what is removed is not there a second time.
  const different = [...new Set(before)];
  let entries: readonly string[] = different.length === before.length ? before : different;
  let added = false;
  const text: string[] = [];
  for (const [at, operation] of operations.entries()) {
    const place = operations.length > 1 ? `Operation ${at + 1} (${operation.action}): ` : "";
    const found =
      operation.action === "add"
        ? undefined
        : find(entries, operation, (words, more) => refused(before, store, `${place}${words}`, more));
    if (operation.action === "remove") {
      entries = entries.filter((_, index) => index !== found);
      text.push("Entry removed.");
      continue;
    }
    const content = operation.content.trim();
    if (content === "")
      throw refused(
        before,
        store,
        `${place}content is missing: it is the entry's whole text.${operation.action === "replace" ? " remove deletes an entry." : ""}`,
      );
    // A line with nothing but § ends an entry.
    if (parseNotes(content).length !== 1)
      throw refused(before, store, `${place}content is one entry; give each entry an operation of its own.`);
    if (operation.action === "add" && entries.includes(content)) {
      text.push("The entry is there already; no duplicate was added.");
      continue;
    }
    entries =
      operation.action === "add"
        ? [...entries, content]
        : entries.map((entry, index) => (index === found ? content : entry));
    added = true;
    text.push(operation.action === "add" ? "Entry added." : "Entry replaced.");
  }
  const size = sizeOf(printNotes(entries));
  // What only gets shorter may stay too long: a person may have made it so.
  if (size > store.limit && (added || size > sizeOf(printNotes(before)))) {
    throw refused(
      before,
      store,
      `${store.path.split("/").at(-1)} would have ${size} characters, and holds at most ${store.limit}. Nothing was saved.`,
      {},
      "Shorten or remove entries that matter least, in the same call as operations, and try again.",
    );
  }
  return { entries, message: text.length === 1 ? text[0]! : `${text.length} operations applied.` };
}

/** The one entry that holds the words. */
function find(
  entries: readonly string[],
  { oldText, action }: Operation,
  fail: (words: string, more?: { readonly matches: readonly string[] }) => ToolFailure,
): number {
  const words = oldText.trim();
  if (words === "") throw fail(`old_text is missing: words of the entry to ${action}.`);
  const found = entries.flatMap((entry, index) => (entry.includes(words) ? [index] : []));
  if (found.length === 0) throw fail(`No entry holds "${words}".`);
  if (found.length > 1)
    throw fail(`${found.length} entries hold "${words}"; give words that only one has.`, {
      matches: found.map((index) => preview(entries[index]!)),
    });
  return found[0]!;
}

function refused(
  entries: readonly string[],
  store: Store,
  message: string,
  more: { readonly matches?: readonly string[] } = {},
  hint?: string,
): ToolFailure {
  return new ToolFailure("conflict", message, {
    data: { success: false, ...more, current_entries: entries, usage: usageOf(entries, store.limit) },
    hint,
  });
}

function preview(entry: string): string {
  const line = entry.replaceAll(/\s+/g, " ");
  return line.length > 80 ? `${line.slice(0, 79).toWellFormed()}…` : line;
}
