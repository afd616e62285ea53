import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact } from "../../src/contract/conversation/fact.ts";
import type { JobService } from "../../src/contract/services/job-service.ts";
import { resolveHome } from "../../src/host/environment/home.ts";
import { createJobService } from "../../src/host/jobs/job-service.ts";
import type { SqliteStore } from "../../src/host/store/facts/sqlite-store.ts";
import { quietLog } from "../../src/testing/quiet-log.ts";
import { damage, faultHome, integrity } from "./store-home.ts";

function serviceOn(store: SqliteStore, home: string, now: () => number): JobService {
  return createJobService({
    home: resolveHome({ env: { HERMES_HOME: home }, userHome: home }),
    log: quietLog(),
    store: async () => store,
    config: () => undefined,
    now,
    mask: (text) => text,
    redact: (text) => text,
    childEnvironment: () => ({}),
    chatOf: async () => undefined,
  });
}

// row 18 of the fault matrix
test("repairing a damaged store also moves scheduled jobs, runs and the outbox to the new file, and reuses no run number", async () => {
  await using place = faultHome();
  const store = await place.open();
  let now = Date.UTC(2026, 10, 23, 9, 0);
  const before = serviceOn(store, place.home, () => now);
  const job = await before.create({ schedule: "every 30m", prompt: "water the plants", deliver: "telegram" });
  now += 30 * 60_000;
  for (const run of await before.work.claim(9)) await run.finish({ ok: true, document: "", message: "watered" });
  const [run] = await before.runs();
  for (let session = 0; session < 40; session++)
    await store.append(
      `s-${session}`,
      Array.from({ length: 20 }, (_, index): Fact => ({
        type: "message.added",
        turnId: "t",
        origin: "person",
        parts: [{ type: "text", text: `${index} ${"x".repeat(300)}` }],
      })),
    );
  await store[Symbol.asyncDispose]();
  damage(place.path, 0.6);
  const saved = await place.open({ now: () => Date.now() + 25 * 60 * 60 * 1000 });
  assert.match(saved.notices[0]?.text ?? "", /was damaged/);
  const after = serviceOn(saved, place.home, () => now);
  assert.deepEqual(
    (await after.list()).map(({ id, prompt, next_run_at }) => [id, prompt, Date.parse(next_run_at ?? "")]),
    [[job.id, "water the plants", now + 30 * 60_000]],
  );
  assert.deepEqual(
    [await after.runs(), (await after.work.undelivered()).map(({ text }) => text.includes("watered"))],
    [[run], [true]],
  );
  now += 30 * 60_000;
  const [next] = await after.work.claim(9);
  assert.equal(next!.run.id, run!.id + 1);
  await next!.finish({ ok: true, document: "" });
  await saved[Symbol.asyncDispose]();
  assert.equal(integrity(place.path), "ok");
});
