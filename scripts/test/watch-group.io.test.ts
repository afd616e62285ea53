import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { watchGroup, type GroupLimits } from "./watch-group.ts";

const FAR: GroupLimits = { silentMs: 600_000, residentBytes: 1e12, everyMs: 20 };

function scene(t: TestContext, script: string) {
  const folder = mkdtempSync(join(tmpdir(), "watch-group-"));
  const child = spawn(process.execPath, ["-e", script], { stdio: "ignore" });
  t.after(() => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true });
  });
  return { pid: child.pid!, results: join(folder, "results.jsonl") };
}

test("reports a process when no test finishes any more, not while tests finish", async (t) => {
  const { pid, results } = scene(t, "for (;;);");
  const reported = Promise.withResolvers<string>();
  const startedAt = performance.now();
  watchGroup(pid, results, { ...FAR, silentMs: 1_000 }, reported.resolve);
  for (let n = 0; n < 8; n += 1) {
    await wait(200);
    appendFileSync(results, "{}\n");
  }
  assert.equal(await reported.promise, "no test finished for 1 s");
  assert.ok(performance.now() - startedAt > 2_500);
});

test(
  "reports a process that uses too much memory",
  { skip: process.platform === "linux" ? false : "memory as Linux shows it" },
  async (t) => {
    const { pid, results } = scene(
      t,
      "const kept = []; setInterval(() => kept.push(Buffer.alloc(20_000_000, 1)), 20);",
    );
    const reported = Promise.withResolvers<string>();
    watchGroup(pid, results, { ...FAR, residentBytes: 300_000_000 }, reported.resolve);
    assert.match(await reported.promise, /^it used \d{3,4} MB of memory$/);
  },
);
