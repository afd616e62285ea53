import assert from "node:assert/strict";
import { test } from "node:test";
import { SharedAnswers } from "./shared-answers.ts";

test("concurrent callers with one key share the work; a later caller starts it again", async () => {
  const shared = new SharedAnswers<number>();
  const { signal } = new AbortController();
  let done = 0;
  const work = async (): Promise<number> => Promise.resolve(++done);
  assert.deepEqual(await Promise.all([shared.share("a", signal, work), shared.share("a", signal, work)]), [1, 1]);
  assert.equal(await shared.share("a", signal, work), 2);
});

test("stops the work only when all callers have left", async () => {
  const shared = new SharedAnswers<string>();
  const [first, second] = [new AbortController(), new AbortController()];
  let none: AbortSignal | undefined;
  const work = (signal: AbortSignal): Promise<string> => (
    (none = signal),
    new Promise((resolve) => signal.addEventListener("abort", () => resolve("stopped")))
  );
  const both = [shared.share("a", first.signal, work), shared.share("a", second.signal, work)];
  first.abort();
  assert.equal(none?.aborted, false);
  second.abort();
  assert.deepEqual(await Promise.all(both), ["stopped", "stopped"]);
});
