import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

const ROOT = join(import.meta.dirname, "../..");
const LIMIT = 25;
/** A table with one file per group of programs. */
const TABLES = ["src/safety/commands/programs"];

test(`no folder has more than ${LIMIT} source files`, () => {
  const counts = new Map<string, number>();
  for (const file of globSync("{src,plugins,scripts,bench,test,examples}/**/*.{ts,py,cjs}", { cwd: ROOT }))
    if (!/(\.test|\.bench|-fixture|-cases)\.ts$/.test(file) && !file.includes("node_modules"))
      counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  assert.ok(counts.size > 100, "the glob finds the project's folders");
  assert.deepEqual(
    [...counts]
      .filter(([folder, count]) => count > LIMIT && !TABLES.includes(folder))
      .map(([folder, count]) => `${folder} has ${count} source files: group them by phase or by the data they own`),
    [],
  );
});
