import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { LocalBackend } from "../../plugins/terminal-local/local-backend.ts";
import { quietLog } from "../../src/testing/index.ts";

test("500 short commands at once all answer, and leave no descriptor behind", { skip: process.platform === "linux" ? false : "descriptors are counted in /proc" }, async () => {
  const { signal } = new AbortController();
  const descriptors = () => readdirSync("/proc/self/fd").length;
  const before = descriptors();
  {
    await using backend = new LocalBackend({ auto_source_bashrc: false }, quietLog());
    const terminal = await backend.open({ key: "many", cwd: "/tmp" }, signal);
    const results = await Promise.all(Array.from({ length: 500 }, (_, n) => terminal.run(`echo ${n}`, { signal, timeoutMs: 60_000, beside: true })));
    assert.deepEqual(results.map(({ output }) => output), Array.from({ length: 500 }, (_, n) => `${n}\n`));
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(descriptors() <= before + 2, `${before} before, ${descriptors()} after`);
});
