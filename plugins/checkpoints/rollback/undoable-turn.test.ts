import assert from "node:assert/strict";
import { test } from "node:test";
import type { Checkpoint } from "../snapshot/snapshot-store.ts";
import { pickTurn, type UndoableTurn } from "./undoable-turn.ts";

const turn = (turnId: string): UndoableTurn => ({
  turnId,
  at: 1,
  label: turnId,
  checkpoints: [{ turnId } as Checkpoint],
});

test("going back to a turn undoes it and all later turns", () => {
  const { turn: picked, checkpoints } = pickTurn([turn("t3"), turn("t2"), turn("t1")], "2");
  assert.deepEqual([picked.turnId, checkpoints.map(({ turnId }) => turnId)], ["t2", ["t3", "t2"]]);
});

test("refuses an unknown number and says how many checkpoints exist", () => {
  assert.throws(() => pickTurn([], "1"), {
    message: "No turn of this conversation has a checkpoint with changed files.",
  });
  assert.throws(() => pickTurn([turn("t1")], "2"), { message: "There is no checkpoint 2; there is one." });
  for (const which of ["0", "3", "-1", "one", "1.5", ""])
    assert.throws(() => pickTurn([turn("t2"), turn("t1")], which), {
      message: `There is no checkpoint ${which}; there are 2.`,
    });
});
