import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { PersistentShell } from "./persistent-shell.ts";

test("an otherwise idle process still notices that its shell was killed", () => {
  const program = `
    import { PersistentShell } from ${JSON.stringify(join(import.meta.dirname, "persistent-shell.ts"))};
    const shell = await PersistentShell.start({ cwd: "/", environment: { PATH: process.env.PATH } });
    process.kill(shell.pid, "SIGKILL");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100); // The shell is dead, but its exit event has not arrived.
    await shell.end(0);
    console.log("ended");
  `;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--conditions=hermes-source", "--input-type=module", "-e", program],
    { encoding: "utf8", cwd: import.meta.dirname },
  );
  assert.deepEqual({ status, stdout }, { status: 0, stdout: "ended\n" }, stderr);
});

test("fifteen commands that each leave a process behind run in one shell with separate output", async () => {
  const shell = await PersistentShell.start({ cwd: "/", environment: { PATH: process.env["PATH"] ?? "" } });
  try {
    const outputs: string[] = [];
    for (let n = 0; n < 15; n += 1) {
      let output = "";
      const end = await shell.run({
        command: `sleep 400.77 & echo ${n}`,
        cwd: undefined,
        stdin: undefined,
        output: (bytes) => void (output += Buffer.from(bytes).toString()),
        stop: new Promise(() => {}),
      });
      assert.deepEqual(end, { kind: "exit", code: 0 });
      outputs.push(output.trim());
    }
    assert.deepEqual(
      outputs,
      Array.from({ length: 15 }, (_, n) => String(n)),
    );
  } finally {
    await shell.end(0);
  }
});
