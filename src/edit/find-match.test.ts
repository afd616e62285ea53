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
    "anchors with another middle",
    "def f():\n    total = a + b\nend",
    "def f():\n    total = a - bb\nend",
    undefined,
    [],
  ],
  [
    "most lines nearly the same",
    "alpha beta gamma\nsecond line here\nthird",
    "alpha bet gamma\nsecond lines here\nno such thing",
    undefined,
    [],
  ],
  ["an end inside a word, with other blanks", "call(a,   bc)", "call(a, b", undefined, []],
  ["a beginning inside a word, with other blanks", "recall(a,   b)", "call(a, b)", undefined, []],
  ["literal text may be a part of a word", "recall", "call", "exact", ["call"]],
  [
    "part of a sentence without blanks between words",
    "他说\u201c好\u201d了",
    '说"好"',
    "unicode_normalized",
    ["说\u201c好\u201d"],
  ],
  ["other blanks inside quotes", 'say("a  b",  c)', 'say("a b", c)', undefined, []],
  ["other blanks outside quotes", 'say("a  b",  c)', 'say("a  b", c)', "whitespace_normalized", ['say("a  b",  c)']],
  ["an apostrophe begins no quote", "don't  do it's", "don't do it's", "whitespace_normalized", ["don't  do it's"]],
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
  test(`finds text by ${strategy ?? "no strategy"}: ${why}`, () => {
    const found = findMatch(text, wanted);
    assert.equal(found?.strategy, strategy);
    assert.deepEqual(
      (found?.spans ?? []).map(({ start, end }) => text.slice(start, end)),
      matched,
    );
  });
}

test("tries the strategies from strict to lenient", () => {
  assert.deepEqual(
    STRATEGIES.map(({ name }) => name),
    ["exact", "line_trimmed", "whitespace_normalized", "escape_normalized", "unicode_normalized"],
  );
});

// field: F03
test("does not match lines with different nesting in a language where indentation matters", () => {
  const file = "if a:\n    x()\n    y()\n";
  const wanted = "if a:\n  x()\ny()";
  assert.equal(findMatch(file, wanted, { path: "a.py" }), undefined);
  assert.equal(findMatch(file, wanted, { path: "a.js" })?.strategy, "line_trimmed");
  assert.equal(findMatch(file, "if a:\n  x()\n  y()", { path: "a.py" })?.strategy, "line_trimmed");
});

test("with wholeLines matches only whole lines", () => {
  assert.deepEqual(findMatch("ab\nb\n", "b", { wholeLines: true })?.spans, [{ start: 3, end: 4 }]);
  assert.equal(findMatch("abc\n", "b", { wholeLines: true }), undefined);
});
