import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { PersistentShell } from "./persistent-shell.ts";

test("a background command takes input and ends, is killed with its child processes, and cannot start in a shell that has ended", async () => {
  const shell = await PersistentShell.start({ cwd: "/", environment: { PATH: process.env["PATH"]! } });
  try {
    let received = "";
    const start = (command: string) =>
      shell.background({
        command,
        cwd: undefined,
        output: (bytes) => void (received += Buffer.from(bytes).toString()),
      });
    const talks = await start('read l; echo "got $l"; exit 4');
    await talks.write("words\n");
    assert.deepEqual(await talks.ended, { endedBy: "exit", exitCode: 4 });
    assert.equal(received, "got words\n");
    await assert.rejects(talks.write("more\n"));
    const tree = await start("(sleep 300 &); sleep 300");
    assert.equal(shell.inUse(), true);
    await tree.kill();
    while (shell.inUse()) await wait(20);
    process.kill(shell.pid, "SIGKILL");
    await assert.rejects(
      async () => {
        for (;;) await (await start("true")).kill();
      },
      { name: "TerminalUnavailable" },
    );
  } finally {
    await shell.end(0);
  }
});
