import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { ended } from "../../../../test/end-to-end/support/test-user.ts";

/** Reads its input, then blocks for longer than an input may be silent. */
const BUSY = `
import { writeSync } from "node:fs";
const { pipedInput } = await import(${JSON.stringify(join(import.meta.dirname, "piped-input.ts"))});
const input = pipedInput({ waits: false, note: (text) => console.error(text) });
setImmediate(() => {
  writeSync(1, "busy ");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
});
console.log(JSON.stringify(await input));`;

test("reads the piped input even if a busy machine is late", async () => {
  // Its input is a socket, which has the shortest allowed silence.
  const child = spawn(process.execPath, ["--conditions=hermes-source", "--input-type=module", "--eval", BUSY], {
    stdio: "pipe",
  });
  child.stdout.once("data", () => child.stdin.end("some words"));
  const { out, err } = await ended(child);
  assert.deepEqual([out, err], ['busy "some words"\n', ""]);
});
