import assert from "node:assert/strict";
import { test } from "node:test";
import { explainTrouble } from "./store-failure.ts";

test("where a store was never made, nobody is told that earlier sessions can be read", () => {
  const made = explainTrouble("read-only", import.meta.filename, undefined);
  assert.deepEqual(
    [made.message, made.hint],
    [
      `"${import.meta.filename}" cannot be written: the file or its disk is read-only.`,
      "Earlier sessions can still be read. Check the folder's owner and mode.",
    ],
  );
  const never = explainTrouble("read-only", "/nowhere/state.db", undefined);
  assert.deepEqual(
    [never.message, never.hint],
    [
      '"/nowhere/state.db", which keeps the sessions, cannot be made: its folder cannot be written.',
      "Set HERMES_HOME to a folder that you may write; `hermes doctor` looks at it.",
    ],
  );
});
