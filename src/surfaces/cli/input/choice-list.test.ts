import assert from "node:assert/strict";
import { test } from "node:test";
import { ChoiceList, type KeyPress } from "./choice-list.ts";

const PROVIDERS = ["OpenRouter", "Anthropic", "OpenAI (its key is set)", "Google Gemini", "Nous Research"];
const typed = (text: string): readonly KeyPress[] => [...text].map((sequence) => ({ name: sequence, sequence }));
const key = (name: string): KeyPress => ({ name, sequence: "" });

/** What the keys select. */
function chosen(list: ChoiceList, keys: readonly KeyPress[]): number | "left" | undefined {
  for (const one of keys) {
    const result = list.press(one);
    if (result !== undefined) return result;
  }
  return undefined;
}

// field: C11
test("arrows move and wrap, Enter selects, Escape leaves", () => {
  const list = () => new ChoiceList("Provider", PROVIDERS);
  assert.equal(chosen(list(), [key("return")]), 0);
  assert.equal(chosen(list(), [key("down"), key("down"), key("return")]), 2);
  assert.equal(chosen(list(), [key("up"), key("return")]), 4);
  assert.equal(chosen(list(), [key("end"), key("down"), key("return")]), 0);
  assert.equal(chosen(list(), [key("escape")]), "left");
});

// field: C11
test("typed words filter in any order and case, Backspace and Escape widen the list again", () => {
  const list = () => new ChoiceList("Provider", PROVIDERS);
  assert.equal(chosen(list(), [...typed("SET open"), key("return")]), 2);
  assert.equal(chosen(list(), [...typed("gemini"), key("return")]), 3);
  assert.equal(chosen(list(), [...typed("zz"), key("return")]), undefined, "nothing matches");
  assert.equal(chosen(list(), [...typed("zz"), key("backspace"), key("backspace"), key("return")]), 0);
  assert.equal(
    chosen(list(), [...typed("gem"), key("escape"), key("return")]),
    0,
    "the first Escape clears the filter",
  );
  assert.equal(chosen(list(), [{ name: "p", sequence: "\x10", ctrl: true }, key("return")]), 4);
});

test("a typed number selects the row with that number; a number without a row filters", () => {
  const models = Array.from({ length: 12 }, (_, index) => `model-${index + 100}`);
  assert.equal(chosen(new ChoiceList("Model", models), [...typed("12"), key("return")]), 11);
  assert.equal(chosen(new ChoiceList("Model", models), [...typed("105"), key("return")]), 5);
  const withSkip = new ChoiceList("Model", ["No change", ...models], 0);
  assert.deepEqual(
    withSkip
      .lines(79, 24, "leaves")
      .slice(1, 3)
      .map(({ text }) => text),
    ["❯ No change", "   1. model-100"],
  );
  assert.equal(chosen(withSkip, [...typed("2"), key("return")]), 2);
});

test("the list fits the screen, keeps the selected row visible, and cuts long labels", () => {
  const list = new ChoiceList(
    "Model",
    Array.from({ length: 40 }, (_, index) => `a model with a long name, number ${index} ${"x".repeat(80)}`),
  );
  for (let presses = 0; presses < 40; presses++) {
    const lines = list.lines(79, 24, "leaves");
    assert.ok(lines.length <= 24, String(lines.length));
    assert.ok(lines.every(({ text }) => text.length <= 79));
    assert.match(lines.find(({ style }) => style === "here")?.text ?? "", new RegExp(`❯ +${presses + 1}\\.`));
    list.press(key("down"));
  }
  assert.match(list.lines(79, 24, "leaves").at(-2)?.text ?? "", /↓ 26 more/);
});

test("control characters in labels are not printed", () => {
  const [, first] = new ChoiceList("T", ["evil\x1b[2Jname"]).lines(79, 24, "leaves");
  assert.doesNotMatch(first!.text, /\x1b/);
});
