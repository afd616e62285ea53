import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { runCommand } from "./run-command.ts";
import { withoutUndefined } from "../../testing/without-undefined.ts";
import { waitFor } from "../../testing/wait-for.ts";

const env = { PATH: process.env["PATH"] ?? "" };
const sh = (
  script: string,
  more: { readonly timeoutMs?: number; readonly input?: string; readonly signal?: AbortSignal } = {},
) => runCommand("/bin/sh", ["-c", script], { env, input: "", timeoutMs: 60_000, ...more });

test("a hook command reads its input and reports its exit, without waiting for processes it leaves running", async () => {
  const { durationMs, ...run } = await sh("cat; echo oops >&2; sleep 300 & exit 3", { input: "told" });
  assert.deepEqual(withoutUndefined(run), { endedBy: "exit", exitCode: 3, stdout: "told", stderr: "oops\n" });
  assert.ok(durationMs < 60_000, String(durationMs));
  assert.equal(
    (await sh("exit 0", { input: "x".repeat(1_000_000) })).endedBy,
    "exit",
    "the command may ignore its input",
  );
});

// req: R-60
test("a timeout kills the command and its children; reports signals, excess output and missing programs", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hermes-hook-"));
  try {
    const file = join(folder, "pid");
    // On a busy machine a shell needs its time to begin.
    for (let seconds = 1; !existsSync(file) && seconds < 100; seconds *= 4) {
      const late = await sh(`sleep 600 & echo $! > ${file}.new; mv ${file}.new ${file}; wait`, {
        timeoutMs: seconds * 1_000,
      });
      assert.deepEqual([late.endedBy, late.reason], ["failed", `did not answer within ${seconds} s`]);
    }
    const state = `/proc/${readFileSync(file, "utf8").trim()}/stat`;
    const gone = () => !existsSync(state) || / Z /.test(readFileSync(state, "utf8"));
    await waitFor(gone);
    assert.ok(gone(), "the child it had started is gone");
    assert.equal((await sh("kill -9 $$")).reason, "was killed by SIGKILL");
    assert.equal((await sh("yes")).reason, "wrote more than a million characters");
    assert.equal(
      (await sh("sleep 600", { timeoutMs: 600_000, signal: AbortSignal.timeout(100) })).reason,
      "was cancelled",
    );
    assert.equal(
      (await runCommand("/nowhere/hook", [], { env, input: "", timeoutMs: 60_000 })).reason,
      "cannot be started: the program /nowhere/hook was not found",
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
