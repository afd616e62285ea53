import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrowserProvider, Json, Logger, PluginContext } from "hermes-agent/plugin";
import { SessionBook } from "./session-book.ts";

/** A storage whose next writing waits until it is let go. */
function place() {
  const saved = new Map<string, Json>();
  let held: PromiseWithResolvers<void> | undefined;
  const ctx = {
    use: () => Promise.reject(new Error("It is not here.")),
    log: { warning: () => undefined, info: () => undefined } as unknown as Logger,
    storage: {
      keys: async () => [...saved.keys()],
      get: async (key: string) => saved.get(key),
      set: async (key: string, value: Json) => (await held?.promise, void saved.set(key, value)),
      delete: async (key: string) => saved.delete(key),
    },
  } as unknown as PluginContext;
  return { ctx, saved, hold: () => void (held = Promise.withResolvers()), letGo: () => held?.resolve() };
}

const provider = (ends: boolean) => ({ name: "pool", close_session: async () => ends }) as unknown as BrowserProvider;

for (const [ends, left, title] of [
  [true, [], "a session that is ended while its use is noted is in the book no more"],
  [
    false,
    ["session pool s1"],
    "a session that could not be ended stays in the book, also where its use was being noted",
  ],
] as const) {
  test(title, async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const { ctx, saved, hold, letGo } = place();
    const book = new SessionBook(ctx);
    await book.enter("pool", "s1");
    hold();
    t.mock.timers.tick(30_000);
    const ended = book.end(provider(ends), "s1");
    for (let rounds = 0; rounds < 5; rounds++) await new Promise((resolve) => setImmediate(resolve));
    letGo();
    assert.equal(await ended, ends);
    for (let rounds = 0; rounds < 5; rounds++) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([...saved.keys()], left);
    assert.deepEqual(await book.abandoned(), ends ? [] : ["pool s1"]);
  });
}
