import assert from "node:assert/strict";
import { test } from "node:test";
import { carriedOut, steps } from "./sql-executed.ts";
import { dialectsOf } from "./sql-dialects.ts";
import { readSql } from "./sql-statements.ts";

const message = (text: string): readonly string[] =>
  readSql(text, dialectsOf("psql", `${text}$`)[0]!).statements.flatMap(carriedOut);

test("bodies and executed strings are statements; values, comments and names are not", () => {
  assert.deepEqual(message("do $$ begin drop table t; end $$ language 'plpgsql'"), [" begin drop table t; end "]);
  assert.deepEqual(message("create or replace function f() returns text as 'select 1' language 'sql'"), ["select 1"]);
  assert.deepEqual(message("execute 'delete from ' || t || ' where id = $1' using 'x'"), [
    "delete from   where id = $1",
  ]);
  assert.deepEqual(message("execute immediate 'drop table t'"), ["drop table t"]);
  assert.deepEqual(message("prepare s from 'drop table t'"), ["drop table t"]);
  assert.deepEqual(
    message(
      "execute p('drop table t'); comment on table t is 'drop table t'; grant execute on f to u; create table t as select 'drop table t'",
    ),
    [],
  );
});

test("statements of a body start after begin, then, else and loop", () => {
  assert.deepEqual(steps(["if", "a", "then", "delete", "from", "t", "else", "update", "t"]), [
    ["if", "a", "then"],
    ["delete", "from", "t", "else"],
    ["update", "t"],
  ]);
});
