import assert from "node:assert/strict";
import { test } from "node:test";
import { ShownText } from "./streamed-text.ts";

function shown(work: (text: ShownText) => void): readonly string[] {
  const sent: string[] = [];
  const text = new ShownText((piece) => sent.push(piece));
  work(text);
  assert.equal(text.text, sent.join(""));
  return sent;
}

test("separates the text before and after tool calls", () => {
  assert.deepEqual(
    shown(
      (text) => (
        text.asked(),
        text.delta("I lo"),
        text.delta("ok."),
        text.answered("I look."),
        text.asked(),
        text.delta("Done"),
        text.answered("Done.")
      ),
    ),
    ["I lo", "ok.", "\n\nDone", "."],
  );
});

test("a retried request continues where the stream stopped", () => {
  assert.deepEqual(
    shown(
      (text) => (
        text.asked(),
        text.delta("The answer is"),
        text.asked(),
        text.delta("The "),
        text.delta("answer is 42."),
        text.answered("The answer is 42.")
      ),
    ),
    ["The answer is", " 42."],
  );
});

test("a retry with different text is streamed again from its beginning", () => {
  assert.deepEqual(
    shown(
      (text) => (
        text.asked(),
        text.delta("The answer"),
        text.asked(),
        text.delta("It is"),
        text.delta(" 42."),
        text.answered("It is 42.")
      ),
    ),
    ["The answer", "\n\nIt is", " 42."],
  );
});

test("sends an unstreamed answer at once, and no empty one", () => {
  assert.deepEqual(
    shown((text) => (text.asked(), text.answered("Whole."), text.asked(), text.answered(""))),
    ["Whole."],
  );
});
