import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolFailure } from "hermes-agent/plugin";
import { changeNotes, type Operation } from "./change-notes.ts";
import { fullUsageOf, parseNotes, printNotes, storeOf } from "./notes.ts";
import { operationsOf } from "./operations.ts";

const store = { ...storeOf("memory", () => undefined), limit: 40 };
const add = (content: string): Operation => ({ action: "add", content, oldText: "" });
const replace = (oldText: string, content: string): Operation => ({ action: "replace", content, oldText });
const remove = (oldText: string): Operation => ({ action: "remove", content: "", oldText });

// req: tool-memory.notes-and-profile
test("adds, replaces and removes entries, selected by text that only one of them contains", () => {
  const steps: readonly (readonly [operations: readonly Operation[], entries: readonly string[], message: string])[] = [
    [[add(" likes tea ")], ["likes tea"], "Entry added."],
    [[add("likes tea")], ["likes tea"], "The entry already exists; no duplicate was added."],
    [[add("uses zsh"), replace("tea", "likes coffee")], ["likes coffee", "uses zsh"], "2 operations applied."],
    [[remove("zsh")], ["likes coffee"], "Entry removed."],
  ];
  let entries: readonly string[] = [];
  for (const [operations, wanted, message] of steps) {
    const changed = changeNotes(entries, operations, store);
    assert.deepEqual(changed, { entries: wanted, message });
    entries = changed.entries;
  }
});

test("a failed operation changes nothing and returns the current entries", () => {
  const entries = ["likes tea", "likes cake", "twin", "twin"];
  const refusals: readonly (readonly [Operation[], RegExp])[] = [
    [[add("  ")], /content is missing/],
    [[add("one\n§\ntwo")], /content has several entries/],
    [[replace("tea", "")], /content is missing.*Use remove to delete/],
    [[remove("")], /old_text is missing: pass text of the entry to remove/],
    [[remove("coffee")], /No entry contains "coffee"/],
    [[replace("likes", "x")], /2 entries contain "likes"/],
    [[add("x".repeat(30))], /would have \d+ characters; the limit is 40/],
    [[remove("tea"), remove("gone")], /^Operation 2 \(remove\): No entry contains "gone"/],
  ];
  for (const [operations, message] of refusals) {
    assert.throws(
      () => changeNotes(entries, operations, store),
      (error) => {
        assert.ok(error instanceof ToolFailure && message.test(error.message), String(error));
        assert.deepEqual(
          { ...error.data, matches: null },
          { success: false, current_entries: entries, usage: "36/40", matches: null },
        );
        return true;
      },
    );
  }
  assert.deepEqual(changeNotes(entries, [remove("twin")], store).entries, ["likes tea", "likes cake"]);
});

test("checks the limit at the end of a call, and accepts a change that shortens a list over the limit", () => {
  const full = ["a".repeat(40)];
  assert.deepEqual(changeNotes(full, [add("short"), remove("aaa")], store).entries, ["short"]);
  const over = ["a".repeat(60), "b".repeat(60), "c"];
  assert.deepEqual(changeNotes(over, [remove("aaa")], store).entries, over.slice(1));
  assert.deepEqual(fullUsageOf(["🦀".repeat(10)], 40), "25% — 10/40 chars");
});

test("parses a file that the user edited", () => {
  assert.deepEqual(parseNotes("\uFEFFone\r\n§\r\n two\nlines \n § \n\n§\n"), ["one", "two\nlines"]);
  assert.deepEqual(parseNotes("The sign § inside a line is no end.\n"), ["The sign § inside a line is no end."]);
  assert.deepEqual(parseNotes(printNotes(["a", "b\nc"])), ["a", "b\nc"]);
  assert.deepEqual(parseNotes(" \n"), []);
});

test("accepts operations as JSON text and rejects anything else", () => {
  assert.deepEqual(operationsOf({ operations: '[{"action":"add","content":"x"}]' }), [add("x")]);
  assert.deepEqual(operationsOf({ action: "remove", old_text: "x", operations: [] }), [remove("x")]);
  for (const input of [
    {},
    { operations: "nojson" },
    { operations: { action: "add" } },
    { operations: ["add"] },
    { action: "read" },
  ]) {
    assert.throws(
      () => operationsOf(input),
      (error) => error instanceof ToolFailure && error.code === "bad_arguments",
    );
  }
});
