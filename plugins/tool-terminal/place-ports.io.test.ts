import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { quietLog } from "hermes-agent/testing";
import { SshBackend } from "../terminal-ssh/ssh-backend.ts";
import { Sshd, WITHOUT_SSHD } from "../terminal-ssh/testing/sshd.ts";
import { placePorts } from "./place-ports.ts";
import { ProcessRegistry } from "./process-registry.ts";
import { ProcessTable } from "./process-table.ts";
import { PsCommand } from "./ps-command.ts";

const SERVER = `python3 -c '
import socket, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
print("port", s.getsockname()[1], flush=True)
time.sleep(300)'; true`;

// req: R-24
test("ports that a background command on another host listens on are listed, since its agent looks there", { skip: WITHOUT_SSHD ?? (process.platform === "linux" ? false : "ports are only seen through /proc") }, async () => {
  const home = mkdtempSync(join(tmpdir(), "place-ports-"));
  try {
    await using host = await Sshd.start();
    await using backend = new SshBackend(host.config());
    await using terminal = await backend.open({ key: "task" }, new AbortController().signal);
    const child = await terminal.spawn(SERVER, {});
    const { promise: said, resolve } = Promise.withResolvers<string>();
    const hear = () => void (/port (\d+)\n/.test(child.output().text) && resolve(/port (\d+)\n/.exec(child.output().text)![1]!));
    using _ = child.onOutput(hear);
    hear();
    const port = await said;
    assert.deepEqual(await placePorts(terminal, child.pid!), [Number(port)]);
    const registry = new ProcessRegistry({ log: quietLog(), table: new ProcessTable(home), mask: (text) => text, graceMs: () => 2_000 });
    const entry = registry.add(child, { ...registry.next(), command: "server", cwd: "/", taskId: "t", sessionId: "s", backend: "ssh", here: false, notifyOnComplete: false, tell: async () => {}, foreign: null, watchPatterns: [], lookForPorts: () => placePorts(terminal, child.pid!) });
    const ps = new PsCommand(new ProcessTable(home), (text) => text, 2_000);
    // One that does not answer at once is listed without, and with them the next time.
    const shown = async () => (await ps.slash("")).split("\n").at(-1)!;
    let line = await shown();
    for (let tries = 0; tries < 100 && !line.includes(` ${port} `); tries += 1) line = await shown();
    assert.match(line, new RegExp(`^${entry.id} +background +${child.pid} +${port} +\\d+s +ssh +s +server$`));
    await registry.endAll();
    assert.match(await ps.slash("all"), new RegExp(`${entry.id} +killed -15 +${child.pid} +- `), "an ended one listens on nothing");
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
