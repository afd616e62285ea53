import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { lacksProgram, quietLog, waitFor } from "hermes-agent/testing";
import type { TerminalBackend } from "hermes-agent/plugin";
import { LocalBackend } from "../../terminal-local/local-backend.ts";
import { SshBackend } from "../../terminal-ssh/ssh-backend.ts";
import { Sshd, WITHOUT_SSHD } from "../../terminal-ssh/testing/sshd.ts";
import { ProcessRegistry } from "../processes/process-registry.ts";
import { ProcessTable } from "../processes/process-table.ts";
import { giveVariables } from "./secret-environment.ts";
import { noPlaces } from "../testing/no-backends.ts";

const VALUES = { PLAIN: "canary-a", ODD: "b'\"\\n$(id) `x` %s\\0 ü", LINES: "first\nsecond\\third\n" };
const SHOWN = `python3 -c 'import os, json; print(json.dumps([os.environ.get(name) for name in ("PLAIN", "ODD", "LINES")]))'`;

/** In a copy of the task's own shell, as in places that are not this machine. */
async function holds(backend: Pick<TerminalBackend, "open">, left: () => readonly string[]): Promise<void> {
  const { signal } = new AbortController();
  await using terminal = await backend.open({ key: "task" }, signal);
  const run = async (command: string, beside: boolean) =>
    (await terminal.run(command, { signal, timeoutMs: 120_000, beside })).output;
  {
    await using given = await giveVariables(VALUES, terminal);
    assert.deepEqual(JSON.parse(await run(`${given.take}${SHOWN}`, true)), Object.values(VALUES));
  }
  assert.deepEqual(JSON.parse(await run(SHOWN, false)), [null, null, null]);
  await waitFor(() => left().length === 0, { state: left });
}

// req: R-39
test(
  "passes secret values of any content to one command, and leaves none in its shell or on disk",
  { skip: lacksProgram("python3") },
  async () => {
    const place = mkdtempSync(join(tmpdir(), "hermes-env-test-"));
    try {
      await using backend = new LocalBackend({}, quietLog(), { ...process.env, TMPDIR: place });
      await holds(backend, () => readdirSync(place).filter((name) => name.startsWith("hermes-env-")));
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  },
);

// req: R-39
test("does the same on another machine over ssh", { skip: WITHOUT_SSHD ?? lacksProgram("python3") }, async () => {
  await using host = await Sshd.start();
  await using backend = new SshBackend(host.config());
  await holds(backend, () => []);
});

test("a process with a secret cannot outlive the agent, because its output would not be masked", async () => {
  const place = mkdtempSync(join(tmpdir(), "hermes-env-test-"));
  try {
    const registry = new ProcessRegistry({
      log: quietLog(),
      table: new ProcessTable(place),
      mask: (text) => text,
      graceMs: () => 2_000,
      reach: noPlaces,
    });
    await using backend = new LocalBackend({}, quietLog());
    const { signal } = new AbortController();
    await using terminal = await backend.open({ key: "task", cwd: place }, signal);
    const about = {
      cwd: place,
      taskId: "t",
      sessionId: "s",
      backend: "local",
      here: true,
      notifyOnComplete: false,
      report: async () => {},
      untrusted: null,
      watchPatterns: [],
    };
    const entry = registry.add(await terminal.spawn("sleep 30", {}), {
      ...about,
      ...registry.next(),
      command: "sleep 30",
      secrets: true,
    });
    await assert.rejects(registry.keep(entry), /has a stored secret/);
    assert.equal(entry.persistent, false);
    await registry.endAll();
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});
