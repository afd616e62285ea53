import assert from "node:assert/strict";
import { test } from "node:test";
import { RunEvents } from "./run-events.ts";

const signal = new AbortController().signal;

async function read(events: RunEvents, after: number): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of events.after(after, signal)) names.push(name);
  return names;
}

test("each reader receives past and future events independently", async () => {
  const events = new RunEvents();
  events.add("a");
  const early = read(events, 0);
  events.add("b");
  await new Promise((resolve) => setImmediate(resolve));
  const late = read(events, 1);
  events.add("c");
  events.end();
  assert.deepEqual(
    [await early, await late, await read(events, 0), await read(events, 3)],
    [["a", "b", "c"], ["b", "c"], ["a", "b", "c"], []],
  );
});

test("releases a reader that disconnects while idle", async () => {
  const gone = new AbortController();
  const reading = Array.fromAsync(new RunEvents().after(0, gone.signal));
  gone.abort();
  assert.deepEqual(await reading, []);
});
