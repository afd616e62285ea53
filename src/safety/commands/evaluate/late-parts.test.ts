import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeCommand } from "../command.ts";

const answer = async (command: string): Promise<string> =>
  (await judgeCommand(command, { cwd: "/home/u/p", home: "/home/u" })).answer;

test("judges code or SQL in an option of an unknown program, and loads the needed analyser", async () => {
  assert.equal(await answer("nobodys-tool --eval 'import os; os.system(\"rm -rf build\")'"), "ask");
  assert.equal(await answer("nobodys-db shell --command 'drop table t'"), "ask");
  assert.equal(await answer("nobodys-db shell --command 'select 1'"), "allow");
});
