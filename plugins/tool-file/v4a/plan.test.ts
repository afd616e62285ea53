import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePatch } from "./parse.ts";
import { planPatch } from "./plan.ts";

/** Runs a patch over files in memory: what they are then, or the problems. */
function apply(files: Readonly<Record<string, string>>, patch: string): Record<string, string> | readonly string[] {
  const parsed = parsePatch(patch);
  if (parsed.kind === "refused") return [parsed.reason];
  const contents = new Map<string, string | undefined>(Object.entries(files));
  const plan = planPatch(parsed.operations, contents, (path) => path);
  if (plan.kind === "refused") return plan.problems;
  return Object.fromEntries([...contents].filter((entry): entry is [string, string] => entry[1] !== undefined));
}

const update = (...lines: readonly string[]): string =>
  ["*** Begin Patch", "*** Update File: f", ...lines, "*** End Patch"].join("\n");

const CASES: readonly (readonly [why: string, file: string, patch: string, expected: string])[] = [
  ["a line for another", "a\nb\nc\n", update("@@", " a", "-b", "+B", " c"), "a\nB\nc\n"],
  ["a removal leaves no empty line", "a\nb\nc\n", update("-b"), "a\nc\n"],
  ["the last line goes, with or without its line end", "a\nb", update("-b"), "a\n"],
  ["an insertion between context lines", "a\nc\n", update(" a", "+b", " c"), "a\nb\nc\n"],
  [
    "several hunks in order",
    "1\n2\n3\n4\n5\n6\n",
    update("@@", "-2", "+two", "@@", "-5", "+five"),
    "1\ntwo\n3\n4\nfive\n6\n",
  ],
  ["blank context lines", "a\n\nb\n\nc\n", update("@@", " a", "", "-b", "+B", "", " c"), "a\n\nB\n\nc\n"],
  ["only whole lines match", "ab\nb\n", update("-b", "+x"), "ab\nx\n"],
  [
    "lines of another indentation",
    "def f():\n        go()\n",
    update(" def f():", "-    go()", "+    run()"),
    "def f():\n        run()\n",
  ],
  [
    "context keeps the file's own spacing",
    "if a :\n\tb\n\td\n",
    update(" if a :", "   b", "+  if c:", "+    c", "   d"),
    "if a :\n\tb\n\tif c:\n\t\tc\n\td\n",
  ],
  [
    "a hint tells equal lines apart",
    `class A:\n    x = 1\n${"    pass\n".repeat(300)}class B:\n    x = 1\n`,
    update("@@ class B @@", "-    x = 1", "+    x = 2"),
    `class A:\n    x = 1\n${"    pass\n".repeat(300)}class B:\n    x = 2\n`,
  ],
  [
    "an open hint does the same",
    `class A:\n    x = 1\n${"    pass\n".repeat(300)}class B:\n    x = 1\n`,
    update("@@ class B:", "-    x = 1", "+    x = 2"),
    `class A:\n    x = 1\n${"    pass\n".repeat(300)}class B:\n    x = 2\n`,
  ],
  [
    "of equal lines on both sides of a hint those behind it are meant",
    "def f():\n    return 1\n\n\ndef g():\n    return 1\n",
    update("@@ def g(): @@", "-    return 1", "+    return 2"),
    "def f():\n    return 1\n\n\ndef g():\n    return 2\n",
  ],
  [
    "the line of the hint may be one of the hunk's",
    "x\ny\nx\ny\nz\n",
    update("@@ z @@", "-z", "+Z"),
    "x\ny\nx\ny\nZ\n",
  ],
  [
    "an addition after its hint",
    "import a\nimport b\n\nmain()\n",
    update("@@ import a @@", "+import aa"),
    "import a\nimport aa\nimport b\n\nmain()\n",
  ],
  ["an addition without a hint goes to the end", "a", update("@@", "+b", "+c"), "a\nb\nc\n"],
  ["an addition to an empty file", "", update("+b"), "b\n"],
];

for (const [why, file, patch, expected] of CASES) {
  // req: tool-file.patch
  test(`a patch applies: ${why}`, () => assert.deepEqual(apply({ f: file }, patch), { f: expected }));
}

