import assert from "node:assert/strict";
import { test } from "node:test";
import { GO_BACK, listText, reportText, timeText } from "./checkpoint-text.ts";

const now = new Date(2026, 10, 22, 9, 30, 5).getTime();
const turn = { turnId: "t", label: "terminal make", checkpoints: [{ root: "/work" }] } as never as {
  turnId: string;
  label: string;
  checkpoints: never[];
};

test("shows the time of today's checkpoints, and also the date of earlier ones", () => {
  assert.equal(timeText(new Date(2026, 10, 22, 0, 0, 9).getTime(), now), "00:00:09");
  assert.equal(timeText(new Date(2026, 10, 21, 23, 59, 59).getTime(), now), "2026-11-21 23:59:59");
  assert.equal(timeText(new Date(2025, 10, 22, 9, 30, 5).getTime(), now), "2025-11-22 09:30:05");
});

test("the list and a rollback mention once that changes in another environment cannot be undone", () => {
  const at = new Date(2026, 10, 20, 8, 0, 0).getTime();
  assert.equal(
    listText([{ ...turn, at }], ["docker"], GO_BACK.session, now),
    "  1  2026-11-20 08:00:00  before: terminal make  in /work\n\nChanges in docker cannot be undone: checkpoints cover only files on this machine.\n\n/rollback N restores the state before that turn; /rollback diff N shows what would change.",
  );
  assert.equal(
    listText([], ["ssh", "docker"], GO_BACK.session, now).split("\n").at(-1),
    "Changes in ssh and docker cannot be undone: checkpoints cover only files on this machine.",
  );
  assert.equal(
    listText([], [], GO_BACK.shell, now),
    "No turn of this conversation has a checkpoint with changed files.",
  );
  assert.match(listText([{ ...turn, at }], [], GO_BACK.shell, now), /\n\n`hermes rollback restore N` restores/);
  assert.match(
    reportText({ restored: ["a"], removed: [], kept: [], failed: [], notUndone: [] }, ["docker"]),
    /1 restored\.\n {2}↩ a\nChanges in docker/,
  );
});
