import assert from "node:assert/strict";
import { test } from "node:test";
import { HandCalls } from "./direct-calls.ts";
import type { CallSession, Dispatch } from "../ports.ts";

const SESSION = {} as CallSession;

/** Calls that run until they are stopped. */
const untilStopped: Dispatch = (_request, _session, signal) =>
  new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve({ kind: "cancelled", reason: (signal.reason as Error).message })),
  );

test("cancels all manual calls together, and knows when the last has ended", async () => {
  const calls = new HandCalls({
    dispatch: untilStopped,
    ids: (kind) => `${kind}_1`,
    closing: new AbortController().signal,
  });
  const [one, other] = [calls.call("a", {}, "", SESSION), calls.call("b", {}, "turn_1", SESSION)];
  assert.equal(calls.any, true);
  let over = false;
  const ended = calls.ended().then(() => (over = true));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(over, false);
  calls.stop(new Error("Enough."));
  assert.deepEqual(
    [await one, await other],
    [
      { kind: "cancelled", reason: "Enough." },
      { kind: "cancelled", reason: "Enough." },
    ],
  );
  await ended;
  assert.equal(calls.any, false);
});

test("closing the session cancels manual calls, and a call that throws is removed", async () => {
  const closing = new AbortController();
  const calls = new HandCalls({
    dispatch: (request, ...rest) =>
      request.tool === "broken" ? Promise.reject(new Error("It broke.")) : untilStopped(request, ...rest),
    ids: () => "call_1",
    closing: closing.signal,
  });
  const call = calls.call("a", {}, "", SESSION);
  await assert.rejects(calls.call("broken", {}, "", SESSION), /It broke/);
  closing.abort(new Error("Closed."));
  assert.deepEqual(await call, { kind: "cancelled", reason: "Closed." });
  assert.equal(calls.any, false);
});
