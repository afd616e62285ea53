import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionSummary } from "../../../contract/services/session-service.ts";
import type { SessionView, ViewEntry } from "../../../contract/conversation/session.ts";
import { markdownOf } from "./session-markdown.ts";

const call = (outcome: string, ok: boolean): ViewEntry => ({
  kind: "tool",
  at: 0,
  callId: "c1",
  tool: "terminal",
  args: { command: "npm test" },
  outcome,
  ok,
  durationMs: 12.4,
});

function summaries(entries: readonly ViewEntry[]): readonly string[] {
  const session = { id: "s1", startedAt: 0 } as SessionSummary;
  const view = { title: "Tests", entries, turns: 1, model: "m" } as unknown as SessionView;
  return [...markdownOf(session, view).matchAll(/<summary>(.*)<\/summary>/g)].map(([, text]) => text!);
}

test("marks a command that ended with an error as failed, with its exit code", () => {
  assert.deepEqual(
    summaries([
      call('{"output":"","exit_code":0}', true),
      call('{"output":"1 failed","exit_code":1}', true),
      call('{"error":"No such file."}', false),
      call("plain text", true),
    ]),
    ["✓ terminal (12 ms)", "✗ terminal (exit 1, 12 ms)", "✗ terminal (12 ms)", "✓ terminal (12 ms)"],
  );
});
