import assert from "node:assert/strict";
import { test } from "node:test";
import { afterCommand } from "./sql-client-commands.ts";

const rest = (client: "psql" | "mysql", text: string): string => {
  const { end, sends } = afterCommand(text, 0, client, ";");
  return `${sends ? "sends" : "keeps"}${text.slice(end)}`;
};

test("a psql backslash command extends to the end of the line, or to two backslashes outside quotes", () => {
  assert.equal(rest("psql", "\\echo a b\nc"), "keeps\nc");
  assert.equal(rest("psql", String.raw`\echo '\\' \\ c`), "keeps c");
  assert.equal(rest("psql", "\\echo it's\nc"), "keeps\nc");
  assert.equal(rest("psql", "\\! a \\\\ b\nc"), "keeps\nc");
  assert.equal(rest("psql", "\\g 'x\nc"), "sends\nc");
  assert.equal(rest("psql", "\\gset"), "sends");
  assert.equal(rest("psql", "\\; c"), "sends c");
});

test("a mysql command ends after its letter, or with the statement if it takes arguments", () => {
  assert.equal(rest("mysql", "\\s c"), "keeps c");
  assert.equal(rest("mysql", "\\G c"), "sends c");
  assert.equal(rest("mysql", "\\u a; c"), "keeps; c");
  assert.equal(rest("mysql", "\\u a\nc;"), "keeps\nc;");
});
