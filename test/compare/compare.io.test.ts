import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openOurs, type Ours } from "./ours.ts";
import { differences } from "./shape.ts";
import { readTable, scenesOf } from "./table.ts";

// In its own group: a hook outside a group would set PATH for every file of the run.
describe("beside the original", () => {
  let ours: Ours;

  before(async () => {
    ours = await openOurs();
  });

  after(() => ours[Symbol.asyncDispose]());

  for (const [scene, rows] of scenesOf(readTable())) {
    // req: terminal.tool, process.tool, tool-file.read-file, tool-file.write-file, tool-file.patch, tool-file.search, tool-todo.list, tool-clarify.ask
    test(`the model reads the same as in hermes-agent 0.19.0, except for intended improvements: ${scene}`, async () => {
      const shapes = await ours.play(scene, rows);
      const found = rows.flatMap((row, at) =>
        differences(row.ours ?? row.expect, shapes[at]).map(
          (line) => `call ${at + 1}, ${row.tool} ${JSON.stringify(row.args).slice(0, 200)}: ${line}`,
        ),
      );
      assert.deepEqual(found, []);
    });
  }
});

test("a row gives a reason if, and only if, it differs from the original", () => {
  const wrong = readTable().filter(
    (row) =>
      (row.ours === undefined) !== (row.why === undefined) ||
      (row.ours !== undefined && differences(row.expect, row.ours).length === 0),
  );
  assert.deepEqual(
    wrong.map(({ scene, args }) => ({ scene, args })),
    [],
  );
});
