import assert from "node:assert/strict";
import { test } from "node:test";
import { Pager } from "./pager.ts";

const plain = (text: string): string => text;

function open() {
  const state = { closed: false };
  const lines = Array.from({ length: 100 }, (_, at) => (at % 30 === 10 ? `Error at ${at}` : `line ${at}`));
  const pager = new Pager({
    theme: { dim: plain, accent: plain, strong: plain },
    pages: () => [
      { title: "$ first", lines: ["only"] },
      { title: "$ npm test", lines },
    ],
    rows: () => 6,
    close: () => (state.closed = true),
  });
  const shown = (): readonly string[] => pager.render(60).map((line) => line.trim());
  const press = (...keys: readonly string[]): readonly string[] => {
    for (const key of keys) pager.handleInput(key);
    return shown();
  };
  return { state, shown, press };
}

test("shows the newest text on the whole screen, and moves in it", () => {
  const { shown, press } = open();
  assert.deepEqual(shown().slice(0, 5), ["$ npm test", "line 0", "line 1", "line 2", "line 3"]);
  assert.match(shown()[5]!, /^1–4 of 100 {2}call 2 of 2/);
  assert.equal(press("j")[1], "line 1");
  assert.equal(press(" ")[1], "line 5");
  assert.equal(press("G")[4], "line 99");
  assert.equal(press("g")[1], "line 0");
  assert.deepEqual(press("[").slice(0, 3), ["$ first", "only", "~"]);
  assert.equal(press("]")[0], "$ npm test");
});

test("searches forwards and backwards, around the ends, and reports what it does not find", () => {
  const { shown, press } = open();
  shown();
  assert.match(press("/", "e", "r", "r", "\r")[1]!, /or at 10/);
  assert.match(press("n")[1]!, /at 40/);
  assert.match(press("N", "N")[1]!, /at 70/);
  assert.match(press("/", "x", "\x7f", "Q", "\r").at(-1)!, /^“Q” not found/);
});

test("q closes it, but not while a search is typed", () => {
  const { state, press } = open();
  press("/", "q");
  assert.equal(state.closed, false);
  press("\r", "q");
  assert.equal(state.closed, true);
});
