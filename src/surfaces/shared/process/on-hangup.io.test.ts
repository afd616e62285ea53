import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

test("receives a hangup, and ignores a second one after the last listener left", () => {
  const program = `
    import { onHangup } from "./on-hangup.ts";
    let count = 0;
    const hung = Promise.withResolvers();
    const listening = onHangup(() => { count += 1; listening[Symbol.dispose](); hung.resolve(); });
    process.kill(process.pid, "SIGHUP");
    const waiting = setInterval(() => {}, 1000);
    await hung.promise;
    process.on("SIGUSR2", () => { process.stdout.write("heard " + count); clearInterval(waiting); });
    process.kill(process.pid, "SIGHUP");
    process.kill(process.pid, "SIGUSR2");
  `;
  const { stdout, signal, status } = spawnSync(
    process.execPath,
    ["--conditions=hermes-source", "--input-type=module", "--eval", program],
    { cwd: import.meta.dirname, encoding: "utf8" },
  );
  assert.deepEqual({ stdout, signal, status }, { stdout: "heard 1", signal: null, status: 0 });
});
