import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { test } from "node:test";
import type { Io } from "../../../shared/process/io.ts";
import { themeOf } from "../view/theme.ts";
import { FilteredList } from "./filtered-list.ts";

const theme = themeOf({ style: (_: unknown, text: string) => text } as unknown as Io);
const MODELS = ["gpt-5", "claude-opus", "claude-sonnet", ...Array.from({ length: 30 }, (_, at) => `model-${at}`)];
const [DOWN, ENTER, ESCAPE] = ["\x1b[B", "\r", "\x1b"];

function open() {
  const outcome: (number | "left")[] = [];
  const list = new FilteredList(MODELS, theme, { chosen: (at) => outcome.push(at), left: () => outcome.push("left") });
  const type = (...keys: readonly string[]): void => keys.forEach((key) => list.handleInput(key));
  const rows = () => list.render(60).map((line) => stripVTControlCharacters(line).trim());
  return { outcome, type, rows };
}

test("narrows as the user types, and chooses by the place in the whole list", () => {
  const { outcome, type, rows } = open();
  assert.match(rows().at(-1)!, /^1 of 33 /);
  type(..."clau", DOWN);
  assert.deepEqual(rows().slice(1, 3), ["claude-opus", "→ claude-sonnet"]);
  type(ENTER);
  assert.deepEqual(outcome, [MODELS.indexOf("claude-sonnet")]);
});

test("shows ten rows around the selection and wraps at the ends", () => {
  const { type, rows } = open();
  type("\x1b[A");
  assert.equal(rows().length, 12);
  assert.equal(rows()[10], "→ model-29");
  type(DOWN);
  assert.equal(rows()[1], "→ gpt-5");
});

test("says that nothing matches, chooses nothing then, and Escape leaves", () => {
  const { outcome, type, rows } = open();
  type(..."zzz", ENTER);
  assert.equal(rows().at(-1), "nothing matches");
  assert.deepEqual(outcome, []);
  type(ESCAPE);
  assert.deepEqual(outcome, ["left"]);
});
