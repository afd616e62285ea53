import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { processChannel } from "../shell/channel.ts";
import { openPersistentShell } from "../shell/channel-shell.ts";
import { PersistentTerminals } from "./persistent-terminals.ts";
import { EnvironmentFiles } from "./backend-files.ts";
import { withTimeout } from "../../testing/wait-for.ts";

const bash = async () =>
  processChannel(spawn("bash", ["--norc", "--noprofile"], { stdio: "pipe", detached: true }), "bash");

/** @param startShell For commands beside those in turn. */
function open(terminals: PersistentTerminals, startShell: typeof bash) {
  return terminals.open({
    key: "t",
    cwd: "/",
    start: (from) => openPersistentShell(from.beside ? startShell : bash, from),
    files: (made) => new EnvironmentFiles(made),
    idleMs: 0,
    maxBeside: 1,
  });
}

test("reads a file that another process removes at any moment, or reports it absent, but never inaccessible", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vanishing-"));
  const file = join(folder, "log");
  await using terminals = new PersistentTerminals();
  const terminal = await open(terminals, bash);
  const found = new Set<string>();
  try {
    for (let round = 0; round < 80; round += 1) {
      writeFileSync(file, "text");
      const [stat, bytes, end] = await Promise.all([
        terminal.files.stat(file),
        terminal.files.read(file),
        terminal.files.read(file, { from: 2, bytes: 2 }),
        wait(round % 20).then(() => rmSync(file)),
      ]);
      found.add(`${stat?.bytes} ${bytes && Buffer.from(bytes).toString()} ${end && Buffer.from(end).toString()}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  for (const answer of found) assert.match(answer, /^(?:4|undefined) (?:text|undefined) (?:xt|undefined)$/);
});

test("cancelling a parallel command before its turn ends it at once, and it never runs", async () => {
  await using terminals = new PersistentTerminals();
  const terminal = await open(terminals, bash);
  const first = new AbortController();
  const running = Promise.withResolvers<void>();
  const before = terminal.run("echo on; sleep 100", {
    signal: first.signal,
    timeoutMs: 120_000,
    beside: true,
    onOutput: () => running.resolve(),
  });
  await withTimeout(running.promise, { what: "the command runs" });
  const second = new AbortController();
  const waiting = terminal.run("echo ran", { signal: second.signal, timeoutMs: 120_000, beside: true });
  second.abort();
  assert.deepEqual([(await waiting).endedBy, (await waiting).output], ["cancelled", ""]);
  first.abort();
  assert.equal((await before).endedBy, "cancelled");
  assert.equal(
    (await terminal.run("echo next", { signal: new AbortController().signal, timeoutMs: 120_000, beside: true }))
      .output,
    "next\n",
  );
});

test("a parallel command whose shell does not start ends when cancelled or at its timeout", async () => {
  await using terminals = new PersistentTerminals();
  const starts = Promise.withResolvers<void>();
  const terminal = await open(terminals, async () => (await starts.promise, bash()));
  const stop = new AbortController();
  const cancelled = terminal.run("echo ran", { signal: stop.signal, timeoutMs: 120_000, beside: true });
  stop.abort();
  assert.equal((await cancelled).endedBy, "cancelled");
  const late = await terminal.run("echo ran", { signal: new AbortController().signal, timeoutMs: 50, beside: true });
  assert.deepEqual([late.endedBy, late.output], ["timeout", ""]);
  starts.resolve();
});

test("if a shell cannot be retired, its terminal stays usable: the next command runs in another shell", async () => {
  await using terminals = new PersistentTerminals();
  const tried = Promise.withResolvers<void>();
  const start = async (from: Parameters<typeof openPersistentShell>[1]) => {
    const shell = await openPersistentShell(bash, from);
    shell.retire = async () => {
      await shell.end(0);
      tried.resolve();
      throw new Error("its folder stays");
    };
    return shell;
  };
  const terminal = await terminals.open({
    key: "t",
    cwd: "/",
    start,
    files: (made) => new EnvironmentFiles(made),
    idleMs: 20,
    maxBeside: 1,
  });
  await withTimeout(tried.promise, { what: "the second attempt begins" });
  assert.equal(
    (await terminal.run("echo next", { signal: new AbortController().signal, timeoutMs: 120_000 })).output,
    "next\n",
  );
});
