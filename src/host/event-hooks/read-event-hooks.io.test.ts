import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readEventHooks } from "./read-event-hooks.ts";

test("a hooks path that is not a folder is reported as one broken hook, and does not stop the start", async (t) => {
  const path = mkdtempSync(join(tmpdir(), "hermes-hooks-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  writeFileSync(join(path, "hooks"), "not a folder");
  const [only, ...more] = await readEventHooks(join(path, "hooks"), join(path, "cache.json"));
  assert.deepEqual([only?.name, only?.run, only?.events, more], ["hooks", undefined, [], []]);
  assert.match(only?.problem ?? "", /its folder cannot be read: ENOTDIR/);
});
