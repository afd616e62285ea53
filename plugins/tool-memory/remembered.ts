import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { plantedWords, readableText, type RiskContext } from "hermes-agent/plugin";
import { fullUsageOf, parseNotes, sizeOf, storeOf, type Target } from "./notes.ts";

const TITLES: { readonly [T in Target]: string } = {
  memory: "# Your notes from earlier sessions",
  user: "# What you know about the user",
};

/** Both stores as prompt text for a new session; "" when they are empty. */
export async function remembered({ agentHome, config }: Pick<RiskContext, "agentHome" | "config">): Promise<string> {
  const sections = await Promise.all((["user", "memory"] as const).map((target) => section(target, agentHome, config)));
  return sections.filter((text) => text !== "").join("\n\n");
}

async function section(target: Target, home: string, config: RiskContext["config"]): Promise<string> {
  const store = storeOf(target, config);
  if (!store.enabled) return "";
  const entries = parseNotes(await textOf(join(home, store.path)));
  if (entries.length === 0) return "";
  const shown = await Promise.all(
    entries.map(async (entry) =>
      (await plantedWords(entry)) === undefined
        ? entry
        : `[BLOCKED: an entry of ${store.path} looks like an injected instruction; remove it or ask the user to check it]`,
    ),
  );
  return `${TITLES[target]} [${fullUsageOf(entries, store.limit)}]\n${cut(shown.join("\n§\n"), store.limit, store.path)}`;
}

/** Truncates a file that is over the limit, for example after a manual edit. */
function cut(text: string, limit: number, path: string): string {
  const over = sizeOf(text) - limit;
  return over <= 0
    ? text
    : `${[...text].slice(0, limit).join("")}\n[${over} more characters are in ${path}, over its limit of ${limit}]`;
}

const MAX_BYTES = 1_000_000;

/** An unreadable file counts as empty. */
async function textOf(file: string): Promise<string> {
  try {
    // A named pipe without a writer must not block the start.
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(Math.min(size, MAX_BYTES)),
      0,
      Math.min(size, MAX_BYTES),
      0,
    );
    return readableText(buffer.subarray(0, bytesRead));
  } catch {
    return ""; // Missing or not readable.
  }
}
