import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { test } from "node:test";

for (const [why, reason, message] of [
  ["it timed out", "EXPIRED", "No answer in time: denied."],
  ["it was withdrawn", "undefined", "The question was withdrawn: denied."],
] as const) {
  test(`a question that closes because ${why} says so`, async () => {
    const asking = `
      import { EXPIRED } from "../../../contract/conversation/question.ts";
      import { linePrompter } from "./line-prompter.ts";
      const stop = new AbortController();
      let notes = "";
      const io = { note: (text) => void (notes += text), style: (_, text) => text, columns: 80 };
      const request = { subject: "rm -rf build", cwd: "/", risk: { key: "delete", reasons: [], effects: [] } };
      const asked = linePrompter(io, () => true).ask({ kind: "approval", request, scopes: ["once"], timeoutMs: 60_000 }, stop.signal);
      process.stdin.once("data", () => stop.abort(${reason}));
      const answer = await asked;
      process.stdout.write(JSON.stringify({ answer, last: notes.trim().split("\\n").at(-1) }));
      process.stdin.destroy();
    `;
    const child = spawn(process.execPath, ["--conditions=hermes-source", "--input-type=module", "--eval", asking], {
      cwd: import.meta.dirname,
      stdio: ["pipe", "pipe", "inherit"],
    });
    child.stdin.write("x"); // The question receives it and closes.
    assert.deepEqual(JSON.parse(await text(child.stdout)), {
      answer: { kind: "none", reason: reason === "EXPIRED" ? "timeout" : "cancelled" },
      last: message,
    });
  });
}

test("Ctrl-C at a question stops the turn before the question closes", async () => {
  const asking = `
    import { linePrompter } from "./line-prompter.ts";
    let interrupted = false;
    process.on("SIGINT", () => (interrupted = true));
    const answer = await linePrompter({ note: () => {}, style: (_, text) => text }, () => true).ask({ kind: "text", text: "name?" }, new AbortController().signal);
    process.stdout.write(JSON.stringify({ answer, interrupted }));
  `;
  const child = spawn(process.execPath, ["--conditions=hermes-source", "--input-type=module", "--eval", asking], {
    cwd: import.meta.dirname,
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stderr.once("data", () => child.stdin.write("\u0003")); // The question is on the screen.
  assert.deepEqual(JSON.parse(await text(child.stdout)), {
    answer: { kind: "none", reason: "cancelled" },
    interrupted: true,
  });
});

for (const calls of [true, false]) {
  test(`a question ${calls ? "rings and notifies" : "neither rings nor notifies if display.notify is off"}`, async () => {
    const asking = `
      import { linePrompter } from "./line-prompter.ts";
      const io = { note: () => {}, style: (_, text) => text };
      const answer = await linePrompter(io, () => ${calls}).ask({ kind: "text", text: "name?" }, new AbortController().signal);
      process.stdout.write(JSON.stringify(answer));
    `;
    const child = spawn(process.execPath, ["--conditions=hermes-source", "--input-type=module", "--eval", asking], {
      cwd: import.meta.dirname,
      env: { ...process.env, TERM: "xterm" },
      stdio: ["pipe", "pipe", "pipe"],
    });
    child.stdin.end("Ada\n");
    const [out, shown] = await Promise.all([text(child.stdout), text(child.stderr)]);
    assert.deepEqual(JSON.parse(out), { kind: "text", text: "Ada" });
    assert.match(shown, /name\?/);
    assert.equal(/\x07|\x1b\](?:9|777|2);/.test(shown), calls, JSON.stringify(shown));
  });
}
