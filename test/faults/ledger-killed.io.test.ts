import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openApp } from "../../src/host/app/open-app.ts";
import { billedHome, seeded, startBilledModels } from "../servers/billed-models.ts";
import { NewUser } from "../end-to-end/support/test-user.ts";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** `HERMES_LONG_TESTS=1`: 1,000 requests and 20 kills. */
const LONG = process.env["HERMES_LONG_TESTS"] === "1";
const [REQUESTS, KILLS] = LONG ? [1_000, 20] : [90, 3];
const CALLS: { readonly [prompt: string]: { readonly tool: string; readonly args: object } } = {
  "look at dot.png": { tool: "vision_analyze", args: { image_url: "dot.png", question: "What is it?" } },
  "ask all models": { tool: "mixture_of_agents", args: { user_prompt: "What is it?" } },
  "give a part away": { tool: "delegate_task", args: { goal: "Say hello." } },
};

// field: M19
test(`the ledger equals the bill of the services over ${REQUESTS} requests with failures, retries and ${KILLS} kills`, async (t) => {
  const chance = seeded(20_261_129);
  using user = new NewUser();
  await using models = await startBilledModels({
    chance,
    failing: 0.1,
    callFor: (text) => Object.entries(CALLS).find(([prompt]) => text.endsWith(prompt))?.[1],
    delayMs: 3,
  });
  const { config, variables } = billedHome(models.url);
  user.write("~/.hermes/config.yaml", config);
  user.write("~/.hermes/.env", variables);
  writeFileSync(join(user.folder, "dot.png"), Buffer.from(PNG, "base64"));
  let kills = 0;
  for (let seed = 1; models.count < REQUESTS || kills < KILLS; seed++) {
    const agent = spawn(
      process.execPath,
      [
        "--conditions=hermes-source",
        join(import.meta.dirname, "ledger-agent.ts"),
        user.folder,
        models.url,
        String(seed),
        "4",
      ],
      { env: { HOME: user.home, PATH: process.env["PATH"] }, stdio: ["ignore", "pipe", "inherit"] },
    );
    const ended = once(agent, "exit");
    if (kills < KILLS) {
      const before = models.count;
      // Somewhere between its first requests and its last.
      const after = before + 5 + Math.floor(chance() * 30);
      while (models.count < after && agent.exitCode === null) await Promise.race([sleep(2), ended]);
      if (agent.exitCode === null && agent.kill("SIGKILL")) kills++;
    }
    await ended;
  }
  await using app = await openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
  const rows = await app.costs.rows();
  const interrupted = rows.filter(({ state }) => state === "interrupted");
  assert.deepEqual(
    rows.filter(({ state }) => state === "open"),
    [],
    "no process is still running",
  );
  const byTokens = new Map(rows.map((row) => [row.inputTokens, row]));
  const missing = models.bill.filter(({ inputTokens }) => !byTokens.has(inputTokens));
  assert.ok(missing.length <= interrupted.length, `${missing.length} missing, ${interrupted.length} interrupted`);
  const sum = rows.reduce((total, { costUsd = 0 }) => total + costUsd, 0);
  const bill = models.bill.reduce((total, { usd }) => total + usd, 0);
  const open = missing.reduce((total, { usd }) => total + usd, 0);
  assert.ok(Math.abs(bill - open - sum) < 0.000_001, `billed ${bill}, of it in doubt ${open}, in the ledger ${sum}`);
  // A request that goes out again over a new connection, because the service had closed the old one, has one row.
  const least = models.count - models.failures.closed;
  assert.ok(rows.length >= least, `${rows.length} rows for ${models.count} requests`);
  assert.ok(
    rows.every(
      ({ costUsd, state, failure }) => costUsd !== undefined || state === "interrupted" || failure !== undefined,
    ),
    "only failed and interrupted requests have an unknown cost",
  );
  const kinds = new Set(rows.map(({ kind }) => kind));
  for (const kind of ["turn", "retry", "vision", "mixture", "subagent", "compaction"])
    assert.ok(kinds.has(kind), `${kind} is in ${[...kinds].join(", ")}`);
  const total = (await app.costs.by("kind")).reduce((all, { costUsd }) => all + costUsd, 0);
  assert.ok(Math.abs(total - sum) < 0.000_001);
  t.diagnostic(
    `${models.count} requests, ${rows.length} rows, ${kills} kills, ${JSON.stringify(models.failures)}; billed $${bill.toFixed(6)} = ledger $${sum.toFixed(6)} + $${open.toFixed(6)} of ${missing.length} in ${interrupted.length} interrupted rows`,
  );
});
