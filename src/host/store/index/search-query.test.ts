import assert from "node:assert/strict";
import { test } from "node:test";
import { parseQuery, snippetOf, termsOf } from "./search-query.ts";

const terms = (words: string) => termsOf(parseQuery(words));

test("a query has at most 2048 characters", () => {
  assert.ok(terms("word ".repeat(2000)).length < 420);
});

test("searches for punctuation only if the query has nothing else, but always for symbols", () => {
  const texts = (words: string): readonly string[] => terms(words).map(({ text }) => text);
  assert.deepEqual(texts("green & blue - 🐳"), ["green", "blue", "🐳"]);
  assert.deepEqual(texts("=> ::"), ["=>", "::"]);
  assert.deepEqual(texts('"( )" C#'), ["C#"]);
  assert.deepEqual(texts("* \0"), []);
});

test("a snippet marks every hit, merges white space and shows where it was cut", () => {
  assert.equal(
    snippetOf("the cat\n sat on a Cat, not a concat", terms("cat"), { whole: true }),
    "the >>>cat<<< sat on a >>>Cat<<<, not a concat",
  );
  assert.equal(snippetOf("a concatenation", terms("cat"), { whole: false }), "a con>>>cat<<<enation");
  assert.equal(snippetOf("a concatenation", terms("cat"), { whole: true }), undefined);
  assert.equal(snippetOf("deploy, deployment", terms("deplo*"), { whole: true }), ">>>deploy<<<, >>>deployment<<<");
  const cut = snippetOf(`${"x ".repeat(500)}needle (found) ${"y ".repeat(500)}`, terms('"needle (found)"'), {
    whole: true,
  });
  assert.match(cut ?? "", /^\.\.\..*>>>needle \(found\)<<<.*\.\.\.$/);
  assert.ok((cut ?? "").length < 270);
  for (const words of ["a-b.c/d", "x{1}", "[z]", "c++", "a|b", "$1", "\\\\n", "it's"])
    assert.equal(
      snippetOf(`so ${words} there`, [{ text: words, prefix: false }], { whole: false }),
      `so >>>${words}<<< there`,
    );
});
