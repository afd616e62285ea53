import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openApp } from "../../src/host/app/open-app.ts";
import { openSqliteStore } from "../../src/host/store/facts/open-store.ts";
import { NewUser } from "../end-to-end/support/test-user.ts";
import { startOpenAiServer } from "../servers/openai.ts";

test("row 38: time limits, waits and the session survive a clock that jumps by days and a changing time zone", async () => {
  using user = new NewUser({
    NODE_OPTIONS: `--conditions=hermes-source --import=${join(import.meta.dirname, "jumping-clock.ts")}`,
  });
  await using server = await startOpenAiServer([
    {
      calls: [
        { tool: "terminal", args: { command: "sleep 1; echo slept", timeout: 600 } },
        { tool: "terminal", args: { command: "sleep 500", timeout: 1 } },
      ],
    },
    { status: 429, message: "Slow down.", headers: { "retry-after": "1" } },
    { text: "Both have ended.", betweenMs: 50 },
    { text: "Still here." },
  ]);
  user.connect("custom", server.url);
  const { status, out, err } = await user.run(["chat", "-q", "wait"]);
  assert.equal(status, 0, err);
  assert.match(out, /Both have ended\./);
  assert.match(server.requests[1]!.body, /slept\\".*Command timed out after 1s/s);
  const again = await user.run(["chat", "-c", "-q", "and now?"]);
  assert.deepEqual([again.status, again.out.includes("Still here.")], [0, true], again.err);

  await using app = await openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
  const sessions = await app.sessions.list();
  assert.deepEqual(
    sessions.map(({ turns }) => turns),
    [2],
  );
  await using store = await openSqliteStore({ home: user.agentHome });
  const stored = await Array.fromAsync(store.read(sessions[0]!.id));
  assert.deepEqual(
    stored.map(({ seq }) => seq),
    stored.map((_, index) => index + 1),
  );
});
