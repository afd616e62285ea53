import assert from "node:assert/strict";
import { test } from "node:test";
import { didYouMean } from "./did-you-mean.ts";
import { replace } from "./replace.ts";
import { Stopwatch } from "../testing/stopwatch.ts";

const CASES: readonly (readonly [
  why: string,
  text: string,
  old: string,
  fresh: string,
  all: boolean,
  expected: ReturnType<typeof replace>,
])[] = [
  ["one place", "a b c", "b", "B", false, { kind: "replaced", text: "a B c", count: 1, strategy: "exact" }],
  ["several places are ambiguous", "b b b", "b", "B", false, { kind: "ambiguous", count: 3, strategy: "exact" }],
  [
    "several places with replace_all",
    "b b b",
    "b",
    "B",
    true,
    { kind: "replaced", text: "B B B", count: 3, strategy: "exact" },
  ],
  [
    "ambiguity of a strict strategy is not resolved by a lenient one",
    "x = 1\n  y\nx = 1\n  z",
    "x = 1",
    "x = 2",
    false,
    { kind: "ambiguous", count: 2, strategy: "exact" },
  ],
  ["nowhere", "abc", "zzzzzzzz", "y", false, { kind: "missing" }],
  [
    "the file's indentation wins",
    "def f():\n    x = 1\n    return x\n",
    "  x = 1\n  return x",
    "  x = 2\n  if x:\n    return x",
    false,
    { kind: "replaced", text: "def f():\n    x = 2\n    if x:\n      return x\n", count: 1, strategy: "line_trimmed" },
  ],
  [
    "a less indented line is anchored to the file's base",
    "\tone\n\ttwo\n",
    "    one\n    two",
    "    one\n  two\n\n    three",
    false,
    { kind: "replaced", text: "\tone\n\ttwo\n\n\tthree\n", count: 1, strategy: "line_trimmed" },
  ],
  [
    "exact text is put in as it is",
    "\tx\n",
    "\tx",
    '\tprintf("\\t")',
    false,
    { kind: "replaced", text: '\tprintf("\\t")\n', count: 1, strategy: "exact" },
  ],
  [
    "a tab written as two characters stays, wherever the file has tabs",
    "a\tb\n",
    "a b",
    "a\\tc",
    false,
    { kind: "replaced", text: "a\\tc\n", count: 1, strategy: "whitespace_normalized" },
  ],
  [
    "backslash and n stay",
    "a\tb\n",
    "a b",
    "a\\nc",
    false,
    { kind: "replaced", text: "a\\nc\n", count: 1, strategy: "whitespace_normalized" },
  ],
  [
    "stray backslashes before quotes are refused",
    "  say('it')\n  end",
    "say(\\'it\\')\nend",
    "say(\\'at\\')\nend",
    false,
    { kind: "drift", escape: "\\'" },
  ],
  [
    "unchanged parts keep the file's characters",
    "He said \u201cyes\u201d \u2014 twice",
    'He said "yes" -- twice',
    'He said "yes" -- thrice',
    false,
    { kind: "replaced", text: "He said \u201cyes\u201d \u2014 thrice", count: 1, strategy: "unicode_normalized" },
  ],
  [
    "what is only alike is not replaced",
    "row 1 of all\nrow 2 of all\n\nrow 3 of all\nrow 4 of all\n",
    "row 1 of al\nrow 9 of all",
    "",
    true,
    { kind: "missing" },
  ],
  [
    "the same text with other blanks is replaced everywhere",
    "a  = 1\nb\na   = 1\n",
    "a = 1",
    "a = 2",
    true,
    { kind: "replaced", text: "a = 2\nb\na = 2\n", count: 2, strategy: "whitespace_normalized" },
  ],
  [
    "line numbers with blanks before them",
    "a\nb\n",
    "  1|a\n  2|b",
    "  1|a\n  2|B",
    false,
    { kind: "replaced", text: "a\nB\n", count: 1, strategy: "line_numbers_removed" },
  ],
  ["removal", "a\nb\nc\n", "b\n", "", false, { kind: "replaced", text: "a\nc\n", count: 1, strategy: "exact" }],
];

for (const [why, text, old, fresh, all, expected] of CASES) {
  // req: tool-file.patch
  test(`replaces text: ${why}`, () => assert.deepEqual(replace(text, old, fresh, { all }), expected));
}

// req: tool-file.patch
test("replaces a unique match of any text and touches nothing else", () => {
  const random = lcg(11);
  const alphabet = ["a", "b", "  ", "\t", "\n", "x = 1", "é", "\u2014", "(", "\\", "$&", "🦀"];
  const make = (pieces: number): string =>
    Array.from({ length: pieces }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
  let replaced = 0;
  for (let round = 0; round < 2_000; round++) {
    const [head, old, tail, fresh] = [make(12), make(1 + Math.floor(random() * 5)), make(12), make(4)];
    const text = head + old + tail;
    if (text.indexOf(old) !== text.lastIndexOf(old)) continue;
    const result = replace(text, old, fresh);
    if (result.kind !== "replaced") assert.fail(JSON.stringify({ text, old, result }));
    const at = text.indexOf(old);
    assert.equal(result.text, text.slice(0, at) + fresh + text.slice(at + old.length));
    replaced++;
  }
  assert.ok(replaced > 500, String(replaced));
});

test("reports the nearest matches of a text that is missing", () => {
  const text = [
    "import os",
    "",
    "def total(values):",
    "    return sum(values)",
    "",
    "def mean(values):",
    "    return total(values) / len(values)",
  ].join("\n");
  assert.equal(
    didYouMean(text, "def totals(value):"),
    [
      "1|import os\n2|\n3|def total(values):\n4|    return sum(values)\n5|",
      "4|    return sum(values)\n5|\n6|def mean(values):\n7|    return total(values) / len(values)",
      "2|\n3|def total(values):\n4|    return sum(values)\n5|\n6|def mean(values):",
    ].join("\n---\n"),
  );
  assert.equal(didYouMean("aaa\nbbb", "zzz"), "");
});

// req: tool-file.patch
test("searches ten thousand similar lines with every strategy in a fraction of a second", () => {
  const text = Array.from({ length: 10_000 }, (_, index) => `    const value${index} = compute(${index}, "abc");`).join(
    "\n",
  );
  const watch = new Stopwatch();
  const result = replace(
    text,
    'consta value7777 = compute(7777, "abd");\nnot here at all\n    const value7779 = compute(7779, "abc");',
    "gone",
  );
  assert.equal(result.kind, "missing");
  watch.assertWithin(1_000);
});

/** Repeatable numbers from 0 to 1. */
function lcg(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296) / 4_294_967_296;
}
