import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeCommand } from "../command.ts";

const answer = async (command: string): Promise<string> =>
  (await judgeCommand(command, { cwd: "/home/u/p", home: "/home/u" })).answer;

test("a program text or a statement behind an option of a program that no table has is judged, though what judges it is not loaded before", async () => {
  assert.equal(await answer("nobodys-tool --eval 'import os; os.system(\"rm -rf build\")'"), "ask");
  assert.equal(await answer("nobodys-db shell --command 'drop table t'"), "ask");
  assert.equal(await answer("nobodys-db shell --command 'select 1'"), "allow");
});
