import assert from "node:assert/strict";
import { test } from "node:test";
import { Stopwatch } from "../testing/stopwatch.ts";
import { describeNearest } from "./nearest.ts";

const PAY = [
  "def refund(card, amount):",
  "    check(card)",
  "    bank.refund(card, amount)",
  "    return True",
  "",
  "def charge(card, amount):",
  "    check(card)",
  "    bank.charge(card, amount)",
  "    return True",
].join("\n");

// field: F05
test("names the closest match, the line that differs, and the difference", () => {
  assert.equal(
    describeNearest(
      PAY,
      "def charge(card, amount):\n    check(card)\n    bank.charge(card, 2 * amount)\n    return True",
    ),
    [
      "The closest match differs in line 3:",
      "--- old_string",
      "+++ the file, lines 6-9",
      " def charge(card, amount):",
      "     check(card)",
      "-    bank.charge(card, 2 * amount)",
      "+    bank.charge(card, amount)",
      "     return True",
    ].join("\n"),
  );
});

// field: F05
test("reports a missing or extra line at its position", () => {
  assert.match(
    describeNearest(PAY, "def charge(card, amount):\n    bank.charge(card, amount)\n    return True"),
    /^The closest match differs in line 2.*\n.*\n.*\n def charge.*\n\+    check/,
  );
  assert.match(
    describeNearest(PAY, "def charge(card, amount):\n    check(card)\n    log(card)\n    bank.charge(card, amount)"),
    /^The closest match differs in line 3:\n.*\n.*\n def charge.*\n     check.*\n-    log\(card\)\n/,
  );
});

test("mentions white space if only white space prevents the match", () => {
  assert.equal(
    describeNearest('a("x  y")\nb\n', 'a("x  y")\n  b'),
    'The closest match differs in line 2:\n--- old_string\n+++ the file, lines 1-2\n a("x  y")\n-  b\n+b',
  );
  assert.match(
    describeNearest('a("x  y")\nb\n', 'a("x y")'),
    /differs in line 1:\n.*\n.*\n-a\("x y"\)\n\+a\("x  y"\)$/,
  );
});

test("shows excerpts of distant matches, and nothing without any similarity", () => {
  assert.match(
    describeNearest("one\nvalue = compute(1)\nthree\n", "values = f(2)\nwhatever follows it"),
    /^Did you mean/,
  );
  assert.equal(describeNearest("aaa\nbbb", "zzz"), "");
});

test("finds the closest of ten thousand similar lines in a fraction of a second", () => {
  const text = Array.from({ length: 10_000 }, (_, index) => `    const value${index} = compute(${index}, "abc");`);
  const watch = new Stopwatch();
  const wanted = [text[7_000]!, text[7_001]!.replace("abc", "abd"), text[7_002]!].join("\n");
  assert.match(describeNearest(text.join("\n"), wanted), /differs in line 2:\n.*\n\+\+\+ the file, lines 7001-7003\n/);
  watch.assertWithin(1_000);
});
