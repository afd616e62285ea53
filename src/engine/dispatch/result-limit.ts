import type { Part } from "../../contract/conversation/part.ts";
import { textOf } from "../../contract/conversation/part.ts";

const PREVIEW_CHARS = 1_500;

/**
 * A result as the model is shown it: short ones as they are, long ones kept in a file and replaced by their beginning
 * and how to read on.
 * @param spill Keeps the whole text and returns where; when it cannot, the preview says that the rest is lost.
 */
export async function limitResult(
  parts: readonly Part[],
  maxChars: number | "unlimited",
  spill: (text: string) => Promise<string>,
): Promise<readonly Part[]> {
  if (maxChars === "unlimited") return parts;
  const chars = parts.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0);
  if (chars <= maxChars) return parts;
  const text = textOf(parts);
  const saved = await spill(text).then(
    (path) => ({
      path,
      hint: `The whole result is in this file. Read it in pages: read_file with path ${JSON.stringify(path)}, offset and limit.`,
    }),
    (cause: unknown) => ({
      hint: `The rest could not be saved (${cause instanceof Error ? cause.message : String(cause)}). Ask for less at a time.`,
    }),
  );
  const note = { persisted_output: { chars, bytes: Buffer.byteLength(text), ...saved }, preview: beginning(text) };
  return [{ type: "text", text: JSON.stringify(note) }, ...parts.filter((part) => part.type !== "text")];
}

/** Cut at the last line end, if that keeps more than half. */
function beginning(text: string): string {
  // Half a surrogate pair at the cut would not survive UTF-8.
  const start = text.slice(0, PREVIEW_CHARS).replace(/[\uD800-\uDBFF]$/, "");
  const line = start.lastIndexOf("\n");
  return `${line > PREVIEW_CHARS / 2 ? start.slice(0, line) : start}\n...`;
}
