import assert from "node:assert/strict";
import { test } from "node:test";
import type { TurnEnd } from "../../contract/conversation/session.ts";
import { InputWaiters } from "./input-waiters.ts";

const END = { turnId: "t1", reason: "done", text: "here" } as TurnEnd;

test("each sender is notified once of the end of the turn that accepted its input, and no one else is", async () => {
  const waiters = new InputWaiters();
  const [a, b, c] = ["a", "b", "c"].map((id) => waiters.wait(id));
  waiters.ended(["a", "b", "unknown"], END);
  waiters.failed(["a"], new Error("too late"));
  assert.deepEqual(await Promise.all([a, b]), [END, END]);
  waiters.failed(["c"], new Error("The disk is gone."));
  await assert.rejects(c!, { message: "The disk is gone." });
});

test("when no more turns start all senders are notified, except those whose turn still answers them", async () => {
  const waiters = new InputWaiters();
  const [taken, waiting, forgotten] = ["taken", "waiting", "forgotten"].map((id) => waiters.wait(id));
  waiters.forget("forgotten");
  waiters.giveUp(new Error("Closed."), ["taken"]);
  waiters.ended(["taken", "forgotten"], END);
  assert.equal(await taken, END);
  await assert.rejects(waiting!, { message: "Closed." });
  assert.equal(await Promise.race([forgotten, Promise.resolve("nothing")]), "nothing");
});
