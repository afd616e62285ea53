import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { terminalContract } from "../../testing/terminal-contract.ts";
import type { Terminal, TerminalBackend } from "../../contract/providers/terminal.ts";
import { processChannel } from "./channel.ts";
import { openPersistentShell } from "./channel-shell.ts";
import type { StartShell } from "./channel.ts";
import type { Shell } from "./shell.ts";
import { PersistentTerminals } from "../backend/persistent-terminals.ts";
import { EnvironmentFiles } from "../backend/backend-files.ts";
import { withTimeout } from "../../testing/wait-for.ts";

// The kit alone: an environment that is only `bash` with three pipes. Dropping the client ends its input.
const clients = new Set<ChildProcess>();
const startShell: StartShell = async () => {
  const child = spawn("bash", {
    stdio: "pipe",
    detached: true,
    cwd: homedir(),
    env: { PATH: process.env["PATH"] ?? "", HOME: homedir() },
  });
  clients.add(child);
  child.once("exit", () => clients.delete(child));
  return { ...processChannel(child, "bash"), kill: () => void child.stdin.destroy() };
};

test("a stopped command gets its grace period", async () => {
  await using terminals = new PersistentTerminals();
  const terminal = terminals.add({
    key: "grace",
    cwd: "/",
    idleMs: 0,
    start: (from) => openPersistentShell(startShell, from),
    files: (made) => new EnvironmentFiles(made),
  });
  const slow = await terminal.spawn(
    "exec 8<> <(:); trap 'read -t 3 -u 8; echo saved; exit' TERM; echo ready; while :; do read -t 1 -u 8; done",
    {},
  );
  const ready = Promise.withResolvers<void>();
  slow.onOutput((text) => void (text.includes("ready") && ready.resolve()));
  if (slow.output().text.includes("ready")) ready.resolve();
  await withTimeout(ready.promise, { what: "the shell is ready" });
  await slow.kill(60_000);
  assert.equal(slow.output().text, "ready\nsaved\n");
});

test("saves exported variables before reporting the end, since the connection may be lost right after it", async () => {
  const shell = await openPersistentShell(startShell, { cwd: "/" });
  let message = "";
  const run = async (of: Shell, command: string): Promise<void> =>
    assert.deepEqual(
      await of.run({
        command,
        cwd: undefined,
        stdin: undefined,
        output: (bytes) => void (message += Buffer.from(bytes).toString()),
        stop: new Promise(() => {}),
      }),
      { kind: "exit", code: 0 },
    );
  for (let number = 1; number <= 20; number += 1) {
    await run(shell, `export NUMBER=n${number}`);
    assert.match(readFileSync(shell.exportsFile(), "utf8"), new RegExp(`NUMBER="n${number}"\n`));
  }
  await run(shell, `set -o noclobber; export LONG=${"x".repeat(20_000)} NUMBER='a"$b\nc'`);
  await run(shell, "unset LONG");
  const next = await openPersistentShell(startShell, { cwd: "/", state: shell.exports()! });
  await run(next, 'printf %s "${LONG-none} $NUMBER"');
  assert.equal(message, 'none a"$b\nc');
  await Promise.all([shell.end(0), next.end(0)]);
});

terminalContract(
  "pipes",
  () => {
    const terminals = new PersistentTerminals();
    return {
      id: "pipes",
      isolated: false,
      elsewhere: true,
      open: async ({ key, cwd = "" }): Promise<Terminal> => {
        const known = terminals.get(key);
        if (known !== undefined) return known;
        const terminal = terminals.add({
          key,
          cwd,
          idleMs: 0,
          start: (from) => openPersistentShell(startShell, from),
          files: (made) => new EnvironmentFiles(made),
        });
        await terminal.ready();
        return terminal;
      },
      [Symbol.asyncDispose]: () => terminals[Symbol.asyncDispose](),
    } satisfies TerminalBackend;
  },
  { kind: "double", hugeBytes: 100_000_000, cut },
);

/** Resolves when all clients have exited: until then, data sent to them may still be in transit. */
async function cut(): Promise<void> {
  const gone = [...clients].map((child) => once(child, "exit"));
  for (const child of clients) child.stdin!.destroy();
  await Promise.all(gone);
}

// The channel is slow, like one through a service, while a left-behind process continues to write.
test("output of a left-behind process before the next command starts does not count as that command's", async () => {
  const slow: StartShell = async () => {
    const channel = await startShell();
    let sent: Promise<unknown> = Promise.resolve();
    return { ...channel, write: (bytes) => void (sent = sent.then(() => wait(150)).then(() => channel.write(bytes))) };
  };
  const shell = await openPersistentShell(slow, { cwd: "/" });
  const run = async (command: string): Promise<string> => {
    let seen = "";
    assert.deepEqual(
      await shell.run({
        command,
        cwd: undefined,
        stdin: undefined,
        output: (bytes) => void (seen += Buffer.from(bytes).toString()),
        stop: new Promise(() => {}),
      }),
      { kind: "exit", code: 0 },
    );
    return seen;
  };
  await run("(while sleep 0.01; do echo LATE; done) & echo one");
  for (const word of ["two", "three"]) assert.equal(await run(`echo ${word}`), `${word}\n`);
  await shell.end(0);
});
