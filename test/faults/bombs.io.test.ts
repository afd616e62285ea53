import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import type { Terminal } from "../../src/contract/providers/terminal.ts";
import { LocalBackend } from "../../plugins/terminal-local/local-backend.ts";
import { openSandbox, whyNoSandbox } from "../../plugins/terminal-local/sandbox/testing/sandbox-bench.ts";
import { quietLog } from "../../src/testing/quiet-log.ts";
import { waitFor } from "../../src/testing/wait-for.ts";

const onLinux = process.platform === "linux" ? false : "looks into /proc";
const { signal } = new AbortController();
const options = { signal, timeoutMs: 120_000 };

// req: R-21
for (const [where, skip] of [
  ["in the sandbox", await whyNoSandbox()],
  ["outside", onLinux],
] as const) {
  test(
    `row 37: kills a fork bomb and a memory bomb ${where}; the terminal and its agent keep working`,
    { skip },
    async () => {
      await using place = await open(where === "in the sandbox");
      const { terminal } = place;
      await terminal.run("export KEPT=yes", options);

      const mark = `600.${Math.floor(Math.random() * 1e9)}1`;
      const bomb = terminal.run(
        `bomb() { [ $1 = 0 ] || { bomb $(($1 - 1)) & (setsid bash -c "exec sleep ${mark}" &) ; bomb $(($1 - 1)) & }; sleep ${mark}; }; bomb 5`,
        { ...options, timeoutMs: 3_000 },
      );
      assert.equal((await bomb).endedBy, "timeout");
      await waitFor(() => running(mark) === 0);
      assert.equal((await terminal.run("echo $KEPT", options)).output, "yes\n");

      const greedy = await terminal.run(
        "(ulimit -v 250000; word=$(head -c 400000000 /dev/zero | tr '\\0' x); echo ${#word}); echo $KEPT",
        options,
      );
      assert.match(greedy.output, /cannot allocate|[Mm]emory[^]*\nyes\n$/);
      assert.doesNotMatch(greedy.output, /^4\d{8}$/m);

      // Without a limit in the settings, Linux kills the process. In a sandbox, /proc/self shows the sandbox's own
      // processes.
      const scores = (
        await terminal.run("cat /proc/self/oom_score_adj; (setsid cat /proc/self/oom_score_adj)", options)
      ).output
        .trim()
        .split("\n")
        .map(Number);
      const own = Number(readFileSync("/proc/self/oom_score_adj", "utf8"));
      assert.ok(
        scores.length === 2 && scores.every((score) => score >= Math.max(300, own)),
        `${scores.join()} of commands, ${own} of the agent`,
      );
    },
  );
}

async function open(sandboxed: boolean): Promise<AsyncDisposable & { readonly terminal: Terminal }> {
  if (sandboxed) return await openSandbox();
  const backend = new LocalBackend({ auto_source_bashrc: false }, quietLog());
  return {
    terminal: await backend.open({ key: "bombs" }, signal),
    [Symbol.asyncDispose]: () => backend[Symbol.asyncDispose](),
  };
}

function running(mark: string): number {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").endsWith(`${mark}\0`);
    } catch {
      return false; // The process ended between listing and reading.
    }
  }).length;
}
