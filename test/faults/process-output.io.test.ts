import assert from "node:assert/strict";
import { test } from "node:test";
import { LocalBackend } from "../../plugins/terminal-local/local-backend.ts";
import type { Terminal } from "../../src/plugin.ts";
import { quietLog } from "../../src/testing/quiet-log.ts";

test("row 34: 1 GB of output without a newline costs less than 50 MB, and its head and tail are saved", async () => {
  await using backend = new LocalBackend({ auto_source_bashrc: false }, quietLog());
  const { signal } = new AbortController();
  const terminal = await backend.open({ key: "flood" }, signal);
  await terminal.run("true", { signal, timeoutMs: 300_000 });
  // Memory that is collected late does not count, so the smallest of three measurements does.
  let grewBy = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && grewBy >= 50e6; tries += 1) grewBy = Math.min(grewBy, await flood(terminal, signal));
  assert.ok(grewBy < 50e6, `grew by ${Math.round(grewBy / 1e6)} MB`);
});

/** @returns how much this process grew while it ran. */
async function flood(terminal: Terminal, signal: AbortSignal): Promise<number> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
  try {
    const result = await terminal.run("printf head; head -c 1G /dev/zero | tr '\\0' x; printf tail", {
      signal,
      timeoutMs: 300_000,
      onOutput: () => {},
    });
    assert.equal(result.endedBy, "exit");
    assert.match(
      result.output,
      /^headx+\n\n\[OUTPUT TRUNCATED - \d+ bytes omitted out of 1073741832 total\]\n\nx+tail$/,
    );
    assert.equal(result.omittedBytes, 1_073_741_832 - 50_000);
  } finally {
    clearInterval(watch);
  }
  return peak - before;
}

test("bytes that are not text become text, and a cut never splits a character", async () => {
  await using backend = new LocalBackend({ auto_source_bashrc: false }, quietLog());
  const { signal } = new AbortController();
  const terminal = await backend.open({ key: "bytes" }, signal);
  const binary = await terminal.run("head -c 100000 /dev/urandom; printf '\\0\\377\\376end'", {
    signal,
    timeoutMs: 120_000,
  });
  assert.ok(binary.output.endsWith("\uFFFD\uFFFDend"));
  const wide = await terminal.run("for i in $(seq 3000); do printf 漢; done", {
    signal,
    timeoutMs: 120_000,
    maxOutputBytes: 1_000,
  });
  assert.match(wide.output, /^漢+\n\n\[[^\]]+\]\n\n漢+$/);
});
