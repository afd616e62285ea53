import assert from "node:assert/strict";
import { test } from "node:test";
import { endingOf, endingOfText } from "./call-ending.ts";

const REASON = "The user refused this call. There is no consent: do not repeat it.";

test("shows a denial without the text for models", () => {
  assert.deepEqual(endingOf({ kind: "denied", by: "person", reason: REASON }), {
    kind: "refused",
    text: "denied by you",
  });
  assert.deepEqual(endingOf({ kind: "denied", by: "safety", reason: "Blocked. Do not try again." }), {
    kind: "refused",
    text: "Blocked.",
  });
  assert.deepEqual(endingOfText(false, JSON.stringify({ error: REASON, status: "blocked" })), {
    kind: "refused",
    text: "The user refused this call.",
  });
});

test("a command that ran and failed shows its exit status", () => {
  assert.deepEqual(endingOf({ kind: "ok", shown: [{ type: "text", text: '{"output":"","exit_code":2}' }] }), {
    kind: "ok",
    text: "exit 2",
  });
  assert.deepEqual(endingOfText(true, '{"output":"x","exit_code":0}'), { kind: "ok", text: "" });
  assert.deepEqual(endingOfText(true, "{no json"), { kind: "ok", text: "" });
});

test("a failure shows its message; a stopped call says so", () => {
  assert.deepEqual(endingOf({ kind: "failed", code: "not_found", message: "No file x." }), {
    kind: "failed",
    text: "No file x.",
  });
  assert.deepEqual(endingOf({ kind: "cancelled", reason: "Ctrl-C" }), { kind: "stopped", text: "stopped" });
  assert.deepEqual(endingOf({ kind: "unknown", reason: "the process ended" }), {
    kind: "stopped",
    text: "interrupted, outcome unknown",
  });
});
