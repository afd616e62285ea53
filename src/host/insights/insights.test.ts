import assert from "node:assert/strict";
import { test } from "node:test";
import type { UsageFact } from "../store/service/usage-facts.ts";
import { readInsights } from "./insights.ts";

const NOW = Date.UTC(2026, 4, 17, 12, 0, 0); // a Sunday
const HOUR = 3_600_000;
const EMPTY: UsageFact = {
  sessionId: "s",
  seq: 1,
  at: NOW - HOUR,
  type: "",
  surface: null,
  parentId: null,
  parentSeq: null,
  depth: null,
  title: null,
  origin: null,
  model: null,
  requestId: null,
  callId: null,
  tool: null,
  outcome: null,
  durationMs: null,
  usage: null,
  costUsd: null,
};

/** The facts of one turn with one request and one call. */
function turn(sessionId: string, at: number, parts: { readonly ok?: boolean; readonly costUsd?: number } = {}) {
  const usage = { inputTokens: 100, outputTokens: 10, cacheReadTokens: 40, cacheWriteTokens: 0, reasoningTokens: 2 };
  const facts: readonly Partial<UsageFact>[] = [
    { type: "turn.started" },
    { type: "message.added", origin: "person" },
    { type: "model.asked", requestId: "r", model: "large" },
    { type: "model.answered", requestId: "r", usage: JSON.stringify(usage), costUsd: parts.costUsd ?? null },
    { type: "tool.called", callId: "c", tool: "read_file" },
    { type: "tool.settled", callId: "c", outcome: parts.ok === false ? "failed" : "ok", durationMs: 20 },
    { type: "turn.ended", at: at + 5000 },
  ];
  return facts.map((fact, index): UsageFact => ({ ...EMPTY, sessionId, at, seq: index + 2, ...fact }));
}

const started = (sessionId: string, more: Partial<UsageFact> = {}): UsageFact => ({
  ...EMPTY,
  sessionId,
  type: "session.started",
  surface: "cli",
  ...more,
});

function read(facts: readonly UsageFact[], query: { readonly days?: number; readonly surface?: string } = {}) {
  return readInsights(query, {
    // The store gives the starts of older sessions too.
    facts: async function* (fromAt) {
      yield* facts.filter(({ at, type }) => at >= fromAt || type === "session.started");
    },
    now: NOW,
    timeZone: "UTC",
    mask: (text) => text.replace("secret", "***"),
  });
}

test("counts turns, requests, calls, tokens and cost by model, tool, surface and hour", async () => {
  const found = await read([
    started("s"),
    { ...EMPTY, type: "session.titled", title: "a secret plan" },
    ...turn("s", NOW - HOUR, { costUsd: 0.5 }),
    started("t", { surface: "telegram" }),
    ...turn("t", NOW - 26 * HOUR, { ok: false }),
  ]);
  const tokens = { input: 200, output: 20, cacheRead: 80, cacheWrite: 0, reasoning: 4 };
  const { hours, weekdays, ...rest } = found;
  assert.deepEqual(rest, {
    days: 30,
    fromAt: NOW - 30 * 24 * HOUR,
    untilAt: NOW,
    surface: undefined,
    sessions: 2,
    turns: 2,
    messages: 2,
    requests: 2,
    toolCalls: 2,
    failedCalls: 1,
    unpriced: 1,
    activeMs: 10_000,
    tokens,
    costUsd: 0.5,
    models: [{ model: "large", requests: 2, tokens, costUsd: 0.5 }],
    tools: [{ tool: "read_file", calls: 2, failed: 1, totalMs: 40 }],
    surfaces: [
      { surface: "cli", sessions: 1, turns: 1 },
      { surface: "telegram", sessions: 1, turns: 1 },
    ],
    byDay: [
      { day: "2026-05-16", turns: 1 },
      { day: "2026-05-17", turns: 1 },
    ],
    largest: [
      { id: "s", title: "a *** plan", turns: 1, toolCalls: 1, tokens: 110, costUsd: 0.5 },
      { id: "t", title: undefined, turns: 1, toolCalls: 1, tokens: 110, costUsd: undefined },
    ],
  });
  assert.deepEqual([hours[10], hours[11], hours.length], [1, 1, 24]);
  assert.deepEqual(weekdays, [0, 0, 0, 0, 0, 1, 1]);
});

test("counts copied facts of a branch once, and in the branch if the original session was deleted", async () => {
  const branch = [started("b", { parentId: "s", parentSeq: 8 }), ...turn("b", NOW - HOUR)];
  const both = await read([started("s"), ...turn("s", NOW - HOUR), ...branch]);
  assert.deepEqual([both.sessions, both.turns, both.tokens.input], [1, 1, 100]);
  const alone = await read(branch);
  assert.deepEqual([alone.sessions, alone.turns, alone.tokens.input], [1, 1, 100]);
});

test("adds a subagent's tokens and calls to the surface of its parent, but not its turns", async () => {
  const facts = [
    started("t", { surface: "telegram" }),
    ...turn("t", NOW - HOUR),
    started("a", { surface: "subagent", parentId: "t", parentSeq: 0, depth: 1 }),
    ...turn("a", NOW - HOUR),
  ];
  const { sessions, turns, messages, requests, tokens } = await read(facts, { surface: "telegram" });
  assert.deepEqual([sessions, turns, messages, requests, tokens.input], [1, 1, 1, 2, 200]);
  assert.equal((await read(facts, { surface: "cli" })).requests, 0);
});

test("counts only the part of an old session that is in the period", async () => {
  const facts = [
    started("s", { at: NOW - 90 * 24 * HOUR }),
    ...turn("s", NOW - 50 * 24 * HOUR),
    ...turn("s", NOW - HOUR),
  ];
  assert.equal((await read(facts)).turns, 1);
  assert.equal((await read(facts, { days: 60 })).turns, 2);
  assert.equal((await read(facts)).surfaces[0]?.surface, "cli");
});
