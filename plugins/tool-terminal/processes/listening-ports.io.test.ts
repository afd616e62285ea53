import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { lacksProgram, quietLog, waitFor } from "hermes-agent/testing";
import { SshBackend } from "../../terminal-ssh/ssh-backend.ts";
import { Sshd, WITHOUT_SSHD } from "../../terminal-ssh/testing/sshd.ts";
import { ForegroundCommands } from "../run/foreground-commands.ts";
import { reachThrough } from "./detached-elsewhere.ts";
import { environmentPorts } from "./listening-ports.ts";
import { ProcessRegistry } from "./process-registry.ts";
import { ProcessTable } from "./process-table.ts";
import { PsCommand } from "./ps-command.ts";
import { openElsewhere } from "../testing/elsewhere.ts";
import { noPlaces } from "../testing/no-backends.ts";

const WITHOUT =
  WITHOUT_SSHD ?? (process.platform === "linux" ? lacksProgram("python3") : "ports are only seen through /proc");

const SERVER = `python3 -c '
import socket, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
print("port", s.getsockname()[1], flush=True)
time.sleep(300)'; true`;

// req: R-24
test("lists the ports that a background command on another host listens on", { skip: WITHOUT }, async () => {
  const home = mkdtempSync(join(tmpdir(), "place-ports-"));
  try {
    await using host = await Sshd.start();
    await using backend = await openElsewhere({ id: "ssh", config: host.config() }, home);
    const { signal } = new AbortController();
    await using terminal = await backend.open({ key: "t" }, signal);
    const child = await terminal.spawn(SERVER, {});
    const { promise: message, resolve } = Promise.withResolvers<string>();
    const receive = () =>
      void (/port (\d+)\n/.test(child.output().text) && resolve(/port (\d+)\n/.exec(child.output().text)![1]!));
    using _ = child.onOutput(receive);
    receive();
    const port = await message;
    assert.deepEqual(await environmentPorts(terminal, [child.pid!]), [Number(port)]);
    const registry = new ProcessRegistry({
      log: quietLog(),
      table: new ProcessTable(home),
      mask: (text) => text,
      graceMs: () => 2_000,
      reach: reachThrough(async () => backend, signal),
    });
    const entry = registry.add(child, {
      ...registry.next(),
      command: "server",
      cwd: "/",
      taskId: "t",
      sessionId: "s",
      backend: "ssh",
      here: false,
      notifyOnComplete: false,
      report: async () => {},
      untrusted: null,
      watchPatterns: [],
      lookForPorts: () => environmentPorts(terminal, [child.pid!]),
    });
    const ps = new PsCommand(new ProcessTable(home), (text) => text, 2_000, noPlaces);
    // One that does not answer at once is listed without, and with them the next time.
    const shown = async () => (await ps.slash("")).split("\n").at(-1)!;
    const withPort = (): Promise<string> =>
      waitFor(async () => {
        const line = await shown();
        return line.includes(` ${port} `) && line;
      });
    let line = await withPort();
    assert.match(line, new RegExp(`^${entry.id} +background +${child.pid} +${port} +\\d+s +ssh +s +server$`));
    await registry.keep(entry);
    line = await withPort();
    assert.match(
      line,
      new RegExp(`^${entry.id} +kept +${child.pid} +${port} `),
      "a kept process still shows its ports",
    );
    await registry.stop(entry, "person");
    await registry.endAll();
    assert.match(
      await ps.slash("all"),
      new RegExp(`${entry.id} +killed -15 +${child.pid} +- `),
      "an ended process has no ports",
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

// req: R-24
test("lists a remote foreground command with its PID and port there, and can stop it", { skip: WITHOUT }, async () => {
  const home = mkdtempSync(join(tmpdir(), "place-ports-"));
  try {
    await using host = await Sshd.start();
    await using backend = new SshBackend(host.config());
    await using terminal = await backend.open({ key: "task" }, new AbortController().signal);
    using commands = new ForegroundCommands(new ProcessTable(home), quietLog(), (text) => text);
    using command = commands.begin(
      { command: "server", cwd: "/", backend: "ssh", taskId: "t", sessionId: "s" },
      (pids) => environmentPorts(terminal, pids),
    );
    let message = "";
    const run = terminal.run(`cd /; ${SERVER}`, {
      signal: command.stopped,
      timeoutMs: 120_000,
      onStarted: (look) => command.started(look),
      onOutput: (text) => void (message += text),
    });
    const ps = new PsCommand(new ProcessTable(home), (text) => text, 2_000, noPlaces);
    const shown = async () => (await ps.slash("")).split("\n").at(-1)!;
    const [, id, pid, port] = await waitFor(async () => /^(\S+) +command +(\d+) +(\d+) /.exec(await shown()));
    assert.equal(message, `port ${port}\n`);
    assert.match(readFileSync(`/proc/${pid}/cmdline`, "utf8"), /^python3/, "the host is this machine");
    command.stopped.addEventListener("abort", () => void run.finally(() => command[Symbol.dispose]()));
    assert.equal(await ps.slash(`stop ${id}`), `Stopped ${id}.`);
    assert.equal((await run).endedBy, "cancelled");
    assert.equal(await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""), "");
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
