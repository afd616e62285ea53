import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ToolContext } from "hermes-agent/plugin";

const MAX_CHARS = 15_000;

/** A snapshot as long as it may be, cut between lines; all of it lies in a file of the session. */
export async function fitSnapshot(text: string, call: Pick<ToolContext, "scratch" | "callId">): Promise<string> {
  if (text === "") return "(empty page)";
  if (text.length <= MAX_CHARS) return text;
  const end = text.lastIndexOf("\n", MAX_CHARS);
  const shown = text.slice(0, end > 0 ? end : MAX_CHARS).toWellFormed();
  const left = text.slice(shown.length).split("\n").length - 1;
  const file = join(await call.scratch(), `page-${call.callId.replaceAll(/[^\w-]/g, "_")}.txt`);
  await writeFile(file, text, { mode: 0o600 });
  return `${shown}\n[... ${left} more lines; all of them are in ${file}, which read_file shows by offset]`;
}
