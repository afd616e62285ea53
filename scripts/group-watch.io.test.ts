import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { watchGroup, type GroupLimits } from "./group-watch.ts";

const FAR: GroupLimits = { silentMs: 600_000, residentBytes: 1e12, everyMs: 20 };

function scene(t: TestContext, script: string) {
  const folder = mkdtempSync(join(tmpdir(), "group-watch-"));
  const child = spawn(process.execPath, ["-e", script], { stdio: "ignore" });
  t.after(() => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true });
  });
  return { pid: child.pid!, results: join(folder, "results.jsonl") };
}

test("a process in which no test ends any more is told, and one in which they do is not", async (t) => {
  const { pid, results } = scene(t, "for (;;);");
  const told = Promise.withResolvers<string>();
  const startedAt = performance.now();
  watchGroup(pid, results, { ...FAR, silentMs: 1_000 }, told.resolve);
  for (let n = 0; n < 8; n += 1) {
    await wait(200);
    appendFileSync(results, "{}\n");
  }
  assert.equal(await told.promise, "no test ended for 1 s");
  assert.ok(performance.now() - startedAt > 2_500);
});

test(
  "a process that takes memory without end is told",
  { skip: process.platform === "linux" ? false : "memory as Linux shows it" },
  async (t) => {
    const { pid, results } = scene(
      t,
      "const kept = []; setInterval(() => kept.push(Buffer.alloc(20_000_000, 1)), 20);",
    );
    const told = Promise.withResolvers<string>();
    watchGroup(pid, results, { ...FAR, residentBytes: 300_000_000 }, told.resolve);
    assert.match(await told.promise, /^it held \d{3,4} MB in memory$/);
  },
);
