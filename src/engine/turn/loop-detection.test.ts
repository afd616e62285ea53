import assert from "node:assert/strict";
import { test } from "node:test";
import type { SettledOutcome } from "../../contract/tools/outcome.ts";
import { LoopDetection, loopRefusal, loopWarning, type Repeats } from "./loop-detection.ts";

const ok = (text: string): SettledOutcome => ({ kind: "ok", shown: [{ type: "text", text }] });

test("counts repeated results for the same arguments, however they are formatted", () => {
  const loops = new LoopDetection();
  assert.equal(loops.settled("read", '{"a":1,"b":2}', ok("x"), "read").noProgress, 1);
  assert.equal(loops.settled("read", '{ "b": 2, "a": 1 }', ok("x"), "read").noProgress, 2);
  assert.equal(loops.count("read", '{"b":2,"a":1}').noProgress, 2);
  assert.equal(
    loops.settled("read", '{"a":1,"b":2}', ok("y"), "read").noProgress,
    1,
    "a different result resets the count",
  );
  assert.equal(loops.count("read", '{"a":2}').noProgress, 0);
});

test("counts failures and calls with invalid JSON like any other", () => {
  const loops = new LoopDetection();
  const failed: SettledOutcome = { kind: "failed", code: "x", message: "no" };
  loops.settled("run", '{"a', failed, "execute");
  assert.deepEqual(loops.settled("run", '{"a', failed, "execute"), {
    exactFailure: 2,
    sameToolFailure: 2,
    noProgress: 2,
  });
  assert.deepEqual(loops.settled("run", '{"a', { ...failed, message: "another" }, "execute"), {
    exactFailure: 1,
    sameToolFailure: 3,
    noProgress: 1,
  });
  assert.deepEqual(loops.settled("run", "{}", failed, "execute"), {
    exactFailure: 1,
    sameToolFailure: 4,
    noProgress: 1,
  });
  assert.deepEqual(loops.settled("run", "{}", ok("well"), "read"), {
    exactFailure: 0,
    sameToolFailure: 0,
    noProgress: 1,
  });
});

test("a new change resets the other counts, a repeated change does not", () => {
  const loops = new LoopDetection();
  loops.settled("test", "{}", ok("red"), "execute");
  loops.settled("edit", '{"n":1}', ok("ok"), "write");
  assert.equal(loops.count("test", "{}").noProgress, 0);
  loops.settled("test", "{}", ok("red"), "execute");
  loops.settled("edit", '{"n":1}', ok("ok"), "write");
  assert.equal(
    loops.settled("test", "{}", ok("red"), "execute").noProgress,
    2,
    "alternating between two calls is a loop",
  );
});

test("warns the model once at each limit, and refuses a call at its refusal limit", () => {
  const limits = {
    warnAfter: { exactFailure: 2, sameToolFailure: 3, noProgress: 2 },
    refuseAfter: { exactFailure: 5, sameToolFailure: 8, noProgress: 3 },
  };
  const at = (repeats: Partial<Repeats>): Repeats => ({
    exactFailure: 0,
    sameToolFailure: 0,
    noProgress: 0,
    ...repeats,
  });
  assert.equal(
    loopWarning("t", at({ noProgress: 2 }), limits),
    '[Loop warning: "t" gave the same result for the same arguments 2 times in a row. Take another way; after 3 times it is refused.]',
  );
  assert.equal(
    loopWarning("t", at({ exactFailure: 2, noProgress: 1 }), limits),
    '[Loop warning: "t" failed for the same arguments 2 times in a row. Take another way; after 5 times it is refused.]',
  );
  assert.equal(
    loopWarning("t", at({ sameToolFailure: 3 }), limits),
    '[Loop warning: "t" failed 3 times in a row. Take another way; after 8 times it is refused.]',
  );
  assert.equal(loopWarning("t", at({ sameToolFailure: 4, exactFailure: 3 }), limits), undefined);
  const NEVER = at({ exactFailure: Infinity, sameToolFailure: Infinity, noProgress: Infinity });
  assert.equal(
    loopWarning("t", at({ noProgress: 2 }), { ...limits, refuseAfter: NEVER }),
    '[Loop warning: "t" gave the same result for the same arguments 2 times in a row. Take another way.]',
  );
  assert.equal(loopWarning("t", at({ noProgress: 2 }), { ...limits, warnAfter: NEVER }), undefined);
  assert.equal(loopRefusal("t", at({ noProgress: 2, exactFailure: 4, sameToolFailure: 7 }), limits), undefined);
  assert.equal(
    loopRefusal("t", at({ noProgress: 3 }), limits),
    "This call gave the same result 3 times; it was not run again.",
  );
  assert.equal(loopRefusal("t", at({ exactFailure: 6 }), limits), "This call failed 6 times; it was not run again.");
  assert.equal(
    loopRefusal("t", at({ sameToolFailure: 8 }), limits),
    '"t" failed 8 times in a row; it was not run again.',
  );
});
