import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { mock, test } from "node:test";
import type { PickItem, PickList } from "../../../../contract/conversation/pick-list.ts";
import type { Io } from "../../../shared/process/io.ts";
import { visibleWidth } from "@earendil-works/pi-tui";
import { themeOf } from "../view/theme.ts";
import { Picker } from "./picker.ts";

const theme = themeOf({ style: (_: unknown, text: string) => text } as unknown as Io);
const MODELS = ["gpt-5", "claude-opus", "claude-sonnet", ...Array.from({ length: 30 }, (_, at) => `model-${at}`)];
const [UP, DOWN, PAGE_DOWN, ENTER, ESCAPE] = ["\x1b[A", "\x1b[B", "\x1b[6~", "\r", "\x1b"];
const itemsOf = (names: readonly string[]): readonly PickItem[] => names.map((value) => ({ value, label: value }));

function open(list: Partial<PickList> = {}, rows = 24) {
  const outcome: string[] = [];
  const picker = new Picker(
    { title: "Which?", items: itemsOf(MODELS), ...list },
    {
      theme,
      rows: () => rows,
      draw: () => {},
      picked: (value) => outcome.push(value),
      left: () => outcome.push("(left)"),
    },
  );
  const type = (...keys: readonly string[]): void => keys.forEach((key) => picker.handleInput(key));
  const lines = (columns = 60) => picker.render(columns).map((line) => stripVTControlCharacters(line).trimEnd());
  return { picker, outcome, type, lines };
}

test("narrows as the user types, and picks the value", () => {
  const { outcome, type, lines } = open();
  assert.match(lines().at(-1)!, /^ 1 of 33 · Enter picks · Esc leaves · type to filter/);
  type(..."clau", DOWN);
  assert.deepEqual(lines().slice(1, 3), ["   claude-opus", " → claude-sonnet"]);
  type("\x7f", "\x7f", "\x7f", "\x7f");
  assert.match(lines().at(-1)!, /^ 1 of 33/, "a shorter filter finds more again");
  type(..."sonnet", ENTER);
  assert.deepEqual(outcome, ["claude-sonnet"]);
});

test("wraps at the ends, moves by pages, and is as high as the terminal allows", () => {
  const { type, lines } = open();
  type(UP);
  assert.equal(lines().at(-2), " → model-29");
  type(DOWN);
  assert.equal(lines()[1], " → gpt-5");
  type(PAGE_DOWN);
  assert.match(lines().at(-1)!, /^ 15 of 33/);
  assert.equal(open({}, 12).lines().length, 6);
});

test("reports that nothing matches, picks nothing then, and Escape leaves", () => {
  const { outcome, type, lines } = open();
  type(..."zzz", ENTER);
  assert.equal(lines().at(-1), " nothing matches");
  assert.deepEqual(outcome, []);
  type(ESCAPE);
  assert.deepEqual(outcome, ["(left)"]);
});

test("begins at the selected item, and shows details and branches", () => {
  const items: readonly PickItem[] = [
    { value: "a", label: "first talk", detail: "2 h ago" },
    { value: "b", label: "its branch", detail: "1 h ago", depth: 1 },
    { value: "c", label: "another", detail: "3 d ago" },
  ];
  const { type, lines } = open({ items, selected: "b" });
  assert.deepEqual(
    lines(40)
      .slice(1, 4)
      .map((line) => line.replaceAll(/ {3,}/g, " … ")),
    [" … first talk … 2 h ago", " → └ its branch … 1 h ago", " … another … 3 d ago"],
  );
  type(..."1 h");
  assert.match(lines(40)[1]!, /→ its branch/, "the filter finds details; a filtered list is no tree");
});

test("the preview is beside a wide list and below a narrow one, and lines never exceed the width", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { picker, type, lines } = open({ preview: (value) => `about ${value}\n${"长".repeat(300)}` });
    assert.match(lines(100)[1]!, /│ …$/);
    mock.timers.tick(100);
    await Promise.resolve()
      .then(() => {})
      .then(() => {})
      .then(() => {});
    assert.match(lines(100)[1]!, /^ → gpt-5 +│ about gpt-5$/);
    const narrow = lines(40);
    assert.ok(narrow.indexOf(" about gpt-5") > narrow.indexOf(" → gpt-5"));
    for (const columns of [20, 40, 75, 76, 80, 200])
      for (const line of picker.render(columns)) assert.ok(visibleWidth(line) <= columns, `${columns}: ${line}`);
    type(DOWN, DOWN);
    assert.match(lines(100)[1]!, /│ …$/, "the picker loads only the selected item");
  } finally {
    mock.timers.reset();
  }
});

test("shows the error of a preview that fails, and aborts the preview of an item that was left", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const signals: AbortSignal[] = [];
    const { type, lines } = open({
      preview: (value, signal) => {
        signals.push(signal);
        return value === "gpt-5" ? new Promise(() => {}) : Promise.reject(new Error("no such model"));
      },
    });
    mock.timers.tick(100);
    type(DOWN);
    assert.equal(signals[0]?.aborted, true);
    mock.timers.tick(100);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    assert.match(lines(100)[1]!, /│ no such model$/);
  } finally {
    mock.timers.reset();
  }
});

test("a list of switches stays open, shows each item after switching, and explains why one cannot be switched", async () => {
  const on = new Set(["web"]);
  const shown = (value: string): PickItem => ({ value, label: `${on.has(value) ? "✓" : "○"} ${value}` });
  const { outcome, type, lines } = open({
    items: ["web", "file"].map(shown),
    toggle: async (value) => {
      if (value === "file") throw new Error("files stay on");
      if (!on.delete(value)) on.add(value);
      return shown(value);
    },
  });
  assert.match(lines().at(-1)!, /Enter switches/);
  type(ENTER);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(lines()[1], " → ○ web");
  type(DOWN, ENTER);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(lines().at(-1), " files stay on");
  assert.deepEqual(outcome, []);
});

test("reports each item that becomes selected", () => {
  const moves: string[] = [];
  const { type } = open({ moved: (value) => void moves.push(value), selected: "claude-opus" });
  type(DOWN, UP, ..."gpt");
  assert.deepEqual(moves, ["claude-opus", "claude-sonnet", "claude-opus", "gpt-5", "gpt-5", "gpt-5"]);
});

test("shows a diff in colours", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const painted = themeOf({ style: (style: string, text: string) => `<${style}>${text}` } as unknown as Io);
    const picker = new Picker(
      { title: "", items: itemsOf(["one"]), diff: true, preview: () => "--- a\n@@ -1 +1 @@\n-old\n+new\n same" },
      { theme: painted, rows: () => 24, draw: () => {}, picked: () => {}, left: () => {} },
    );
    mock.timers.tick(100);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    const text = picker.render(100).join("\n");
    assert.match(text, /<dim>--- a[^]*<cyan>@@ -1[^]*<red>-old[^]*<green>\+new[^]*│ {2}same/);
  } finally {
    mock.timers.reset();
  }
});
