import assert from "node:assert/strict";
import { test } from "node:test";
import { readHead, wordsOf } from "./read-head.ts";

// req: skills.frontmatter
test("reads frontmatter as YAML, with the same result from the fast path without a parser", async () => {
  assert.deepEqual(await readHead("---\nname: a-b\ndescription: Does this, and that\n---\n\nText.\n"), {
    data: { name: "a-b", description: "Does this, and that" },
    body: "\nText.\n",
  });
  const rich =
    '\uFEFF---\r\nname: "a: b"\r\nversion: 1.10\r\nown_key: [1, {x: y}]\r\nmetadata:\r\n  hermes:\r\n    tags: [p, q]\r\n---\r\nText.\r\n';
  assert.deepEqual(await readHead(rich), {
    data: { name: "a: b", version: 1.1, own_key: [1, { x: "y" }], metadata: { hermes: { tags: ["p", "q"] } } },
    body: "Text.\r\n",
  });
  for (const value of ["true", "12", "a # b", "'q'", "k: v", "a\n  b"]) {
    const { data } = await readHead(`---\nname: x\nvalue: ${value}\n---\n`);
    const { parse } = await import("yaml");
    assert.deepEqual([value, data["value"]], [value, value === "k: v" ? "k: v" : parse(`value: ${value}`).value]);
  }
});

test("reads invalid frontmatter line by line and reports what is wrong", async () => {
  const problem = async (text: string) => (await readHead(text)).problem;
  const broken = await readHead("---\nname: x\ndescription: \"open\nother: 'quoted'\n---\nText.\n");
  assert.deepEqual(broken.data, { name: "x", description: '"open', other: "quoted" });
  assert.match(broken.problem ?? "", /^its frontmatter is not valid YAML: /);
  assert.equal(broken.body, "Text.\n");
  assert.equal(await problem("# Text\n"), "it does not begin with frontmatter between two lines ---");
  assert.equal(await problem("---\nname: x\n"), "its frontmatter has no closing line ---");
  assert.equal(await problem("---\n- a\n---\n"), "its frontmatter is not a list of `key: value`");
});

test("reads frontmatter that is slow to parse line by line and reports that it is too long", async () => {
  for (const piece of ["a: &a [*a]\n", "{", "- ", "x: y\n"]) {
    const { data, body, problem } = await readHead(
      `---\nname: tea\nother: "plain: no"\n${piece.repeat(1_000_000 / piece.length)}\n---\nText.\n`,
    );
    assert.deepEqual(
      [data["name"], body, problem],
      ["tea", "Text.\n", "its frontmatter is longer than 65536 characters"],
    );
  }
});

test("accepts tags as a list, separated by commas, or in brackets", () => {
  assert.deepEqual(
    [wordsOf(["a", 1, null, " b "]), wordsOf("[a, 'b']"), wordsOf("a,b,"), wordsOf(undefined), wordsOf({})],
    [["a", "1", "b"], ["a", "b"], ["a", "b"], [], []],
  );
});
