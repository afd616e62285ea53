import assert from "node:assert/strict";
import { test } from "node:test";
import type { MeasuredWindow } from "../../contract/providers/model.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { looksCut } from "./cut-request.ts";
import { ModelWindows, type LearnedWindows, type WindowQuestion } from "./model-windows.ts";

const usage = (inputTokens: number) => ({
  inputTokens,
  outputTokens: 10,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
});

function bench(more: Partial<WindowQuestion> = {}) {
  let now = 0;
  let learned: ReturnType<LearnedWindows["read"]> = {};
  const log = quietLog();
  const windows = new ModelWindows({
    log,
    learned: { read: () => learned, write: (next) => void (learned = next) },
    signal: new AbortController().signal,
    now: () => now,
  });
  const question: WindowQuestion = {
    way: "w",
    label: "Ollama",
    model: "qwen3",
    assumed: 262_144,
    configured: undefined,
    measure: undefined,
    states: false,
    ...more,
  };
  return {
    log,
    /** As the next turn gets it. */
    window: () => windows.of(question),
    later: (ms: number) => void (now += ms),
    learned: () => learned,
  };
}

const stated = (tokens: number, measured = true): MeasuredWindow => ({
  tokens,
  measured,
  advice: "Start it with more.",
});

// field: M08
test("asks a server for its window before the first request, and warns once about a tiny one", async () => {
  const { window, log } = bench({ measure: async () => stated(4_096), states: true });
  const first = window();
  await first.asked;
  assert.equal(first.tokens, 4_096);
  const notice = await first.answered({ sessionId: "s", sent: 2_000, usage: usage(1_900) });
  assert.match(notice!, /Ollama reads only 4096 tokens with qwen3\. .*compacts.* Start it with more\./);
  assert.equal(await window().answered({ sessionId: "s", sent: 3_000, usage: usage(2_900) }), undefined);
  assert.equal(log.lines.length, 1);
});

// field: M08
test("measures a model's window after the first request loads it, and reports what was cut", async () => {
  const answers = [stated(262_144, false), stated(4_096)];
  const { window, later } = bench({ measure: async () => answers.shift(), states: true });
  const first = window();
  await first.asked;
  assert.equal(first.tokens, 262_144);
  later(10_000);
  const notice = await first.answered({ sessionId: "s", sent: 6_000, usage: usage(4_096) });
  assert.match(notice!, /reads only 4096 tokens .* It read 4096 of about 6000, so the beginning .* was missing\./);
  assert.equal(first.tokens, 4_096);
});

// field: M08
test("detects an unstated window from token counts, and remembers it across processes", async () => {
  const { window, learned } = bench();
  const counts = [
    [3_000, 2_900],
    [3_900, 3_800],
    [5_000, 4_096],
    [6_400, 4_096],
  ] as const;
  const notices: (string | undefined)[] = [];
  for (const [sent, counted] of counts)
    notices.push(await window().answered({ sessionId: "s", sent, usage: usage(counted) }));
  assert.deepEqual(
    notices.map((notice) => notice !== undefined),
    [false, false, false, true],
  );
  assert.equal(window().tokens, 4_096);
  assert.equal(learned()["w"]?.tokens, 4_096);
});

// field: M07
test("a window named in a refusal applies until the service states another", async () => {
  const { window, later } = bench({ measure: async () => stated(65_536) });
  window().refused(32_768);
  assert.equal(window().tokens, 32_768);
  later(60_001);
  await window().answered({ sessionId: "s", sent: 20_000, usage: usage(19_000) });
  assert.equal(window().tokens, 65_536);
});

test("the configured length can only lower the service's window", async () => {
  const lower = bench({ configured: 8_000, measure: async () => stated(32_768), states: true });
  lower.window();
  await new Promise(setImmediate);
  assert.equal(lower.window().tokens, 8_000);
  const higher = bench({ configured: 100_000, measure: async () => stated(32_768), states: true });
  higher.window();
  await new Promise(setImmediate);
  assert.equal(higher.window().tokens, 32_768);
});

// field: M08
test("never mistakes a fully read request for a truncated one: small, cached, dense, sparse or growing", () => {
  const whole: readonly (readonly [
    sent: number,
    counted: number,
    before?: readonly [number, number],
    ratio?: number,
  ])[] = [
    [6_000, 120],
    [6_000, 6_500],
    [6_000, 5_000],
    [9_000, 8_000, [6_000, 5_200], 0.87],
    [9_000, 14_000, [6_000, 9_500], 1.6],
    // A server that counts only what was not cached.
    [9_000, 300, [6_000, 5_900], 0.98],
  ];
  for (const [sent, counted, before, ratio] of whole)
    assert.equal(
      looksCut({ sent, counted }, before === undefined ? undefined : { sent: before[0], counted: before[1] }, ratio),
      undefined,
      `${counted} of ${sent}`,
    );
  assert.deepEqual(looksCut({ sent: 30_000, counted: 4_095 }, undefined, undefined), { sure: true, window: 4_096 });
  assert.deepEqual(looksCut({ sent: 9_000, counted: 4_080 }, { sent: 6_000, counted: 4_090 }, 0.9), {
    sure: true,
    window: 4_096,
  });
});
