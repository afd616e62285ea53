import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../contract/common/json.ts";
import { callTitle } from "./call-title.ts";

const titled = (title: string, args: JsonObject, length?: number): string =>
  callTitle({ name: "read_file", declaration: { title }, args }, length);

test("fills the title that the tool declares with the call's arguments", () => {
  assert.equal(titled("$ {command}", { command: "npm\n  test" }), "$ npm test");
  assert.equal(titled("Read {path}[ from line {offset}]", { path: "a.ts", offset: 40 }), "Read a.ts from line 40");
  assert.equal(titled("Read {path}[ from line {offset}]", { path: "a.ts" }), "Read a.ts");
  assert.equal(
    titled("Read {urls}", { urls: ["https://a.example", "https://b.example"] }),
    "Read https://a.example and 1 more",
  );
  assert.equal(titled("Edit[ {path}]", {}), "Edit");
  const tasks = [{ goal: "read" }, { goal: "write" }, { goal: "test" }];
  assert.equal(titled("Delegate[ {goal}][ {tasks}]", { tasks }), "Delegate read and 2 more");
});

test("if the title's argument is missing, uses the tool's name and the identifying argument", () => {
  assert.equal(titled("Delegate {goal}", { tasks: [{ goal: "read" }] }), "read_file  read");
  assert.equal(callTitle({ name: "sum", declaration: undefined, args: undefined }), "sum");
  assert.equal(callTitle({ name: "sum", declaration: {}, args: { query: "1 + 1" } }), "sum  1 + 1");
});

test("cuts each argument to the configured length and shows control characters as symbols", () => {
  assert.equal(titled("Read {path}", { path: "a-long-name.ts" }, 6), "Read a-lon…");
  assert.equal(titled("$ {command}", { command: "echo \u001b[2J" }), "$ echo ␛[2J");
});
