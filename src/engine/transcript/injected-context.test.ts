import assert from "node:assert/strict";
import { test } from "node:test";
import { injectedContext } from "./injected-context.ts";

const LIMITS = { maxChars: 10, headChars: 3, tailChars: 2 };

test("joins texts and contexts, and skips empty or invalid ones", async () => {
  assert.equal(
    await injectedContext(
      [" one ", { context: "two" }, "  ", { context: "" }, { context: 7 } as never, null as never].filter(
        (piece) => piece !== null,
      ),
      LIMITS,
    ),
    "one\n\ntwo",
  );
  assert.equal(await injectedContext(["", "  "], LIMITS), undefined);
});

test("saves a long piece in a file; the request has the path and both ends, if their size is not zero", async () => {
  const saved: string[] = [];
  const spill = async (text: string) => (saved.push(text), "/spilled.txt");
  assert.equal(
    await injectedContext(["abcdefghijkl", "short"], LIMITS, spill),
    "[A context of 12 characters; all of it is in /spilled.txt]\n--- head ---\nabc\n--- tail ---\nkl\n\nshort",
  );
  assert.equal(
    await injectedContext(["abcdefghijkl"], { maxChars: 10, headChars: 0, tailChars: 0 }, spill),
    "[A context of 12 characters; all of it is in /spilled.txt]",
  );
  assert.deepEqual(saved, ["abcdefghijkl", "abcdefghijkl"]);
});

test("if the file cannot be written, truncates the piece without waiting or splitting a character", async () => {
  const full = () => Promise.reject(new Error("the disk is full"));
  for (const spill of [undefined, full])
    assert.equal(
      await injectedContext(["abcdefghijkl"], LIMITS, spill),
      "abcdefghij\n[2 more characters were left out]",
    );
  assert.equal(
    await injectedContext([`${"a".repeat(9)}😀`], LIMITS),
    `${"a".repeat(9)}\ufffd\n[1 more characters were left out]`,
  );
});
