import assert from "node:assert/strict";
import { test } from "node:test";
import { piecePlans, wordPlan } from "./match-plan.ts";
import { parseQuery } from "./search-query.ts";

const match = (words: string) => wordPlan(parseQuery(words))?.values;

test("requires all words, keeps quoted words together, and passes each term as a quoted string", () => {
  assert.deepEqual(match('deploy "exact phrase" now'), ['"deploy" AND "exact phrase" AND "now"']);
  assert.deepEqual(match("my-app.config snake_case"), ['"my-app.config" AND "snake_case"']);
  assert.deepEqual(match('say "hi'), ['"say" AND "hi"']);
  assert.deepEqual(match("a:b* NEAR(x"), ['"a:b" * AND "NEAR(x"']);
  assert.deepEqual(match("deplo*"), ['"deplo" *'], "a star at the end finds beginnings of words");
});

test("OR joins its neighbours, NOT excludes, and AND is the default", () => {
  assert.deepEqual(match("cat OR dog bowl"), ['("cat" OR "dog") AND "bowl"']);
  assert.deepEqual(match("cat AND dog"), ['"cat" AND "dog"']);
  assert.deepEqual(match("cat NOT dog"), ['("cat") NOT "dog"']);
  assert.deepEqual(match("NOT dog cat NOT hen"), ['("cat") NOT ("dog" OR "hen")']);
});

test("does not query the word index for text that contains no words", () => {
  for (const words of ["部署", "デプロイ", "배포", "mixed 部", "🐳", "=>", "cat OR 🐳"])
    assert.equal(match(words), undefined, words);
  for (const words of ["deploy", "ünïcödé", "деплой", "C#"]) assert.notEqual(match(words), undefined, words);
});

test("looks up each term in the index for terms of its length", () => {
  const plan = (words: string) => piecePlans(parseQuery(words))[0]!;
  assert.deepEqual(plan("鲸鱼 ploy NOT 🐳").values, ['"ploy"', '"wqazwok"', '"2yil"']);
  assert.match(
    plan("鲸鱼 ploy NOT 🐳").from,
    /^FROM messages_fts_trigram CROSS JOIN .* IN \(SELECT rowid FROM messages_fts_short .* AND .* NOT IN \(SELECT rowid FROM messages_fts_short/,
  );
  assert.deepEqual(
    piecePlans(parseQuery("鲸鱼 OR ploy hook")).map(({ values }) => values),
    [['"hook"', '"wqazwok"'], ['"ploy" AND "hook"']],
  );
  assert.match(plan("go 鱼").from, /^FROM messages_fts_short .* IN \(SELECT rowid FROM messages_fts /);
});
