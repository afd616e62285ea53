import assert from "node:assert/strict";
import { test } from "node:test";
import { newSessionId } from "./session-id.ts";

// req: session-search.id-format
test("a session ID is its local start time and six hex digits, eight for chats, and sorts by time", () => {
  const at = new Date(2026, 3, 7, 9, 5, 3).getTime();
  assert.equal(
    newSessionId(at, () => 0),
    "20260407_090503_000000",
  );
  assert.equal(
    newSessionId(at, () => 0.9999999),
    "20260407_090503_fffffe",
  );
  for (let index = 0; index < 100; index++) assert.match(newSessionId(at, Math.random), /^\d{8}_\d{6}_[0-9a-f]{6}$/);
  assert.equal(
    newSessionId(at, () => 0.9999999999, 8),
    "20260407_090503_ffffffff",
  );
  assert.ok(newSessionId(at + 1000, () => 0) > newSessionId(at, () => 0.99));
});
