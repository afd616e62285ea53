import assert from "node:assert/strict";
import { test } from "node:test";
import { waitFor, withTimeout } from "./wait-for.ts";

test("waitFor returns the first value for which the condition holds", async () => {
  const values = [undefined, null, false, 0];
  assert.equal(await waitFor(() => values.shift(), { what: "a value" }), 0);
  const promised = [false, "late"];
  assert.equal(await waitFor(async () => promised.shift(), { what: "a promised value" }), "late");
});

test("waitFor fails with what it waited for and the state, and passes on an error of the condition", async () => {
  await assert.rejects(
    waitFor(() => false, { what: "the server answers", timeoutMs: 1, state: () => ({ answers: 0 }) }),
    /^AssertionError.*: Not within \d+\.\d s: the server answers\n\{"answers":0\}$/,
  );
  const never = false;
  await assert.rejects(
    waitFor(() => never, { timeoutMs: 1 }),
    /Not within \d+\.\d s: \(\) => never$/,
  );
  const broken = (): boolean => {
    throw new Error("broken");
  };
  await assert.rejects(waitFor(broken, { what: "nothing" }), /^Error: broken$/);
});

test("withTimeout passes on how a promise settles, and fails when it does not settle in time", async () => {
  assert.equal(await withTimeout(Promise.resolve(7), { what: "seven" }), 7);
  await assert.rejects(withTimeout(Promise.reject(new Error("broken")), { what: "nothing" }), /^Error: broken$/);
  await assert.rejects(
    withTimeout(new Promise(() => {}), { what: "the connection closes", timeoutMs: 1 }),
    /Not within \d+\.\d s: the connection closes$/,
  );
});
