import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readEventHooks } from "./read-event-hooks.ts";

test("a place for hooks that is no folder stops no start: it is one hook with a problem", async (t) => {
  const path = mkdtempSync(join(tmpdir(), "hermes-hooks-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  writeFileSync(join(path, "hooks"), "not a folder");
  const [only, ...more] = await readEventHooks(join(path, "hooks"), join(path, "cache.json"));
  assert.deepEqual([only?.name, only?.run, only?.events, more], ["hooks", undefined, [], []]);
  assert.match(only?.problem ?? "", /its folder cannot be read: ENOTDIR/);
});
