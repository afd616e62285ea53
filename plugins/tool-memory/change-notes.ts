import { ToolFailure } from "hermes-agent/plugin";
import { parseNotes, printNotes, sizeOf, usageOf, type Store } from "./notes.ts";

export interface Operation {
  readonly action: "add" | "replace" | "remove";
  readonly content: string;
  /** Text that occurs only in the entry to change. */
  readonly oldText: string;
}

export interface Changed {
  readonly entries: readonly string[];
  readonly message: string;
}

/**
 * Applies all operations or none. Checks the limit only for the final state.
 * @throws {ToolFailure} with the current entries, so that the model can correct the call.
 */
export function changeNotes(before: readonly string[], operations: readonly Operation[], store: Store): Changed {
  // Duplicate entries count as one, so a removal removes all copies.
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
        `${place}content is missing: pass the entry's whole text.${operation.action === "replace" ? " Use remove to delete an entry." : ""}`,
      );
    // A line with only § separates entries.
    if (parseNotes(content).length !== 1)
      throw refused(before, store, `${place}content has several entries; use one operation for each entry.`);
    if (operation.action === "add" && entries.includes(content)) {
      text.push("The entry already exists; no duplicate was added.");
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
  // Allow changes that shorten a file which is over the limit: the user may have made it that long.
  if (size > store.limit && (added || size > sizeOf(printNotes(before)))) {
    throw refused(
      before,
      store,
      `${store.path.split("/").at(-1)} would have ${size} characters; the limit is ${store.limit}. Nothing was saved.`,
      {},
      "Shorten or remove the least important entries in the same call, using operations.",
    );
  }
  return { entries, message: text.length === 1 ? text[0]! : `${text.length} operations applied.` };
}

/** The only entry that contains the text. */
function find(
  entries: readonly string[],
  { oldText, action }: Operation,
  fail: (words: string, more?: { readonly matches: readonly string[] }) => ToolFailure,
): number {
  const words = oldText.trim();
  if (words === "") throw fail(`old_text is missing: pass text of the entry to ${action}.`);
  const found = entries.flatMap((entry, index) => (entry.includes(words) ? [index] : []));
  if (found.length === 0) throw fail(`No entry contains "${words}".`);
  if (found.length > 1)
    throw fail(`${found.length} entries contain "${words}"; pass text that occurs in only one.`, {
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
