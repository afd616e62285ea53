import assert from "node:assert/strict";
import { test } from "node:test";
import { Highlighter, type CodePiece } from "./highlight.ts";

/** The lines of code once its grammar has arrived, each piece as `token:text`. */
async function highlighted(code: string, language: string): Promise<readonly string[] | undefined> {
  const loaded = Promise.withResolvers<void>();
  const highlighter = new Highlighter(loaded.resolve);
  assert.equal(highlighter.lines(code, language), undefined, "nothing waits for the grammar");
  await loaded.promise;
  return highlighter.lines(code, language)?.map((line) => line.map(asText).join("|"));
}

const asText = ({ token, text }: CodePiece): string => `${token}:${text}`;

test("splits code into the pieces that have a colour, line by line", async () => {
  assert.deepEqual(await highlighted('const a = "<&>"; // it\'s', "ts"), [
    'keyword:const|plain: a = |string:"<&>"|plain:; |comment:// it\'s',
  ]);
  assert.deepEqual(await highlighted("/* one\ntwo */ 1", "javascript"), [
    "comment:/* one",
    "comment:two */|plain: |number:1",
  ]);
  assert.deepEqual(await highlighted("+new\n-old", "patch"), ["added:+new", "removed:-old"]);
});

test("reads the language from the beginning of the fence's words", async () => {
  assert.deepEqual(await highlighted("x = 1", 'Python title="a.py"'), ["plain:x = |number:1"]);
});

test("the pieces of a line are its text", async () => {
  const code = 'fn main() {\n\tlet s = r#"<b>&amp;"#;\n}\n\n';
  const loaded = Promise.withResolvers<void>();
  const highlighter = new Highlighter(loaded.resolve);
  highlighter.lines(code, "rust");
  await loaded.promise;
  const text = highlighter.lines(code, "rs")?.map((line) => line.map((piece) => piece.text).join(""));
  assert.equal(text?.join("\n"), code);
});

test("leaves unknown languages and very long code in one colour", () => {
  const highlighter = new Highlighter(() => assert.fail("nothing to load"));
  for (const language of ["", "klingon", "constructor", "__proto__"])
    assert.equal(highlighter.lines("x", language), undefined);
  assert.equal(highlighter.lines("x".repeat(20_001), "ts"), undefined);
});
