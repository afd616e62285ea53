import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { LocalBackend } from "../../plugins/terminal-local/local-backend.ts";
import { quietLog } from "../../src/testing/index.ts";
import { waitFor } from "../../src/testing/wait-for.ts";

test(
  "500 short commands at once all answer, and leave neither zombies nor open descriptors",
  { skip: process.platform === "linux" ? false : "looks into /proc" },
  async () => {
    // The first command opens what this process opens only once.
    await runMany(1);
    const descriptors = () => readdirSync("/proc/self/fd").length;
    const before = descriptors();
    await runMany(500);
    await waitFor(() => descriptors() <= before + 2);
    assert.ok(descriptors() <= before + 2, `${before} before, ${descriptors()} after`);
  },
);

async function runMany(count: number): Promise<void> {
  const { signal } = new AbortController();
  await using backend = new LocalBackend({ auto_source_bashrc: false }, quietLog());
  const terminal = await backend.open({ key: "many", cwd: "/tmp" }, signal);
  const results = await Promise.all(
    Array.from({ length: count }, (_, n) => terminal.run(`echo ${n}`, { signal, timeoutMs: 120_000, beside: true })),
  );
  assert.deepEqual(
    results.map(({ output }) => output),
    Array.from({ length: count }, (_, n) => `${n}\n`),
  );
  const shell = Number((await terminal.run("echo $$", { signal, timeoutMs: 120_000 })).output);
  await waitFor(() => zombiesOf(shell, process.pid).length <= 0);
  assert.deepEqual(zombiesOf(shell, process.pid), []);
}

/** Zombies: ended processes that none of these parents has collected. */
function zombiesOf(...parents: readonly number[]): readonly string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      const [state, parent] = readFileSync(`/proc/${Number(name)}/stat`, "latin1")
        .replace(/^.*\) /s, "")
        .split(" ");
      return state === "Z" && parents.includes(Number(parent));
    } catch {
      return false; // Not a process, or it ended between listing and reading.
    }
  });
}
