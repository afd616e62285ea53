import assert from "node:assert/strict";
import { test } from "node:test";
import { eventsIn } from "./page/event-stream.ts";

async function* pieces(...all: readonly string[]): AsyncGenerator<string> {
  yield* all;
}

test("an event that arrives in pieces is read whole, and a heartbeat is no event", async () => {
  let count = 0;
  const stream = pieces(
    ":\n\nid: 7\nevent: ses",
    'sion\ndata: {"a":"1\\n\\n2: 3"}\n',
    "\nevent: jobs\ndata: [1]\n\nevent: cut",
  );
  assert.deepEqual(await Array.fromAsync(eventsIn(stream, () => count++)), [
    { id: "7", event: "session", data: { a: "1\n\n2: 3" } },
    { id: undefined, event: "jobs", data: [1] },
  ]);
  assert.equal(count, 3);
});
