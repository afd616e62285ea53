import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { plantedWords, type RiskContext } from "hermes-agent/plugin";
import { fullUsageOf, parseNotes, sizeOf, storeOf, type Target } from "./notes.ts";

const TITLES: { readonly [T in Target]: string } = {
  memory: "# Your notes from earlier sessions",
  user: "# What you know of the person",
};

/** Both stores as a session begins with them; "" when there is nothing in them. */
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
        : `[BLOCKED: an entry of ${store.path} reads like an order that nobody of here gave; remove it or have the person look at it]`,
    ),
  );
  return `${TITLES[target]} [${fullUsageOf(entries, store.limit)}]\n${cut(shown.join("\n§\n"), store.limit, store.path)}`;
}

/** A file that a person made longer than it may be is shown as far as it may go. */
function cut(text: string, limit: number, path: string): string {
  const over = sizeOf(text) - limit;
  return over <= 0
    ? text
    : `${[...text].slice(0, limit).join("")}\n[${over} more characters are in ${path}, over its limit of ${limit}]`;
}

const MAX_BYTES = 1_000_000;

/** What cannot be read holds nothing. */
async function textOf(file: string): Promise<string> {
  try {
    // A pipe that nobody writes to must not hold the start up.
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(Math.min(size, MAX_BYTES)),
      0,
      Math.min(size, MAX_BYTES),
      0,
    );
    return buffer.toString("utf8", 0, bytesRead);
  } catch {
    return ""; // Not there, or not ours to read.
  }
}
