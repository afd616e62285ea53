import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact } from "../../contract/conversation/fact.ts";
import { memoryStore } from "../../testing/memory-store.ts";
import { realClock } from "../../testing/real-clock.ts";
import { withSubagents } from "./orphaned-subagents.ts";
import { Transcript } from "../transcript/transcript.ts";

const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
const begin = (goal: string): readonly Fact[] => [
  {
    type: "session.started",
    surface: "subagent",
    cwd: "/w",
    parent: { sessionId: "p", seq: 0 },
    subagent: { callId: "c", goal, depth: 1 },
  },
  { type: "turn.started", turnId: "t" },
  { type: "message.added", turnId: "t", origin: "model", parts: [{ type: "text", text: goal }] },
];
const asks = (callId: string, tool: string, args: object): Fact => ({
  type: "model.answered",
  turnId: "t",
  requestId: callId,
  parts: [{ type: "tool-call", callId, tool, args: JSON.stringify(args) }],
  finish: "tool-calls",
  usage,
});
const starts = (
  callId: string,
  tool: string,
  effect: "read" | "execute",
  args: { readonly [key: string]: string },
): readonly Fact[] => [
  { type: "tool.called", turnId: "t", callId, tool, args, by: "model", effect, repeatable: effect === "read" },
  { type: "tool.started", callId },
];
const says = (text: string): readonly Fact[] => [
  { type: "model.answered", turnId: "t", requestId: "last", parts: [{ type: "text", text }], finish: "stop", usage },
  { type: "turn.ended", turnId: "t", reason: "done" },
];

// req
test("an interrupted call reports what its subagents did, were doing and had read from untrusted sources", async () => {
  const store = memoryStore({ clock: realClock() });
  await store.append("one", [
    ...begin("look"),
    asks("1", "web", { url: "u" }),
    ...starts("1", "web", "read", { url: "u" }),
    {
      type: "tool.settled",
      callId: "1",
      outcome: {
        kind: "ok",
        shown: [
          { type: "text", text: "news", from: { trust: "foreign", owner: "w", source: "https://news.example/" } },
        ],
      },
      durationMs: 1,
    },
    asks("2", "terminal", { command: "make" }),
    ...starts("2", "terminal", "execute", { command: "make" }),
  ]);
  await store.append("two", [
    ...begin("count"),
    asks("1", "read_file", { path: "a" }),
    ...starts("1", "read_file", "read", { path: "a" }),
  ]);
  await store.append("three", [...begin("sum"), ...says("It is 3.")]);
  const recorded = (facts: readonly Fact[]) => facts.map((fact, at) => ({ seq: at + 1, at, v: 1 as const, fact }));
  const parent = new Transcript(
    recorded([
      {
        type: "tool.called",
        turnId: "t",
        callId: "c",
        tool: "delegate_task",
        args: {},
        by: "model",
        effect: "execute",
        repeatable: false,
      },
      { type: "tool.started", callId: "c" },
      ...["one", "two", "three"].map((sessionId): Fact => ({
        type: "subagent.started",
        callId: "c",
        sessionId,
        goal: `goal of ${sessionId}`,
        role: "leaf",
      })),
    ]),
  );
  const [message, other] = await withSubagents(
    [
      { type: "tool.settled", callId: "c", outcome: { kind: "unknown", reason: "cut off" }, durationMs: 0 },
      { type: "turn.started", turnId: "t2" },
    ],
    parent,
    store,
  );
  assert.deepEqual(message, {
    type: "tool.settled",
    callId: "c",
    outcome: {
      kind: "unknown",
      reason: "cut off",
      data: {
        subagents: [
          {
            goal: "goal of one",
            session_id: "one",
            status: "interrupted",
            done: ['web {"url":"u"}: ok'],
            interrupted: ['terminal {"command":"make"}: it may or may not have happened'],
          },
          {
            goal: "goal of two",
            session_id: "two",
            status: "interrupted",
            done: [],
            interrupted: ['read_file {"path":"a"}: not started, or it changes nothing'],
          },
          {
            goal: "goal of three",
            session_id: "three",
            status: "ended",
            summary: "It is 3.",
            done: [],
            interrupted: [],
          },
        ],
      },
      from: {
        trust: "foreign",
        owner: "subagent",
        tool: "delegate_task",
        source: "a subagent that read https://news.example/",
      },
    },
    durationMs: 0,
  });
  assert.deepEqual(other, { type: "turn.started", turnId: "t2" });
});
