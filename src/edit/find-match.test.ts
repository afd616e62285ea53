import assert from "node:assert/strict";
import { test } from "node:test";
import { findMatch, STRATEGIES } from "./find-match.ts";

const CASES: readonly (readonly [
  why: string,
  text: string,
  wanted: string,
  strategy: string | undefined,
  matched: readonly string[],
])[] = [
  ["the same characters", "one two one", "one", "exact", ["one", "one"]],
  ["occurrences that overlap count once", "aaaa", "aa", "exact", ["aa", "aa"]],
  ["spaces around each line", "  a = 1  \n\tb = 2\nc", "a = 1\nb = 2", "line_trimmed", ["  a = 1  \n\tb = 2"]],
  ["a closing line end is taken along", "  a\n  b\nc", "a\nb\n", "line_trimmed", ["  a\n  b\n"]],
  ["runs of spaces inside a line", "call(a,   b)\n", "call(a, b)", "whitespace_normalized", ["call(a,   b)"]],
  ["tabs for spaces inside a line", "x\t=\t1", "x = 1", "whitespace_normalized", ["x\t=\t1"]],
  ["line ends written as backslash and n", "a\nb", "a\\nb", "escape_normalized", ["a\nb"]],
  [
    "first and last line indented otherwise, with the middle exact",
    "  if x:\n    y\n  end",
    "if x:\n    y\nend",
    "line_trimmed",
    ["  if x:\n    y\n  end"],
  ],
  [
    "smart quotes and dashes",
    "say \u201chi\u201d \u2014 now\u2026",
    'say "hi" -- now...',
    "unicode_normalized",
    ["say \u201chi\u201d \u2014 now\u2026"],
  ],
  [
    "smart quotes on an indented line",
    "    it\u2019s\n    so",
    "it's\nso",
    "unicode_normalized",
    ["    it\u2019s\n    so"],
  ],
  ["half an ellipsis is no match", "wait\u2026", "wait..", undefined, []],
  [
    "anchors with a middle that is half alike",
    "def f():\n    total = a + b\nend",
    "def f():\n    total = a - bb\nend",
    "block_anchor",
    ["def f():\n    total = a + b\nend"],
  ],
  [
    "anchors with another middle",
    "def f():\n    qqqq\nend",
    "def f():\n    total = 1234567890\nend",
    "context_aware",
    ["def f():\n    qqqq\nend"],
  ],
  [
    "most lines nearly the same",
    "alpha beta gamma\nsecond line here\nthird",
    "alpha bet gamma\nsecond lines here\nno such thing",
    "context_aware",
    ["alpha beta gamma\nsecond line here\nthird"],
  ],
  ["nothing alike", "alpha\nbeta", "completely\ndifferent", undefined, []],
  ["blank lines alone are found only as they are", "a\n\n\nb", "  \n  ", undefined, []],
  [
    "special characters of patterns are plain",
    "f(x)[0].*  + 1",
    "f(x)[0].* + 1",
    "whitespace_normalized",
    ["f(x)[0].*  + 1"],
  ],
];

for (const [why, text, wanted, strategy, matched] of CASES) {
  // req: tool-file.patch
  test(`text is found by ${strategy ?? "no strategy"}: ${why}`, () => {
    const found = findMatch(text, wanted);
    assert.equal(found?.strategy, strategy);
    assert.deepEqual(
      (found?.spans ?? []).map(({ start, end }) => text.slice(start, end)),
      matched,
    );
  });
}

test("the nine strategies are tried from strict to lenient", () => {
  assert.deepEqual(
    STRATEGIES.map(({ name }) => name),
    [
      "exact",
      "line_trimmed",
      "whitespace_normalized",
      "indentation_flexible",
      "escape_normalized",
      "trimmed_boundary",
      "unicode_normalized",
      "block_anchor",
      "context_aware",
    ],
  );
});

test("each strategy alone finds its kind of difference", () => {
  const by = (name: string, text: string, wanted: string): string[] =>
    STRATEGIES.find((strategy) => strategy.name === name)!
      .find(text, wanted)
      .map(({ start, end }) => text.slice(start, end));
  assert.deepEqual(by("indentation_flexible", "\t\ta \n\t b", "a \nb"), ["\t\ta \n\t b"]);
  assert.deepEqual(by("indentation_flexible", "\ta  ", "a"), [], "what trails a line must agree");
  assert.deepEqual(by("trimmed_boundary", " a \n  mid\n c ", "a\n  mid\nc"), [" a \n  mid\n c "]);
  assert.deepEqual(by("trimmed_boundary", " a \n mid\n c ", "a\n  mid\nc"), [], "a line inside must be the same");
  assert.deepEqual(by("block_anchor", "a\nxyz\nb\na\nxyw\nb", "a\nxyq\nb"), [], "several candidates need 0.70");
});

test("no guess is made for a long text in a large file, which would take as long as comparing each line with each", () => {
  const wanted = Array.from({ length: 100 }, (_, index) => `the wanted line ${index}${index % 3 === 0 ? "!" : ""}`);
  const file = (lines: number) =>
    [
      ...wanted.map((line) => line.replace("!", "?")),
      ...Array.from({ length: lines }, (_, index) => `other ${index}`),
    ].join("\n");
  assert.equal(findMatch(file(1_000), wanted.join("\n"))?.strategy, "context_aware");
  assert.equal(findMatch(file(10_100), wanted.join("\n")), undefined);
});

test("whole lines are asked for and a part of a line is passed over", () => {
  assert.deepEqual(findMatch("ab\nb\n", "b", true)?.spans, [{ start: 3, end: 4 }]);
  assert.equal(findMatch("abc\n", "b", true), undefined);
});
