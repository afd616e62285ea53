import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { after, test } from "node:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "hermes-agent/plugin";
import { outlivesItsAgent } from "../tool-terminal/testing/outlives-its-agent.ts";
import { SshBackend } from "./ssh-backend.ts";
import { sshTarget } from "./ssh-target.ts";
import { Sshd, WITHOUT_SSHD } from "./testing/sshd.ts";
import { withTimeout } from "hermes-agent/testing";

const host = WITHOUT_SSHD === undefined ? await Sshd.start() : undefined;
after(() => host?.[Symbol.asyncDispose]());
const options = { skip: WITHOUT_SSHD ?? false };
const { signal } = new AbortController();

async function ran(config: JsonObject, command = "echo reached", key = "task"): Promise<string> {
  await using backend = new SshBackend(config);
  const terminal = await backend.open({ key }, signal);
  return (await terminal.run(command, { signal, timeoutMs: 120_000 })).output;
}

// req: terminal.ssh-config
test("connects to the configured host, user, port, key and directory", options, async () => {
  assert.equal(
    await ran(host!.config({ cwd: "/usr/bin" }), 'echo "${SSH_CONNECTION##* } $PWD"; id -un'),
    `${host!.port} /usr/bin\n${String(host!.config()["ssh_user"])}\n`,
  );
});

test("refuses a host with an unknown key, unless the settings trust the first connection", options, async () => {
  const known = join(host!.folder, "nobody-known");
  writeFileSync(known, "");
  await assert.rejects(
    ran(host!.config({ ssh_known_hosts: known })),
    (error: { name: string; message: string; hint: string }) => {
      assert.equal(error.name, "TerminalUnavailable");
      assert.match(error.message, /Host key verification failed/);
      assert.match(error.hint, /accept-new/);
      return true;
    },
  );
  assert.equal(await ran(host!.config({ ssh_known_hosts: known, ssh_host_keys: "accept-new" })), "reached\n");
  assert.equal(await ran(host!.config({ ssh_known_hosts: known })), "reached\n", "the host key is known now");
});

test("refuses a host whose key differs from the known one, under any setting", options, async () => {
  const known = join(host!.folder, "others-known");
  writeFileSync(
    known,
    `[127.0.0.1]:${host!.port} ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGc4oAVmE4hMeIWqSSJPEqLpSvCGmUP2JqD5cC5mXyYy\n`,
  );
  await assert.rejects(ran(host!.config({ ssh_known_hosts: known, ssh_host_keys: "accept-new" })), {
    name: "TerminalUnavailable",
  });
});

test("reports rejected keys and an unreachable host, with a hint", options, async () => {
  await assert.rejects(ran(host!.config({ ssh_key: join(host!.folder, "host") })), {
    name: "TerminalUnavailable",
    message: /Permission denied/,
  });
  await assert.rejects(ran(host!.config({ ssh_port: 1 })), {
    name: "TerminalUnavailable",
    message: /Connection refused/,
  });
  await assert.rejects(ran({}), { name: "TerminalUnavailable", message: /ssh_host/ });
});

// req: terminal.ssh-controlmaster
test("all tasks and all commands share one connection", options, async () => {
  await using backend = new SshBackend(host!.config());
  const seen = new Set<string>();
  for (const key of ["one", "two"]) {
    const terminal = await backend.open({ key }, signal);
    const run = { signal, timeoutMs: 120_000 };
    for (const beside of [false, true])
      seen.add((await terminal.run('echo "$SSH_CONNECTION"', { ...run, beside })).output);
  }
  assert.equal(seen.size, 1, [...seen].join());
});

// row 51 of the fault matrix
test(
  "reports an SSH host that goes down during a command, and runs the next command when the host is back",
  options,
  async () => {
    await using backend = new SshBackend(host!.config());
    const terminal = await backend.open({ key: "down" }, signal);
    const run = (command: string) => terminal.run(command, { signal, timeoutMs: 120_000 });
    await run("cd /usr; export WORD=kept");
    const begun = Promise.withResolvers<void>();
    const running = terminal.run("echo begun; sleep 300", {
      signal,
      timeoutMs: 120_000,
      onOutput: () => begun.resolve(),
    });
    await withTimeout(begun.promise, { what: "the command begins" });
    await host!.down();
    try {
      assert.deepEqual([(await running).endedBy, (await running).output], ["lost", "begun\n"]);
      await assert.rejects(run("echo never"), {
        name: "TerminalUnavailable",
        message: /Cannot connect to .*Connection refused/,
        hint: /ssh_host/,
      });
    } finally {
      await host!.up();
    }
    assert.equal((await run('echo "$WORD $PWD"')).output, "kept /usr\n");
  },
);

// row 51 of the fault matrix
test(
  "after the SSH client was killed and left a dead socket, the next command opens a new connection in the same directory",
  options,
  async () => {
    await using backend = new SshBackend(host!.config());
    const terminal = await backend.open({ key: "stale" }, signal);
    const run = (command: string) => terminal.run(command, { signal, timeoutMs: 120_000 });
    const one = await run("cd /usr; export WORD=kept; echo $$");
    const masters = execFileSync("pgrep", ["-f", `^([^ ]*/)?ssh .*${host!.folder}/client .*ControlMaster=yes`], {
      encoding: "utf8",
    })
      .trim()
      .split("\n")
      .map(Number);
    for (const pid of masters) process.kill(pid, "SIGKILL");
    let two = await run('echo "$WORD $PWD $$"');
    // An agent that had not noticed it yet reports that the command's end is unknown, and does not run it again.
    if (two.endedBy === "lost") two = await run('echo "$WORD $PWD $$"');
    assert.match(two.output, /^kept \/usr \d+\n$/);
    assert.notEqual(two.output, `kept /usr ${one.output}`);
  },
);

test("refuses a host or a user that ssh would read as an option", () => {
  for (const config of [
    { ssh_host: "-oProxyCommand=touch /tmp/x" },
    { ssh_host: "a b" },
    { ssh_host: "host", ssh_user: "-l" },
  ])
    assert.ok("missing" in sshTarget(config), JSON.stringify(config));
  assert.deepEqual(sshTarget({ ssh_host: "host", ssh_user: "me", cwd: "." }), {
    name: "me@host",
    port: 22,
    key: undefined,
    hostKeys: "yes",
    knownHosts: undefined,
    cwd: "~",
  });
});

test("an exiting agent does not wait for a silent host", options, async () => {
  const accepted = Promise.withResolvers<void>();
  const silent = createServer((socket) => {
    // Without a reader the socket would never see that ssh has closed it.
    socket.on("error", () => {}).resume();
    accepted.resolve();
  }).listen(0, "127.0.0.1");
  await once(silent, "listening");
  try {
    const backend = new SshBackend(
      host!.config({ ssh_port: (silent.address() as AddressInfo).port, ssh_host_keys: "accept-new" }),
    );
    const opening = assert.rejects(
      backend.open({ key: "task" }, signal),
      (error: Error) => error.name === "TerminalUnavailable" && !/timed out/.test(error.message),
    );
    await withTimeout(accepted.promise, { what: "the connection is accepted" });
    await backend[Symbol.asyncDispose]();
    await opening;
  } finally {
    silent.close();
  }
});

// req
test(
  "a persistent process on a host survives its agent, and another agent can list, follow, write to and stop it",
  options,
  () => outlivesItsAgent({ id: "ssh", config: host!.config() }),
);
