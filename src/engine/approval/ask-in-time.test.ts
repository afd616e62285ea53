import assert from "node:assert/strict";
import { test } from "node:test";
import { EXPIRED, type Answer } from "../../contract/conversation/question.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { askInTime } from "./ask-in-time.ts";

const QUESTION = { kind: "text", text: "Which?" } as const;
const NEVER = new AbortController().signal;

/** A user who answers after a while, or when the question is withdrawn. */
function slow(
  clock: ReturnType<typeof fakeClock>,
  ms: number,
): { withdrawn: unknown; ask(question: unknown, signal: AbortSignal): Promise<Answer> } {
  const prompter = {
    withdrawn: undefined as unknown,
    ask: (_: unknown, signal: AbortSignal) => {
      signal.addEventListener("abort", () => (prompter.withdrawn = signal.reason));
      return clock.sleep(ms, signal).then((): Answer => ({ kind: "text", text: "this" }));
    },
  };
  return prompter;
}

test("returns an answer within the time; after it, withdraws the question and ignores a late answer", async () => {
  const clock = fakeClock({ autoAdvance: true });
  const quick = slow(clock, 4_000);
  assert.deepEqual(await askInTime(quick, QUESTION, { seconds: 5, clock }, NEVER), { kind: "text", text: "this" });
  assert.equal(quick.withdrawn, undefined);
  const late = slow(clock, 6_000);
  assert.deepEqual(await askInTime(late, QUESTION, { seconds: 5, clock }, NEVER), { kind: "none", reason: "timeout" });
  assert.equal(late.withdrawn, EXPIRED);
});

test("the default timeout is an hour, and 0 waits without a limit", async () => {
  const clock = fakeClock({ autoAdvance: true });
  assert.equal((await askInTime(slow(clock, 3_599_000), QUESTION, { seconds: undefined, clock }, NEVER)).kind, "text");
  assert.equal((await askInTime(slow(clock, 3_601_000), QUESTION, { seconds: undefined, clock }, NEVER)).kind, "none");
  assert.equal((await askInTime(slow(clock, 86_400_000), QUESTION, { seconds: 0, clock }, NEVER)).kind, "text");
});
