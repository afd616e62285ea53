import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContextEngine } from "../../contract/providers/context-engine.ts";
import type { ManagedContext } from "../../engine/ports.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { EngineContextManager } from "./engine-context-manager.ts";

const STATE: ManagedContext = {
  sessionId: "s1",
  surface: "cli",
  model: {
    client: {
      stream: () => {
        throw new Error("the test must not call this");
      },
    },
    provider: "p",
    model: "m",
    contextTokens: 1_000,
  },
  tokens: 900,
  compactions: 0,
  fixedTokens: 0,
  messages: async () => [],
};

function managerOf(engine: Partial<ContextEngine>) {
  const clock = fakeClock({ autoAdvance: true });
  const log = quietLog();
  const whole = {
    name: "mine",
    should_compress: () => true,
    compress: () => [],
    ...engine,
  } as unknown as ContextEngine;
  const contextManager = new EngineContextManager(
    {
      slots: undefined as never,
      clock,
      log,
      config: () => undefined,
      redact: (text) => text,
      auxiliary: () => Promise.reject(new Error("none")),
      memoryContext: async () => "",
    },
    { id: "mine", label: "mine", data: {}, load: async () => whole },
  );
  return { contextManager, clock, log };
}

const NEVER = (): Promise<never> => new Promise(() => {});

test("an engine that does not answer delays one request until its timeout, and is then skipped for a while", async () => {
  for (const silent of ["on_session_start", "update_model", "should_compress"] as const) {
    let asked = 0;
    const { contextManager, clock, log } = managerOf({ [silent]: () => (asked++, NEVER()) });
    assert.equal(await contextManager.due(STATE), false, silent);
    assert.equal(await contextManager.due(STATE), false, silent);
    assert.deepEqual([asked, log.lines.length], [1, 1], silent);
    assert.match(log.lines[0]!.message, /"mine" failed to decide whether to compact: it did not answer within 10 s/);
    await clock.sleep(60_000);
    assert.equal(await contextManager.due(STATE), false, silent);
    assert.equal(asked, 2, `${silent} is asked again later`);
  }
});

test("an engine that failed to start a conversation starts it at the next opportunity", async () => {
  let begun = 0;
  const { contextManager, clock } = managerOf({
    on_session_start: () => {
      if (++begun === 1) throw new Error("not yet");
    },
  });
  assert.equal(await contextManager.due(STATE), false);
  await clock.sleep(60_000);
  assert.equal(await contextManager.due(STATE), true);
  assert.equal(await contextManager.due(STATE), true);
  assert.equal(begun, 2);
});
