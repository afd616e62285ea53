import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "../../contract/services/app.ts";
import { runTickers } from "./tickers.ts";

test("repeats background tasks after a failure and ends them with the gateway", async () => {
  const stop = new AbortController();
  const errors: string[] = [];
  const app = { log: { error: (message: string) => void errors.push(message) } } as unknown as App;
  let runs = 0;
  await runTickers(app, stop.signal, [
    async () => ({
      name: "The clock",
      everyMs: 1,
      async tick() {
        runs++;
        if (runs === 1) throw new Error("no battery");
        if (runs === 3) stop.abort();
      },
    }),
  ]);
  assert.equal(runs, 3);
  assert.deepEqual(errors, ["The clock failed; retrying."]);
});
