import assert from "node:assert/strict";
import { test } from "node:test";
import { explainTrouble } from "./store-failure.ts";

test("mentions that earlier sessions are readable only if the store exists", () => {
  const made = explainTrouble("read-only", import.meta.filename, undefined);
  assert.deepEqual(
    [made.message, made.hint],
    [
      `"${import.meta.filename}" is not writable: the file or its disk is read-only.`,
      "Earlier sessions can still be read. Check the folder's owner and mode.",
    ],
  );
  const never = explainTrouble("read-only", "/nowhere/state.db", undefined);
  assert.deepEqual(
    [never.message, never.hint],
    [
      'The session store "/nowhere/state.db" cannot be created: its folder is not writable.',
      "Set HERMES_HOME to a folder that you can write; `hermes doctor` checks it.",
    ],
  );
});
