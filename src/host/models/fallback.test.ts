import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelClient, ModelRequest } from "../../contract/providers/model.ts";
import { defineTool } from "../../contract/tools/tool.ts";
import { ModelHealths } from "./model-health.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { scriptedModel, type ScriptedModel } from "../../testing/scripted-model.ts";
import { testSession, type TestSession } from "../../testing/test-session.ts";
import type { ModelInUse, SessionPorts } from "../../engine/ports.ts";

const LOOK = defineTool({
  name: "look",
  toolset: "test",
  description: "Looks.",
  effect: "read",
  input: { type: "object", properties: {} },
  execute: async () => "seen",
});
const down = () => scriptedModel(() => ({ failure: { code: "network", message: "Nothing answers at main." } }));

/** A main model and a fallback, with their health as the host keeps it. */
function models(
  main: ModelClient,
  fallback: ModelClient,
  clock: { now(): number },
  windows: readonly [number, number] = [200_000, 200_000],
): Partial<SessionPorts> {
  const healths = new ModelHealths(() => clock.now());
  const of = (client: ModelClient, model: string, contextTokens: number): Omit<ModelInUse, "fallbacks"> => ({
    client,
    provider: "p",
    model,
    contextTokens,
    health: healths.of(model),
  });
  return {
    model: async () => ({ ...of(main, "main", windows[0]), fallbacks: [of(fallback, "backup", windows[1])] }),
  };
}

function waits({ events }: TestSession): readonly string[] {
  return events.flatMap((event) =>
    event.kind === "live" && event.live.type === "model.waiting" ? [event.live.text] : [],
  );
}

function connectTimes({ requests }: ScriptedModel): readonly (number | undefined)[] {
  return requests.map((request: ModelRequest) => request.connectMs);
}

// field: M04
test("if a provider is down, uses the fallback within two seconds, skips it this turn, then probes it", async () => {
  const clock = fakeClock({ autoAdvance: true });
  const main = down();
  const answers = [...Array.from({ length: 2 }, () => ({ calls: [{ tool: "look" }] })), { text: "done" }];
  const backup = scriptedModel((_, number) => answers[number % 3]!);
  await using bench = await testSession({ model: main, tools: [LOOK], clock, ports: models(main, backup, clock) });
  const startedAt = clock.elapsed();
  assert.equal((await bench.session.send("go")).text, "done");
  assert.deepEqual([main.requests.length, backup.requests.length], [2, 3]);
  assert.ok(clock.elapsed() - startedAt < 2_000, `${clock.elapsed() - startedAt} ms`);
  assert.ok(connectTimes(main).every((ms) => ms! < 2_000));
  assert.match(waits(bench).join("\n"), /Nothing answers at main\. Falling back to backup\./);
  // The provider is paused: the next turn skips it, with one notice.
  await bench.session.send("again");
  assert.deepEqual([main.requests.length, backup.requests.length], [2, 6]);
  assert.equal(waits(bench).filter((text) => text.includes("backup answers meanwhile")).length, 1);
  // One request finds out that it is still down.
  await clock.sleep(61_000, new AbortController().signal);
  await bench.session.send("and now");
  assert.deepEqual([main.requests.length, backup.requests.length], [3, 9]);
});

// field: M04
test("a recovered provider answers again, and without a fallback it is retried", async () => {
  const clock = fakeClock({ autoAdvance: true });
  const main = scriptedModel([
    { failure: { code: "overloaded" } },
    { failure: { code: "overloaded" } },
    { text: "I am back" },
  ]);
  const backup = scriptedModel(() => ({ text: "from the backup" }));
  await using bench = await testSession({ model: main, clock, ports: models(main, backup, clock) });
  assert.equal((await bench.session.send("go")).text, "from the backup");
  await clock.sleep(61_000, new AbortController().signal);
  assert.equal((await bench.session.send("go")).text, "I am back");
  const alone = scriptedModel([
    ...Array.from({ length: 3 }, () => ({ failure: { code: "network" as const } })),
    { text: "ok" },
  ]);
  await using other = await testSession({ model: alone, clock });
  assert.equal((await other.session.send("go")).text, "ok");
  assert.deepEqual(new Set(connectTimes(alone)), new Set([30_000]));
});

