import assert from "node:assert/strict";
import { test } from "node:test";
import type { CliIo } from "../../contract/conversation/command.ts";
import { openBrowserReturn } from "./browser-return.ts";

const IO: CliIo = { out: () => {}, error: () => {}, interactive: false, signal: new AbortController().signal };

test("answers an early browser redirect when a caller waits for it, and only once", { timeout: 10_000 }, async () => {
  using back = await openBrowserReturn({ host: "127.0.0.1", port: 0, path: "/back" });
  const address = `http://127.0.0.1:${back.port}/back`;
  const early = fetch(`${address}?state=mine&code=right`);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.deepEqual(await back.came("mine", IO, IO.signal), { code: "right", iss: undefined });
  assert.equal((await early).status, 200);
  const next = back.came("second", IO, IO.signal);
  assert.equal((await fetch(`${address}?state=mine&code=again`)).status, 400);
  assert.equal((await fetch(`${address}?state=second&code=other`)).status, 200);
  assert.equal((await next).code, "other");
});
