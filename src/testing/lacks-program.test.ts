import assert from "node:assert/strict";
import { test } from "node:test";
import { lacksProgram } from "./lacks-program.ts";

test("names the first program that is not on PATH", () => {
  assert.equal(lacksProgram("sh"), false);
  assert.equal(lacksProgram(process.execPath), false);
  assert.equal(lacksProgram("sh", "no-such-a", "no-such-b"), "needs the program no-such-a, which this machine lacks");
  assert.equal(lacksProgram("/no/such/program"), "needs the program /no/such/program, which this machine lacks");
});
