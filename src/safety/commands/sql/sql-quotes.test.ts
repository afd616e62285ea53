import assert from "node:assert/strict";
import { test } from "node:test";
import { dialectsOf } from "./sql-dialects.ts";
import { quotedAt } from "./sql-quotes.ts";

const message = (program: string, text: string): string => {
  const quoted = quotedAt(text, 0, dialectsOf(program, `${text}--`)[0]!);
  return quoted === undefined
    ? "none"
    : `${quoted.kind} ${quoted.text} | ${text.slice(quoted.end)}${quoted.closed ? "" : "…"}`;
};

test("a quoted string ends where each database ends it", () => {
  const text = String.raw`'a\' b'`;
  assert.equal(message("sqlite3", text), String.raw`string a\ |  b'`);
  assert.equal(message("mysql", text), "string a' b | ");
  assert.equal(message("psql", text), String.raw`string a\ |  b'`);
  assert.equal(message("psql", `E${text}`), "string a' b | ");
  assert.equal(message("sqlite3", `E${text}`), "none");
});

test("a doubled quote is one character, and a missing end is reported", () => {
  assert.equal(message("psql", "'it''s' x"), "string it's |  x");
  assert.equal(message("psql", `"a""b" x`), `name a"b |  x`);
  assert.equal(message("psql", "'it''s"), "string it''s | …");
});

test("each dialect defines its quotes for names and strings", () => {
  assert.equal(message("sqlcmd", "[a]]b] x"), "name a]b |  x");
  assert.equal(message("psql", "[a]"), "none");
  assert.equal(message("mysql", "`a'b` x"), "name a'b |  x");
  assert.equal(message("psql", "$q$ ' $$ $q$ x"), "string  ' $$  |  x");
  assert.equal(message("psql", "$1 $1"), "none");
  assert.equal(message("snowsql", "$q$ $q$"), "none");
  assert.equal(message("sqlplus", "q'(it's)' x"), "string it's |  x");
  assert.equal(message("psql", "q'(it's)' x"), "none");
  assert.equal(message("bq", `"""a"b""" x`), `string a"b |  x`);
});
