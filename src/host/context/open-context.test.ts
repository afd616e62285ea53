import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContextEngine } from "../../contract/providers/context-engine.ts";
import type { ManagedContext } from "../../engine/ports.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { openContext } from "./open-context.ts";

const STATE: ManagedContext = {
  sessionId: "s1",
  surface: "cli",
  model: {
    client: {
      stream: () => {
        throw new Error("no model is asked");
      },
    },
    provider: "p",
    model: "m",
    contextTokens: 1_000,
  },
  tokens: 900,
  compactions: 0,
  fixedTokens: 0,
  messages: async () => [{ role: "user", content: "long" }],
};
const WANTED = { focus: undefined, force: false, signal: new AbortController().signal };

function contextWith(engine: Partial<ContextEngine>) {
  const reports: string[] = [];
  const entry = (id: string, given: Partial<ContextEngine>) => ({
    id,
    label: id,
    data: { methods: ["update_from_response"] },
    load: async () =>
      ({ name: id, should_compress: () => true, compress: () => [], ...given }) as unknown as ContextEngine,
  });
  const mine = entry("mine", engine);
  const builtIn = entry("compressor", {});
  const context = openContext({
    slots: { chosen: () => "mine", get: (_: string, id: string) => (id === "mine" ? mine : builtIn) } as never,
    clock: fakeClock({ autoAdvance: true }),
    log: quietLog(),
    report: (text) => void reports.push(text),
    config: () => undefined,
    redact: (text) => text,
    auxiliary: () => Promise.reject(new Error("none")),
    memoryContext: async () => "",
  });
  return { context, reports };
}

const throws = (): never => {
  throw new Error("the index is broken");
};

// field: P05
test("the built-in engine takes over from one that throws, until its plugin is reloaded, and the user is notified once", async () => {
  for (const member of ["on_session_start", "update_model", "should_compress", "compress"] as const) {
    const { context, reports } = contextWith({ [member]: throws });
    for (let turn = 0; turn < 3; turn++) {
      assert.equal(await context.due(STATE), true, member);
      assert.equal((await context.compress(STATE, WANTED)).engine, "compressor", member);
    }
    assert.deepEqual(
      reports,
      [
        'The context engine "mine" failed (the index is broken); the built-in one is used until its plugin is reloaded.',
      ],
      member,
    );
  }
});

// field: P05
test("an engine that fails to record the usage, or never answers, is replaced for the next request", async () => {
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  const recording = contextWith({ update_from_response: throws });
  assert.equal((await recording.context.compress(STATE, WANTED)).engine, "mine");
  await recording.context.answered("s1", STATE.model, usage);
  assert.equal((await recording.context.compress(STATE, WANTED)).engine, "compressor");
  const silent = contextWith({ should_compress: () => new Promise<never>(() => {}) as never });
  assert.equal(await silent.context.due(STATE), true);
  assert.deepEqual([recording.reports.length, silent.reports.length], [1, 1]);
});

// field: P05
test("a working engine stays in use, and a compaction that the user cancels is no failure", async () => {
  const { context, reports } = contextWith({ should_compress: () => false });
  assert.equal(await context.due(STATE), false);
  const cancelled = contextWith({ compress: throws });
  const stop = AbortSignal.abort(new Error("stopped"));
  await assert.rejects(cancelled.context.compress(STATE, { ...WANTED, signal: stop }));
  assert.deepEqual([reports, cancelled.reports], [[], []]);
});