// field: M04
test("if all providers are down, asks each a few times and ends the turn", async () => {
  const clock = fakeClock({ autoAdvance: true });
  const [main, backup] = [down(), down()];
  await using bench = await testSession({ model: main, clock, ports: models(main, backup, clock) });
  const { reason, detail } = await bench.session.send("go");
  assert.deepEqual([reason, main.requests.length], ["failed", 2]);
  assert.ok(backup.requests.length <= 4, String(backup.requests.length));
  assert.match(detail!, /Nothing answers/);
  // The next turn asks them nevertheless: there is nothing better.
  assert.equal((await bench.session.send("again")).reason, "failed");
  assert.ok(main.requests.length > 2);
});

// field: M05
test("with a fallback, does not wait for a provider that asks for a long wait, and reports why", async () => {
  const clock = fakeClock({ autoAdvance: true });
  const main = scriptedModel([
    { failure: { code: "rate_limit", message: "Slow down.", retryAfterMs: 120_000 } },
    { text: "main again" },
  ]);
  const backup = scriptedModel(() => ({ text: "from the backup" }));
  await using bench = await testSession({ model: main, clock, ports: models(main, backup, clock) });
  const startedAt = clock.elapsed();
  assert.equal((await bench.session.send("go")).text, "from the backup");
  assert.ok(clock.elapsed() - startedAt < 2_000);
  assert.deepEqual(waits(bench), [
    "Slow down. It asks to wait 120 s, longer than the limit of 20 s (agent.retry_after_limit). Falling back to backup.",
  ]);
  await clock.sleep(121_000, new AbortController().signal);
  assert.equal((await bench.session.send("go")).text, "main again");
});

// field: M07
test("a content filter, empty answers and keep-alives without content lead to the fallback", async () => {
  const clock = fakeClock({ autoAdvance: true });
  const idle: ModelClient = {
    async *stream(_, signal) {
      while (!signal.aborted) {
        await clock.sleep(30_000, signal);
        yield { type: "alive", idle: true };
      }
    },
  };
  const mains: readonly (readonly [string, ModelClient, RegExp])[] = [
    ["filter", scriptedModel([{ text: "Sure, ", finish: "filter" }]), /content filter of main ended the answer/],
    ["empty", scriptedModel(() => ({ text: "" })), /main gave 3 empty answers in a row/],
    ["idle", idle, /only keep-alive signals for 240 s/],
  ];
  for (const [name, main, why] of mains) {
    const backup = scriptedModel(() => ({ text: "from the backup" }));
    await using bench = await testSession({ model: main, clock, ports: models(main, backup, clock) });
    assert.equal((await bench.session.send("go")).text, "from the backup", name);
    assert.match(waits(bench).join("\n"), why);
  }
});

// field: M07
test("a request too long for a guessed window goes to a fallback with a larger one", async () => {
  const main = scriptedModel(() => ({ failure: { code: "context_overflow", message: "Too long." } }));
  const backup = scriptedModel(() => ({ text: "from the backup" }));
  await using bench = await testSession({
    model: main,
    ports: models(main, backup, fakeClock(), [262_144, 131_072]),
  });
  assert.equal((await bench.session.send("go")).text, "from the backup");
  // One that reads less than was sent is not asked.
  const small = scriptedModel(() => ({ text: "never" }));
  await using other = await testSession({ model: main, ports: models(main, small, fakeClock(), [262_144, 1_024]) });
  assert.equal((await other.session.send("x ".repeat(8_000))).reason, "failed");
  assert.equal(small.requests.length, 0);
});
