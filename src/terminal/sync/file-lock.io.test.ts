import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as nextRound } from "node:timers/promises";
import { withFileLock } from "./file-lock.ts";

/** No process has it. */
const GONE = "999999999";

test("many waiters on a dead agent's lock take it one after the other, and none takes a live lock", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "hermes-lock-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "files.lock");
  let [inside, most, done] = [0, 0, 0];
  const one = async (round: number) =>
    withFileLock(path, async () => {
      most = Math.max(most, ++inside);
      for (let at = 0; at < 5; at++) await nextRound();
      inside--;
      done++;
      // The next ones find a left lock, too.
      if (round === 0) writeFileSync(path, GONE);
    });
  writeFileSync(path, GONE);
  await Promise.all(Array.from({ length: 24 }, (_, at) => one(at % 8)));
  assert.deepEqual([most, done], [1, 24]);
  assert.equal(existsSync(`${path}.clearing`), false);
});

test("a leftover from a killed agent's lock removal does not block the lock", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "hermes-lock-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "files.lock");
  mkdirSync(`${path}.clearing`);
  assert.equal(await withFileLock(path, async () => "used"), "used");
  assert.equal(existsSync(path), false);
});
