import assert from "node:assert/strict";
import { test } from "node:test";
import { dialectsOf } from "./sql-dialects.ts";
import { quotedAt } from "./sql-quotes.ts";

const told = (program: string, text: string): string => {
  const quoted = quotedAt(text, 0, dialectsOf(program, `${text}--`)[0]!);
  return quoted === undefined
    ? "none"
    : `${quoted.kind} ${quoted.text} | ${text.slice(quoted.end)}${quoted.closed ? "" : "…"}`;
};

test("the same quotes end where each database ends them", () => {
  const text = String.raw`'a\' b'`;
  assert.equal(told("sqlite3", text), String.raw`string a\ |  b'`);
  assert.equal(told("mysql", text), "string a' b | ");
  assert.equal(told("psql", text), String.raw`string a\ |  b'`);
  assert.equal(told("psql", `E${text}`), "string a' b | ");
  assert.equal(told("sqlite3", `E${text}`), "none");
});

test("quotes that are written twice are one, and an end that is missing is said", () => {
  assert.equal(told("psql", "'it''s' x"), "string it's |  x");
  assert.equal(told("psql", `"a""b" x`), `name a"b |  x`);
  assert.equal(told("psql", "'it''s"), "string it''s | …");
});

test("names and strings in marks of their own are those of the databases that have them", () => {
  assert.equal(told("sqlcmd", "[a]]b] x"), "name a]b |  x");
  assert.equal(told("psql", "[a]"), "none");
  assert.equal(told("mysql", "`a'b` x"), "name a'b |  x");
  assert.equal(told("psql", "$q$ ' $$ $q$ x"), "string  ' $$  |  x");
  assert.equal(told("psql", "$1 $1"), "none");
  assert.equal(told("snowsql", "$q$ $q$"), "none");
  assert.equal(told("sqlplus", "q'(it's)' x"), "string it's |  x");
  assert.equal(told("psql", "q'(it's)' x"), "none");
  assert.equal(told("bq", `"""a"b""" x`), `string a"b |  x`);
});
