import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readRunState } from "./run-state.ts";

test(
  "a run's state follows its actual processes: ignores a reused PID and reports a run without a starter",
  { skip: process.platform !== "linux" },
  () => {
    const folder = mkdtempSync(join(tmpdir(), "rl-state-"));
    const file = join(folder, "run.json");
    const child = spawn("sleep", ["60"], { stdio: "ignore" });
    try {
      const ticks = readFileSync(`/proc/${child.pid}/stat`, "latin1").split(") ")[1]!.split(" ")[19]!;
      const born = `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${ticks}`;
      const lives = { pid: child.pid, born, code: null };
      const cameAgain = { pid: child.pid, born: born.replace(ticks, "1"), code: null };
      const stands = (saved: object | undefined, createdAt = 0): readonly unknown[] => {
        rmSync(file, { force: true });
        if (saved !== undefined) writeFileSync(file, JSON.stringify(saved));
        const { status, error, starterAlive, processes } = readRunState(file, createdAt, 1_000_000);
        return [status, error.split(":")[0], starterAlive, processes.trainer.alive];
      };
      const run = { status: "running", starter: lives, processes: { api: lives, trainer: lives, env: lives } };
      assert.deepEqual(stands(undefined, 999_000), ["starting", "", false, false]);
      assert.deepEqual(stands(undefined), ["failed", "The run was never started", false, false]);
      assert.deepEqual(stands(run), ["running", "", true, true]);
      assert.deepEqual(stands({ ...run, starter: cameAgain, processes: { trainer: lives } }), [
        "running",
        "The run's starter was killed, so nothing supervises the run. trainer still runs; use rl_stop_training to stop.",
        false,
        true,
      ]);
      assert.deepEqual(stands({ ...run, starter: cameAgain, processes: { trainer: cameAgain } }), [
        "failed",
        "The run's programs and its starter were killed.",
        false,
        false,
      ]);
      assert.deepEqual(
        stands({ ...run, status: "stopping", outcome: "completed", starter: cameAgain, processes: {} }),
        ["completed", "", false, false],
      );
      assert.deepEqual(stands({ ...run, status: "stopped", starter: cameAgain, processes: { trainer: cameAgain } }), [
        "stopped",
        "",
        false,
        false,
      ]);
    } finally {
      child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
