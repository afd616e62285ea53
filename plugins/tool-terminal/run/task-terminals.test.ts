import assert from "node:assert/strict";
import { test } from "node:test";
import type { PluginContext, RiskContext } from "hermes-agent/plugin";
import { TaskEnvironments } from "./task-terminals.ts";

/** A backend that records its calls, on this machine or elsewhere. */
function service({ elsewhere = false, fails = 0 } = {}) {
  const message: string[] = [];
  const backend = {
    id: "made",
    isolated: false,
    elsewhere,
    open: async ({ key, cwd }: { readonly key: string; readonly cwd?: string }) => {
      message.push(`open ${key} ${cwd ?? "-"}`);
      if (fails-- > 0) throw new Error("not now");
      return {
        cwd: `/at/${key}`,
        ready: async () => {},
        [Symbol.asyncDispose]: async () => void message.push(`close ${key}`),
      };
    },
  };
  const context = { use: async () => backend, signal: new AbortController().signal } as unknown as PluginContext;
  const call = (taskId: string, sessionId = "s") => ({ taskId, sessionId, cwd: "/work" }) as RiskContext;
  return { message, backend, context, call, places: new TaskEnvironments(context) };
}

test("a task gets one terminal, in the session's folder here and in the backend's folder elsewhere", async () => {
  const { message, context, call, places } = service();
  const [one, again] = await Promise.all([places.of(call("a"), context), places.of(call("a"), context)]);
  assert.equal(one, again);
  assert.deepEqual([message, one.here, places.cwd("a"), places.cwd("b")], [["open a /work"], true, "/at/a", undefined]);
  const other = service({ elsewhere: true });
  assert.equal((await other.places.of(other.call("a"), other.context)).here, false);
  assert.deepEqual(other.message, ["open a -"]);
});

test("the next call retries a terminal that could not be opened", async () => {
  const { message, context, call, places } = service({ fails: 1 });
  await assert.rejects(places.of(call("a"), context), { message: "not now" });
  await places.of(call("a"), context);
  assert.equal(message.length, 2);
});

test("starts an expected terminal once in advance, but never on a remote backend", async () => {
  const { message, context, call, places } = service();
  await Promise.all([places.foresee(call("a")), places.foresee(call("a"))]);
  await places.of(call("a"), context);
  assert.deepEqual(message, ["open a /work"]);
  const other = service({ elsewhere: true });
  await other.places.foresee(other.call("a"));
  assert.deepEqual(
    [other.message, await other.places.looking(other.backend as never, other.call("a"))],
    [[], undefined],
  );
});

test("ending a session closes only its terminals; ending all closes every one", async () => {
  const { message, context, call, places } = service();
  for (const [task, session] of [
    ["a", "s"],
    ["b", "s"],
    ["c", "t"],
  ] as const)
    await places.of(call(task, session), context);
  await places.close("s");
  assert.deepEqual(message.slice(3), ["close a", "close b"]);
  await places.close();
  assert.deepEqual([message.slice(5), places.cwd("c")], [["close c"], undefined]);
});

test("closes a shell made for one command once, after the command ended or failed to start, unless it is kept", async () => {
  const { message, backend, places } = service();
  const made = async (key: string) =>
    ({ terminal: await backend.open({ key }), backend: "made", here: true, sessionId: "s", running: 0 }) as never;
  const ends: (() => void)[] = [];
  const command = (persistent = false) => ({
    persistent,
    process: { ended: new Promise<never>((resolve) => ends.push(resolve as () => void)) },
  });
  places.add("over", await made("over"), Promise.resolve(command()));
  places.add("kept", await made("kept"), Promise.resolve(command(true)));
  places.add("closed", await made("closed"), Promise.resolve(command()));
  places.add("failed", await made("failed"), Promise.reject(new Error("no room")));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(message.splice(0).slice(4), ["close failed"]);
  ends[0]!();
  ends[1]!();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(message.splice(0), ["close over"]);
  await places.close("s");
  ends[2]!();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(message, ["close kept", "close closed"]);
});

test("forgets the terminal prepared for a session that has ended", async () => {
  const { call, places } = service({ elsewhere: true });
  const first = places.foresee(call("a"));
  assert.equal(places.foresee(call("a")), first);
  await places.close("other");
  assert.equal(places.foresee(call("a")), first);
  await places.close("s");
  assert.notEqual(places.foresee(call("a")), first);
});
