import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Recorded } from "../../src/contract/conversation/fact.ts";
import { openSqliteStore } from "../../src/host/store/facts/open-store.ts";

const KILLS = Number(process.env["HERMES_TEST_KILLS"] ?? 200);
const TURNS = 6;

// rows 2 to 8 and 13 of the fault matrix
// req
test(
  `kill -9 at ${KILLS} seeded points: loses nothing acknowledged, repeats nothing, sends valid requests`,
  { timeout: 1_800_000 },
  async () => {
    const random = seeded(20_261_122);
    let kills = 0;
    const opens: number[] = [];
    for (let run = 0; kills < KILLS; run += 1) {
      const home = mkdtempSync(join(tmpdir(), "hermes-killed-"));
      const acknowledged = new Map<number, string>();
      try {
        for (let done = false; !done;) {
          const outcome = await runUntil(
            home,
            `s${run}`,
            kills < KILLS ? 1 + Math.floor(random() * 45) : Number.POSITIVE_INFINITY,
            random() * 6,
          );
          for (const record of outcome.acknowledged) acknowledged.set(record.seq, JSON.stringify(record));
          opens.push(outcome.openMs);
          done = outcome.done;
          kills += done ? 0 : 1;
        }
        await judge(home, `s${run}`, acknowledged);
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    }
    // Other processes that write to the same disk may slow one of them.
    const usual = opens.toSorted((a, b) => a - b)[Math.floor(opens.length * 0.95)]!;
    assert.ok(usual < 10_000, `the store opened in ${usual} ms`);
  },
);

async function judge(home: string, sessionId: string, acknowledged: ReadonlyMap<number, string>): Promise<void> {
  await using store = await openSqliteStore({ home });
  const stored = await Array.fromAsync(store.read(sessionId));
  assert.deepEqual(
    stored.map(({ seq }) => seq),
    stored.map((_, index) => index + 1),
  );
  for (const [seq, record] of acknowledged)
    assert.equal(JSON.stringify(stored[seq - 1]), record, "what was acknowledged is stored as it was");
  const counted = readFileSync(join(home, "count"), "utf8").trim().split("\n");
  assert.deepEqual(
    counted.filter((line, index) => counted.indexOf(line) !== index),
    [],
    "no side effect happened twice",
  );
  const settled = stored.flatMap(({ fact }) => (fact.type === "tool.settled" ? [fact.callId] : []));
  assert.equal(new Set(settled).size, settled.length, "no call settled twice");
  assert.equal(
    stored.filter(({ fact }) => fact.type === "turn.ended" && fact.reason === "done").length,
    TURNS,
    "every turn came to its end",
  );
  assert.deepEqual(
    readFileSync(join(home, "requests"), "utf8")
      .split("\n")
      .filter((line) => line !== "" && line !== "[]"),
    [],
    "every request was valid",
  );
  assert.deepEqual(
    readFileSync(join(home, "heard"), "utf8")
      .split("\n")
      .filter((line) => line !== "" && line !== "[]"),
    [],
    "no hook was notified of a fact that was not stored",
  );
  assert.ok(existsSync(join(home, "state.db")));
}

interface Outcome {
  readonly done: boolean;
  readonly openMs: number;
  readonly acknowledged: readonly Recorded[];
}

/** Starts the run and kills it shortly after the n-th acknowledged fact, unless it ends earlier. */
function runUntil(home: string, sessionId: string, facts: number, thenMs: number): Promise<Outcome> {
  const child = spawn(
    process.execPath,
    ["--conditions=hermes-source", join(import.meta.dirname, "counted-run.ts"), home, sessionId, String(TURNS)],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let text = "";
  let errors = "";
  let seen = 0;
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
    const now = text.split('{"ack"').length - 1;
    if (seen < facts && now >= facts) setTimeout(() => child.kill("SIGKILL"), thenMs);
    seen = now;
  });
  return new Promise((resolve, reject) => {
    child.on("close", (status, signal) => {
      if (signal !== "SIGKILL" && status !== 0) return reject(new Error(errors));
      const lines = text
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { ack?: Recorded; openMs?: number; done?: true });
      resolve({
        done: lines.some((line) => line.done),
        openMs: lines.find((line) => line.openMs !== undefined)?.openMs ?? 0,
        acknowledged: lines.flatMap((line) => (line.ack === undefined ? [] : [line.ack])),
      });
    });
  });
}

/** Park–Miller, so that every run kills at the same points. */
function seeded(seed: number): () => number {
  let state = seed % 2147483647;
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}
