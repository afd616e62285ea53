import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { FIRST_SLOTS } from "./boot-script.ts";
import { OutputSlots } from "./output-slots.ts";
import { waitFor } from "hermes-agent/testing";

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
    await waitFor(() => received.length > 0);
    assert.deepEqual(received, ["mine\n"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
