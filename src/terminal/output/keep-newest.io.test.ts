import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { keepNewest } from "./keep-newest.ts";

test("deletes the oldest files above the size limit, but never the newest one", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "hermes-speech-"));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "folder"));
  for (const [name, at] of [
    ["made", 1],
    ["old", 2],
    ["middle", 3],
    ["new", 4],
  ] as const) {
    writeFileSync(join(folder, name), "12345");
    utimesSync(join(folder, name), at, at);
  }
  await keepNewest(folder, join(folder, "made"), 20);
  assert.deepEqual(readdirSync(folder).sort(), ["folder", "made", "middle", "new", "old"]);
  await keepNewest(folder, join(folder, "made"), 12);
  assert.deepEqual(readdirSync(folder).sort(), ["folder", "made", "new"]);
  await keepNewest(folder, join(folder, "made"), 1);
  assert.deepEqual(readdirSync(folder).sort(), ["folder", "made"]);
});
