import assert from "node:assert/strict";
import { test } from "node:test";
import { quietLog } from "../../../testing/quiet-log.ts";
import { ToolProgress } from "./tool-progress.ts";

/** Collects the messages on a platform that cannot edit messages. */
function progress(noteMs: number) {
  const notes: string[] = [];
  const waiting: (() => void)[] = [];
  const shown = new ToolProgress(
    {
      log: quietLog(),
      ways: () => ({ mode: "all", previewLength: 40 }),
      toolOf: () => undefined,
      mask: (text) => text.replaceAll("hunter2", "***"),
      editing: () => undefined,
      note: async (text) => (notes.push(text), waiting.shift()?.()),
    },
    { editMs: 0, noteMs },
  );
  let calls = 0;
  return {
    shown,
    notes,
    noted: (): Promise<void> => new Promise((resolve) => void waiting.push(resolve)),
    call(command: string): void {
      const callId = `c${calls++}`;
      shown.onFact({
        type: "tool.called",
        turnId: "t",
        callId,
        tool: "terminal",
        args: { command },
        by: "model",
        effect: "execute",
        repeatable: false,
      });
      shown.onFact({ type: "tool.started", callId });
    },
  };
}

test("without message editing, sends the last lines of progress in one message and masks secrets", async () => {
  const { noted, notes, call } = progress(1);
  const first = noted();
  for (const word of ["one", "two", "three", "four", "five", "login hunter2"]) call(word);
  await first;
  assert.deepEqual(notes, [
    "… 2 before\n⚡ terminal: `three`\n⚡ terminal: `four`\n⚡ terminal: `five`\n⚡ terminal: `login ***`",
  ]);
  const second = noted();
  call("more");
  await second;
  assert.deepEqual(notes.slice(1), ["⚡ terminal: `more`"]);
});

test("sends at most ten progress messages a turn, and none for a short turn", async () => {
  const { shown, noted, notes, call } = progress(1);
  for (let n = 0; n < 10; n++) {
    const one = noted();
    call(`step ${n}`);
    await one;
  }
  call("one too many");
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(notes.length, 10);
  await shown.end();
  call("in the next turn");
  await shown.end();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(notes.length, 10);
});
