import assert from "node:assert/strict";
import { rmSync, statSync } from "node:fs";
import { test } from "node:test";
import type { Fact } from "../../src/contract/conversation/fact.ts";
import { SessionIndex } from "../../src/host/store/index/session-index.ts";
import { indexFile } from "../../src/host/store/facts/store-files.ts";
import { faultHome, seeded } from "./store-home.ts";
import { Stopwatch } from "../../src/testing/stopwatch.ts";

const SESSIONS = 2000;
const MESSAGES = 50;

/**
 * Some months of use. The best of several rounds counts, since the machine may be busy; an idle one needs a tenth of
 * each limit.
 */
// req: R-06
test("two thousand sessions of fifty messages: opens, lists and searches fast, and stays small", async (t) => {
  await using place = faultHome();
  const random = seeded(6);
  const words = Array.from({ length: 3000 }, (_, index) => `word${index.toString(36)}`);
  const sentence = () => Array.from({ length: 9 }, () => words[Math.floor(random() ** 3 * words.length)]).join(" ");
  const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  const store = await place.open();
  for (let session = 0; session < SESSIONS; session++) {
    const facts: Fact[] = [{ type: "session.started", surface: session % 3 === 0 ? "cli" : "telegram", cwd: "/work" }];
    for (let message = 0; message < MESSAGES; message += 2) {
      facts.push({
        type: "message.added",
        turnId: "t",
        origin: "person",
        parts: [{ type: "text", text: `${sentence()}${session === 777 && message === 20 ? " unmistakable" : ""}` }],
      });
      facts.push({
        type: "model.answered",
        turnId: "t",
        requestId: "r",
        parts: [{ type: "text", text: sentence() }],
        finish: "stop",
        usage,
      });
    }
    await store.append(`s-${session}`, facts);
  }
  const timed = async <T>(what: string, work: () => Promise<T>): Promise<[T, number]> => {
    const watch = new Stopwatch();
    const result = await work();
    const ms = watch.tookMs;
    if (what === "open") watch.assertWithin(300, what);
    if (what.startsWith("first") || what === "open") t.diagnostic(`${what}: ${ms.toFixed(1)} ms`);
    return [result, ms];
  };
  const first = new SessionIndex({ path: indexFile(place.home), store });
  await timed("first list, from nothing", () => first.list({ limit: 50 }));
  await timed("first search, from nothing", () => first.search("word1", { limit: 20 }));
  await first[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
  const size = (statSync(place.path).size + statSync(indexFile(place.home)).size) / 1024 / 1024;
  t.diagnostic(
    `state.db ${(statSync(place.path).size / 1024 / 1024).toFixed(0)} MB, index.db ${(statSync(indexFile(place.home)).size / 1024 / 1024).toFixed(0)} MB`,
  );
  assert.ok(size < 150, `${size.toFixed(0)} MB for ${SESSIONS * MESSAGES} messages`);

  const [again] = await timed("open", () => place.open());
  await using index = new SessionIndex({ path: indexFile(place.home), store: again });
  const [all] = await timed("first list of a process", () => index.list({ limit: 50 }));
  assert.equal(all.length, 50);
  const best = async (what: string, limitMs: number, work: () => Promise<unknown>) => {
    let over = true;
    for (let round = 0; over && round < 7; round++) {
      const watch = new Stopwatch();
      await work();
      over = watch.isOver(limitMs);
    }
    assert.ok(!over, `${what}: more than ${limitMs} ms`);
  };
  await best("list of 50", 50, () => index.list({ limit: 50 }));
  await best("list of all", 250, () => index.list());
  for (const query of [
    "word0",
    "word1 word2",
    "unmistakable",
    "nmistakabl",
    '"word1 word2"',
    "word0 OR word1",
    "nothing",
    "word0 NOT word1",
  ]) {
    // Ranking every hit of a common word would take hundreds.
    await best(query, 40, () => index.search(query, { limit: 20 }));
  }
  const [found] = (await index.search("unmistakable", { limit: 5 })).found;
  assert.deepEqual([found?.session.id, found?.seq], ["s-777", 22]);
  rmSync(indexFile(place.home), { force: true });
});
