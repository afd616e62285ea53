import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { test } from "node:test";

test("Ctrl-C at a question is heard before the question is over: whoever goes on without an answer is stopped by then", async () => {
  const asking = `
    import { linePerson } from "./line-person.ts";
    let heard = false;
    process.on("SIGINT", () => (heard = true));
    const answer = await linePerson({ note: () => {}, style: (_, text) => text }).ask({ kind: "text", text: "name?" }, new AbortController().signal);
    process.stdout.write(JSON.stringify({ answer, heard }));
  `;
  const child = spawn(process.execPath, ["--conditions=hermes-source", "--input-type=module", "--eval", asking], { cwd: import.meta.dirname, stdio: ["pipe", "pipe", "pipe"] });
  child.stderr.once("data", () => child.stdin.write("\u0003")); // The question is on the screen.
  assert.deepEqual(JSON.parse(await text(child.stdout)), { answer: { kind: "none", reason: "cancelled" }, heard: true });
});
