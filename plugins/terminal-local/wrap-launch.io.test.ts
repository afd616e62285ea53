import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { quietLog } from "hermes-agent/testing";
import { LocalBackend } from "./local-backend.ts";

const canUnshare = spawnSync("unshare", ["--pid", "--fork", "--mount-proc", "true"]).status === 0;

test(
  "a shell in a sandbox with a PID namespace runs, stops and ends like any other",
  { skip: canUnshare ? false : "no right to make a namespace here" },
  async () => {
    const { signal } = new AbortController();
    const run = { signal, timeoutMs: 120_000 };
    await using backend = new LocalBackend(
      { auto_source_bashrc: false },
      quietLog(),
      process.env,
      async () => (launch) => ({
        ...launch,
        argv: ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child", ...launch.argv],
      }),
    );
    const terminal = await backend.open({ key: "wrapped", cwd: "/tmp" }, signal);
    assert.match(
      (await terminal.run("echo $$; export WORD=kept", run)).output,
      /^\d{1,2}\n$/,
      "the shell has its own PID namespace",
    );
    assert.equal((await terminal.run("sh -c 'sleep 300 & wait'", { ...run, timeoutMs: 300 })).endedBy, "timeout");
    // Ends when nothing of the tree is left; what has ended waits for its collector a moment.
    const gone = "while ps -e -o comm= | grep -q sleep; do sleep 0.05 & wait; done";
    assert.equal(
      (await terminal.run(`echo "$WORD"; ${gone}`, run)).output,
      "kept\n",
      "the same shell answers, and the process tree has ended",
    );
    assert.equal((await terminal.run("sleep 300", { ...run, timeoutMs: 300, beside: true })).endedBy, "timeout");
    const child = await terminal.spawn("sleep 300 & wait", {});
    await child.kill();
    assert.equal((await child.ended).endedBy, "killed");
    assert.equal((await terminal.run(gone, run)).endedBy, "exit");
  },
);
