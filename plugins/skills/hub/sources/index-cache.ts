import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Json, SkillShelf } from "hermes-agent/plugin";
import { writeWhole } from "../../manage/write-whole.ts";

const FRESH_MS = 3_600_000;

/** A list of a registry, as it was within the last hour; else asked for and kept. */
export async function cachedIndex({ folder }: SkillShelf, key: string, ask: () => Promise<Json>): Promise<Json> {
  const file = join(folder, ".hub/index-cache", `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.json`);
  // A file's time has parts of a millisecond, and the clock has none: one of just now would lie ahead of it.
  const age = Date.now() - Math.floor(statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (age >= 0 && age < FRESH_MS) {
    try {
      return JSON.parse(readFileSync(file, "utf8")) as Json;
    } catch {
      // Broken: asked for again.
    }
  }
  const value = await ask();
  mkdirSync(join(folder, ".hub/index-cache"), { recursive: true, mode: 0o700 });
  writeWhole(file, JSON.stringify(value));
  return value;
}
