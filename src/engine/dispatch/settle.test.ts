import assert from "node:assert/strict";
import { test } from "node:test";
import { isAmbiguous, mayRunAgain } from "./settle.ts";

// req: R-12
test("a read-only tool that started a subagent is not run again after a crash", async () => {
  const call = {
    callId: "c",
    turnId: "t",
    tool: "looks",
    started: true,
    called: { args: {}, effect: "read" as const, repeatable: true, by: "model" as const, parentCallId: undefined },
  };
  assert.deepEqual(
    [
      mayRunAgain(call),
      mayRunAgain({ ...call, subagents: [{ sessionId: "s", goal: "g" }] }),
      isAmbiguous({ ...call, subagents: [{ sessionId: "s", goal: "g" }] }),
    ],
    [true, false, true],
  );
});
