import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { FIRST_SLOTS } from "./boot-script.ts";
import { OutputSlots } from "./output-slots.ts";

test("late output of a process that was left behind does not reach the next command, even if it was unread", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hermes-slots-"));
  try {
    execFileSync(
      "mkfifo",
      Array.from({ length: FIRST_SLOTS }, (_, n) => join(folder, `s${n}`)),
    );
    using slots = new OutputSlots(folder, (children) => children);
    const first = slots.take([]);
    slots.open(first);
    slots.giveBack(first, []);
    writeFileSync(join(folder, first.name), "LATE\n");
    const next = slots.take([]);
    assert.equal(next, first);
    const received: string[] = [];
    slots.open(next).listen((bytes) => received.push(Buffer.from(bytes).toString()));
    writeFileSync(join(folder, next.name), "mine\n");
    for (const startedAt = performance.now(); received.length === 0 && performance.now() - startedAt < 60_000;)
      await turn();
    assert.deepEqual(received, ["mine\n"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
