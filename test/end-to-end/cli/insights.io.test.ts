import assert from "node:assert/strict";
import { test } from "node:test";
import type { Insights } from "../../../src/contract/services/insights.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NewUser } from "../support/test-user.ts";

// field: C12
test("hermes insights counts the turns, calls and tokens of real sessions, and rejects a wrong number of days", async () => {
  await using server = await startOpenAiServer([
    { calls: [{ tool: "read_file", args: { path: "missing.txt" } }], usage: { inputTokens: 700, outputTokens: 30 } },
    { text: "It is missing.", usage: { inputTokens: 800, outputTokens: 20 } },
    { text: "Hello.", usage: { inputTokens: 50, outputTokens: 5 } },
  ]);
  using user = new NewUser();
  user.connect("custom", server.url);
  assert.equal((await user.run(["insights"])).out, "No activity in the last 30 days.\n");
  assert.equal((await user.run(["chat", "-q", "read missing.txt"])).status, 0);
  assert.equal((await user.run(["chat", "-q", "hi", "--source", "lab"])).status, 0);

  const found = JSON.parse((await user.run(["insights", "--json"])).out) as Insights;
  assert.deepEqual(
    [found.sessions, found.turns, found.messages, found.requests, found.toolCalls, found.failedCalls],
    [2, 2, 2, 3, 1, 1],
  );
  assert.deepEqual([found.tokens.input, found.tokens.output], [1550, 55]);
  assert.deepEqual(
    found.models.map(({ model, requests }) => [model, requests]),
    [["loopback", 3]],
  );
  assert.deepEqual(
    found.tools.map(({ tool, calls, failed }) => [tool, calls, failed]),
    [["read_file", 1, 1]],
  );
  assert.equal(
    found.hours.reduce((sum, turns) => sum + turns, 0),
    2,
  );

  const lab = await user.run(["insights", "--source", "lab", "--days", "1"]);
  assert.match(lab.out, /^Usage in the last day on lab\nSessions +1\nTurns +1 on 1 day\n/);
  const wrong = await user.run(["insights", "--days", "soon"]);
  assert.deepEqual([wrong.status, wrong.out], [2, ""]);
  assert.match(wrong.err, /--days must be a whole number from 1 to 36500, not "soon"/);
});
