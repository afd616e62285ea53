import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ToolContext } from "hermes-agent/plugin";

const MAX_CHARS = 15_000;

/** A snapshot within the size limit, cut between lines; a file of the session contains all of it. */
export async function fitSnapshot(text: string, call: Pick<ToolContext, "scratch" | "callId">): Promise<string> {
  if (text === "") return "(empty page)";
  if (text.length <= MAX_CHARS) return text;
  const end = text.lastIndexOf("\n", MAX_CHARS);
  const shown = text.slice(0, end > 0 ? end : MAX_CHARS).toWellFormed();
  const left = text.slice(shown.length).split("\n").length - 1;
  const file = join(await call.scratch(), `page-${call.callId.replaceAll(/[^\w-]/g, "_")}.txt`);
  await writeFile(file, text, { mode: 0o600 });
  return `${shown}\n[... ${left} more lines; the full text is in ${file}; use read_file with offset]`;
}