// req: tool-file.patch
test("adds files with a final line end, and deletes, moves and edits them after a move", () => {
  const patch =
    "*** Add File: new/n\n+one\n+two\n*** Delete File: d\n*** Move File: f -> g\n*** Update File: g\n-a\n+A";
  assert.deepEqual(apply({ f: "a\n", d: "x" }, patch), { g: "A\n", "new/n": "one\ntwo\n" });
});

// req: tool-file.patch
test("one problem rejects the whole patch, and all problems are reported", () => {
  const patch =
    "*** Update File: f\n@@ nope @@\n+x\n@@\n-zzz\n+y\n*** Delete File: gone\n*** Update File: missing\n-a\n+b\n*** Move File: f -> g\n*** Move File: q -> r";
  assert.deepEqual(apply({ f: "aaa\n", g: "" }, patch), [
    "f: hunk 1 (nope): the hint 'nope' of a hunk that only adds was not found",
    "f: hunk 2: not found",
    "gone: the file to delete does not exist",
    "missing: the file to update does not exist",
    "g: already exists; a move does not overwrite",
    "q: the file to move does not exist",
  ]);
  assert.deepEqual(apply({ f: "b\nb\n" }, update("-b", "+c")), [
    "f: hunk 1: its lines occur 2 times; add context lines or an '@@ hint @@' to identify one",
  ]);
  assert.deepEqual(apply({ f: "h\nb\nb\n" }, update("@@ h @@", "-b", "+c")), [
    "f: hunk 1 (h): its lines occur 2 times, and its hint does not identify one; add context lines",
  ]);
  assert.deepEqual(
    apply({ f: "b\nh\nb\nh\nb\n" }, update("@@ h @@", "-b", "+c")),
    ["f: hunk 1 (h): its lines occur 3 times, and its hint does not identify one; add context lines"],
    "a hint that occurs twice selects no match",
  );
  assert.deepEqual(apply({ f: "b\nb\n" }, update("@@ q @@", "-b", "+c")), [
    "f: hunk 1 (q): its lines occur 2 times, and its hint was not found; add context lines",
  ]);
  assert.deepEqual(apply({ f: "h\nh\n" }, update("@@ h @@", "+c")), [
    "f: hunk 1 (h): the hint 'h' of a hunk that only adds occurs 2 times",
  ]);
});

// req: tool-file.patch
test("a patch generated from any two versions of a file turns one into the other", () => {
  let state = 5;
  const random = (below: number): number => (
    (state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296),
    Math.floor((state / 4_294_967_296) * below)
  );
  for (let round = 0; round < 400; round++) {
    // Lines are all different, so that one context line makes a place unique; some blank lines lie between.
    const lines = Array.from({ length: 6 + random(40) }, (_, index) =>
      random(6) === 0 ? "" : `${" ".repeat(random(3) * 2)}line ${index} ${random(1_000_000)}`,
    );
    lines[0] = `first ${round}`;
    const patch: string[] = ["*** Update File: f"];
    const result: string[] = [];
    for (let at = 0; at < lines.length;) {
      const line = lines[at]!;
      const next = lines[at + 1];
      if (line === "" || next === undefined || next === "" || random(4) > 0) {
        result.push(line);
        at++;
        continue;
      }
      const fresh = Array.from({ length: random(3) }, () => `new ${random(1_000_000)}`);
      patch.push("@@", ` ${line}`, `-${next}`, ...fresh.map((text) => `+${text}`));
      // A blank line after it, written raw, is context as well.
      const follows = lines[at + 2];
      result.push(line, ...fresh);
      at += 2;
      if (follows === "" && lines[at + 1] !== undefined && lines[at + 1] !== "") {
        patch.push("", ` ${lines[at + 1]}`);
        result.push("", lines[at + 1]!);
        at += 2;
      }
    }
    if (patch.length === 1) continue;
    assert.deepEqual(
      apply({ f: `${lines.join("\n")}\n` }, patch.join("\n")),
      { f: `${result.join("\n")}\n` },
      patch.join("\n"),
    );
  }
});
