import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionSummary } from "../../../contract/services/session-service.ts";
import type { SessionView } from "../../../contract/conversation/session.ts";
import type { ToolDeclaration } from "../../../contract/tools/tool.ts";
import { sessionText } from "./session-text.ts";

test("prints a past conversation as the screen showed it: messages, and a line for each call", () => {
  const entries: SessionView["entries"] = [
    { kind: "user", at: 1, text: "tidy\nup", origin: "person" },
    { kind: "assistant", at: 2, text: "", thinking: "" },
    {
      kind: "tool",
      at: 2,
      callId: "a",
      tool: "terminal",
      args: { command: "npm test" },
      outcome: '{"output":"","exit_code":1,"error":null}',
      ok: true,
      durationMs: 1200,
    },
    {
      kind: "tool",
      at: 3,
      callId: "b",
      tool: "terminal",
      args: { command: "rm -rf x" },
      outcome: '{"status":"blocked","error":"No one answered within 60 s. Silence is not consent."}',
      ok: false,
      durationMs: 5,
    },
    { kind: "assistant", at: 4, text: "Done \u001b[2J.\n", thinking: "" },
  ];
  const shown = sessionText(
    { id: "20260407_090000_aaaaaa" } as SessionSummary,
    { title: "spring", model: "m", turns: 1, entries } as unknown as SessionView,
    () => ({ emoji: "💻" }) as ToolDeclaration,
    { columns: 80, styleOut: (_, text) => text },
  );
  assert.equal(
    shown,
    [
      "20260407_090000_aaaaaa “spring” · m · 1 turn",
      "",
      "› tidy",
      "  up",
      "",
      "💻 terminal  npm test  1.2s  exit 1",
      "💻 terminal  rm -rf x  ✗ No one answered within 60 s.",
      "",
      "Done ␛[2J.",
      "",
    ].join("\n"),
  );
});
