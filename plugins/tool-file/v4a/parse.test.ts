import assert from "node:assert/strict";
import { test } from "node:test";
import { accessOf, pathsOf } from "./operation.ts";
import { parsePatch } from "./parse.ts";

const context = (text: string) => ({ kind: "context" as const, text });
const remove = (text: string) => ({ kind: "remove" as const, text });
const add = (text: string) => ({ kind: "add" as const, text });

// req: tool-file.patch
test("parses all four sections, with and without the frame", () => {
  const body =
    "*** Update File: a.py\n@@ def f @@\n keep\n-old\n+new\n*** Add File: b.py\n+one\n+\n+three\n*** Delete File: c d.py\n*** Move File: e.py -> f/g.py";
  const expected = {
    kind: "parsed",
    operations: [
      {
        kind: "update",
        path: "a.py",
        hunks: [{ hint: "def f", firm: true, lines: [context("keep"), remove("old"), add("new")] }],
      },
      { kind: "add", path: "b.py", content: "one\n\nthree\n" },
      { kind: "delete", path: "c d.py" },
      { kind: "move", path: "e.py", to: "f/g.py" },
    ],
  };
  const plain = JSON.parse(JSON.stringify(parsePatch(body)));
  assert.deepEqual(plain, expected);
  assert.deepEqual(
    JSON.parse(JSON.stringify(parsePatch(`*** Begin Patch\n${body}\n*** End Patch\ntrailing words`))),
    expected,
  );
  assert.deepEqual(JSON.parse(JSON.stringify(parsePatch(`***Begin\n${body.replaceAll("\n", "\r\n")}`))), expected);
});

// req: tool-file.patch
test("an update can move the file, with or without changes", () => {
  const parsed = parsePatch("*** Update File: a\n*** Move to: b/a\n@@\n-x\n+y\n*** Update File: c\n*** Move to: d");
  assert.deepEqual(JSON.parse(JSON.stringify(parsed)), {
    kind: "parsed",
    operations: [
      { kind: "update", path: "a", hunks: [{ firm: false, lines: [remove("x"), add("y")] }] },
      { kind: "move", path: "a", to: "b/a" },
      { kind: "move", path: "c", to: "d" },
    ],
  });
});

test("a blank line inside a hunk is context; one before the next section is ignored", () => {
  const parsed = parsePatch("*** Update File: a\n@@\n one\n\n-two\n+2\n\n@@\n three\n-four\n\n\n*** Delete File: b\n");
  assert.equal(parsed.kind, "parsed");
  const [update] = parsed.kind === "parsed" ? parsed.operations : [];
  assert.deepEqual(update?.kind === "update" && update.hunks.map(({ lines }) => lines), [
    [context("one"), context(""), remove("two"), add("2")],
    [context("three"), remove("four")],
  ]);
});

test("treats lines without a sign as context, ignores line numbers, and accepts an unclosed hunk", () => {
  const parsed = parsePatch(
    "*** Update File: a\n@@ -1,3 +1,4 @@\nbare\n-x\n@@ class A\n+y\n\\ No newline at end of file",
  );
  const [update] = parsed.kind === "parsed" ? parsed.operations : [];
  assert.deepEqual(JSON.parse(JSON.stringify(update)), {
    kind: "update",
    path: "a",
    hunks: [
      { firm: false, lines: [context("bare"), remove("x")] },
      { hint: "class A", firm: false, lines: [add("y")] },
    ],
  });
});

test("reports an update without lines and a move without an arrow", () => {
  assert.deepEqual(parsePatch("*** Update File: a.py\n*** Move File: b.py"), {
    kind: "refused",
    reason: "Cannot parse the patch: UPDATE 'a.py': no hunks found; MOVE 'b.py': expected 'from -> to'",
  });
  assert.deepEqual(parsePatch("hello"), { kind: "parsed", operations: [] });
});

test("lists the paths of a patch and what happens to each", () => {
  const parsed = parsePatch("*** Add File: n\n+x\n*** Update File: u\n+x\n*** Move File: u -> m\n*** Delete File: d");
  const operations = parsed.kind === "parsed" ? parsed.operations : [];
  assert.deepEqual(
    pathsOf(operations).map((path) => [path, accessOf(path, operations)]),
    [
      ["n", "create"],
      ["u", "delete"],
      ["m", "create"],
      ["d", "delete"],
    ],
  );
});
