import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../contract/common/json.ts";
import { previewOf } from "./call-preview.ts";

const preview = (value: unknown, args?: JsonObject) =>
  previewOf(typeof value === "string" ? value : JSON.stringify(value), args);
const texts = (value: unknown): readonly string[] => preview(value).lines.map(({ text }) => text);

test("shows a diff with the file's line numbers and the count of lines", () => {
  const diff = [
    "--- a/add.ts",
    "+++ b/add.ts",
    "@@ -9,4 +9,5 @@",
    " export function add(a, b) {",
    "-  return a - b;",
    "--- a comment of SQL",
    "+  // as documented",
    "+  return a + b;",
    "+++ b",
    " }",
    "@@ -40 +41 @@",
    "-old",
    "+new",
    "\\ No newline at end of file",
    "",
  ].join("\n");
  const { summary, lines } = preview({ success: true, diff });
  assert.equal(summary, "+4 −3");
  assert.deepEqual(
    lines.map(({ kind, text }) => `${kind}|${text}`),
    [
      "plain| 9   export function add(a, b) {",
      "removed|10 -   return a - b;",
      "removed|11 - -- a comment of SQL",
      "added|10 +   // as documented",
      "added|11 +   return a + b;",
      "added|12 + ++ b",
      "plain|13   }",
      "plain| ⋮",
      "removed|40 - old",
      "added|41 + new",
    ],
  );
});

test("names each file of a diff of several", () => {
  const part = (name: string): string => `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-x\n+y\n`;
  assert.deepEqual(texts({ diff: part("a.ts") + part("b.ts") }), ["a.ts", "1 - x", "1 + y", "b.ts", "1 - x", "1 + y"]);
});

test("shows the newest lines of a command's output", () => {
  const { lines, shortPart, summary } = preview({ output: "one\ntwo\n", exit_code: 1, error: null });
  assert.deepEqual([lines.map(({ text }) => text), shortPart, summary], [["one", "two"], "end", ""]);
  assert.deepEqual(texts({ output: "", exit_code: 0 }), []);
  assert.deepEqual(texts({ output: "a\u001b[2Jb", exit_code: 0 }), ["a␛[2Jb"]);
});

test("shows to-dos as a checklist", () => {
  const todos = [
    { id: "1", content: "read", status: "completed" },
    { id: "2", content: "fix", status: "in_progress" },
    { id: "3", content: "test", status: "pending" },
    { id: "4", content: "no more", status: "cancelled" },
  ];
  const { lines, summary } = preview({ todos });
  assert.equal(summary, "2/4 done");
  assert.deepEqual(
    lines.map(({ kind, text }) => `${kind} ${text}`),
    ["done ☑ read", "current ◐ fix", "plain ☐ test", "done ☒ no more"],
  );
});

test("a search shows its hits and their number", () => {
  const match = { path: "a.ts", line: 3, content: "const x = 1;" };
  assert.deepEqual(
    [preview({ matches: [match], total_count: 1 }).summary, texts({ matches: [match] })],
    ["1 match", ["a.ts:3: const x = 1;"]],
  );
  assert.equal(preview({ matches_text: "a.ts\n  3: x", total_count: 12 }).summary, "12 matches");
  assert.deepEqual([preview({ files: ["a", "b"] }).summary, texts({ files: ["a", "b"] })], ["2 files", ["a", "b"]]);
});

test("the user's answer follows the question", () => {
  assert.deepEqual(texts({ question: "Which?", choices_offered: null, user_response: "the first" }), ["→ the first"]);
});

test("shows a long question whole with its answer, since the title cuts it", () => {
  const question = "Which of the two branches should the release be made from, and with which of the two versions?";
  const { lines } = preview({ question, user_response: "main" }, { question });
  assert.deepEqual(
    lines.map(({ kind, text, wraps }) => [kind, text, wraps]),
    [
      ["plain", question, true],
      ["current", "→ main", true],
    ],
  );
});

test("marks the hits of a search, if its pattern matches only one text", () => {
  const found = (pattern: string) =>
    preview({ matches: [{ path: "a.ts", line: 3, content: "add(1); add(2)" }] }, { pattern }).lines[0]?.found;
  assert.deepEqual(found("add\\("), [
    [8, 12],
    [16, 20],
  ]);
  assert.equal(found("a(d+)+"), undefined);
});

test("shows a file that was read as code with line numbers, and the range in its title", () => {
  const { summary, lines, shortLines } = preview({ content: "9|if (a) {\n10|}\n11|" }, { path: "src/a.ts" });
  assert.deepEqual([summary, shortLines], ["9–10", 0]);
  assert.deepEqual(
    lines.map(({ text, code }) => [text, code]),
    [
      [" 9  if (a) {", { at: 4, language: "ts" }],
      ["10  }", { at: 4, language: "ts" }],
    ],
  );
  assert.equal(preview({ content: "not numbered" }, { path: "a.txt" }).summary, "");
});

test("other results are text that only an expanded card shows", () => {
  assert.deepEqual([preview({ content: "1|a\n2|b" }).shortLines, texts({ content: "1|a\n2|b" })], [0, ["1|a", "2|b"]]);
  assert.deepEqual([preview({ saved: 1 }).shortLines, texts({ saved: 1 })], [0, ["{", '  "saved": 1', "}"]]);
  assert.deepEqual(texts("plain\ntext\n"), ["plain", "text"]);
  assert.deepEqual(texts({ error: "No such file.", total_count: 0 }), [], "the card's title has the error");
  assert.deepEqual(texts('{"output": "cut'), ['{"output": "cut']);
});
