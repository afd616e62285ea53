import assert from "node:assert/strict";
import { test } from "node:test";
import { hasCjk, parseQuery, snippetOf, termsOf, toMatch } from "./search-query.ts";

const match = (words: string) => toMatch(parseQuery(words), { prefixes: true });
const terms = (words: string) => termsOf(parseQuery(words));

test("words are all required, quoted words stay together, and each is a quoted string", () => {
  assert.equal(match('deploy "exact phrase" now'), '"deploy" AND "exact phrase" AND "now"');
  assert.equal(match("my-app.config snake_case"), '"my-app.config" AND "snake_case"');
});

test("OR joins its neighbours, NOT leaves out, AND says nothing new", () => {
  assert.equal(match("cat OR dog bowl"), '("cat" OR "dog") AND "bowl"');
  assert.equal(match("cat AND dog"), '"cat" AND "dog"');
  assert.equal(match("cat NOT dog"), '("cat") NOT ("dog")');
  assert.equal(match("NOT dog cat"), '("cat") NOT ("dog")');
});

test("operators without neighbours, lone signs and open quotes are harmless", () => {
  for (const words of ["", "AND", "OR OR", "NOT", "cat NOT", '"', '""', "*", "( )", "^", "+-:{}", "\0"]) {
    const made = match(words);
    assert.ok(made === "" || made === '"cat"', `${words} → ${made}`);
  }
  assert.equal(match("cat OR"), '"cat"');
  assert.equal(match("NOT cat"), "", "what is not wanted is never looked for");
  assert.equal(match('say "hi'), '"say" AND "hi"');
  assert.equal(match("a:b* NEAR(x"), '"a:b" * AND "NEAR(x"');
});

test("a star at the end finds beginnings of words", () => {
  assert.equal(match("deplo*"), '"deplo" *');
  assert.equal(toMatch(parseQuery("deplo*"), { prefixes: false }), '"deplo"');
});

test("no query is longer than 2048 characters", () => {
  assert.ok(match("word ".repeat(2000)).length < 5000);
});

test("detects languages without spaces between words", () => {
  for (const text of ["部署", "デプロイ", "배포", "mixed 部"]) assert.equal(hasCjk(text), true, text);
  for (const text of ["deploy", "ünïcödé", "деплой", "🚀"]) assert.equal(hasCjk(text), false, text);
});

test("a snippet marks every hit, folds blanks and says where it was cut", () => {
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
