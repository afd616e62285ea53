import assert from "node:assert/strict";
import { test } from "node:test";
import { dialectsOf } from "./sql-dialects.ts";
import { readSql } from "./sql-statements.ts";

const message = (text: string, program = "psql"): readonly string[] =>
  readSql(text, dialectsOf(program, `${text}--`)[0]!).statements.map((words) => words.join(" "));

test("a client's own commands neither start nor hide a statement", () => {
  assert.deepEqual(message(".mode csv\nDELETE FROM t;\n.quit", "sqlite3"), ["delete from t"]);
  assert.deepEqual(message("\\echo where id = 1 \\\\ drop table t;\n\\timing on\nselect 1;"), [
    "drop table t",
    "select 1",
  ]);
  assert.deepEqual(message("prompt drop table t\nselect 1;", "sqlplus"), ["select 1"]);
  assert.deepEqual(message("delete from t\n\\echo where id = 1\n;"), ["delete from t"]);
  assert.deepEqual(message("use shop\nGO\ndelete from t\ngo 2\nselect 1", "sqlcmd"), [
    "use shop",
    "delete from t",
    "select 1",
  ]);
  assert.deepEqual(message("select 1 \\gset\ndelete from t \\g"), ["select 1", "delete from t"]);
});

test("a delimiter command changes what separates the following statements", () => {
  assert.deepEqual(message("delimiter $$\nselect 1$$\ndelete from t$$\ndelimiter ;\nselect 2;", "mysql"), [
    "select 1",
    "delete from t",
    "select 2",
  ]);
  assert.deepEqual(message("DELIMITER //\ndrop table t//", "mysql"), ["drop table t"]);
});

test("treats data for COPY as data, up to its end", () => {
  assert.deepEqual(message("copy t from stdin;\ndelete from everything\n\\.\nselect 1;"), [
    "copy t from stdin",
    "select 1",
  ]);
  assert.deepEqual(message("copy t from stdin;\ndelete from u;"), ["copy t from stdin", "delete from u"]);
});

test("text like a client command inside a string belongs to the string", () => {
  assert.deepEqual(message("insert into t values ('a\n.mode csv\n'); drop table t;", "sqlite3"), [
    "insert into t values ( 'a\n.mode csv\n' )",
    "drop table t",
  ]);
});

test("ends comments as each database does", () => {
  const text = "/* a /* b */ select 1; /* */ select 2";
  assert.deepEqual(message(text, "sqlite3"), ["select 1", "select 2"]);
  assert.deepEqual(message(text, "psql"), []);
  assert.deepEqual(message("select 1--1\n, 2", "mysql"), ["select 1 - - 1 , 2"]);
  assert.deepEqual(message("select 1--1\n, 2", "sqlite3"), ["select 1 , 2"]);
  assert.deepEqual(message("select 1 #1\n, 2", "mysql"), ["select 1 , 2"]);
});

test("reports a text that ends inside a string", () => {
  const open = (text: string, program: string) => readSql(text, dialectsOf(program, text)[0]!).open;
  assert.equal(open("select 'a\\'", "mysql"), true);
  assert.equal(open("select 'a\\'", "sqlite3"), false);
  assert.equal(open("select 'a\\' -- '", "mysql"), false);
});
