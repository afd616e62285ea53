import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact } from "../../contract/conversation/fact.ts";
import { viewOf } from "./view.ts";

const failed = (message: string): Fact => ({
  type: "model.failed",
  turnId: "t1",
  requestId: "r",
  failure: { code: "network", message, retryable: true },
});

test("shows a repeated model failure once, and a different failure separately", () => {
  const facts: readonly Fact[] = [
    { type: "turn.started", turnId: "t1" },
    { type: "message.added", turnId: "t1", origin: "person", parts: [{ type: "text", text: "hello" }] },
    ...["Nothing answers.", "Nothing answers.", "It is too busy.", "Nothing answers."].map(failed),
    { type: "turn.ended", turnId: "t1", reason: "failed", detail: "Nothing answers. (asked 4 times)" },
  ];
  const { entries } = viewOf(facts.map((fact, index) => ({ seq: index + 1, at: 0, v: 1, fact })));
  assert.deepEqual(
    entries.map(({ kind, ...entry }) => [kind, "text" in entry ? entry.text : ""]),
    [
      ["user", "hello"],
      ["note", "Nothing answers."],
      ["note", "It is too busy."],
      ["note", "Nothing answers."],
      ["note", "The turn ended (failed): Nothing answers. (asked 4 times)"],
    ],
  );
});
