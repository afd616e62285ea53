import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { CheckpointService } from "../../plugins/checkpoints/checkpoint-service.ts";
import { pickTurn } from "../../plugins/checkpoints/rollback/undoable-turn.ts";
import type { PluginContext } from "../../src/plugin.ts";

const AGENT = fileURLToPath(new URL("rollback-agent.ts", import.meta.url));
const OLD = "a".repeat(20_000);

// req: R-71
test("a killed rollback leaves whole files; the next one finishes it, and it can be undone", async (t) => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "rollback-killed-")));
  t.after(() => rmSync(top, { recursive: true, force: true }));
  const root = join(top, "project");
  mkdirSync(root);
  const names = Array.from({ length: 200 }, (_, at) => `f${at}`);
  for (const name of names) writeFileSync(join(root, name), OLD);
  const agent = (action: string) => {
    const child = spawn(process.execPath, ["--conditions=hermes-source", AGENT, top, action], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    return { child, ended: new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code))) };
  };
  assert.equal(await agent("turn").ended, 0);
  const back = () => names.filter((name) => statSync(join(root, name)).size === OLD.length).length;
  const { child, ended } = agent("undo");
  while (back() === 0 && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 1));
  child.kill("SIGKILL");
  await ended;
  assert.deepEqual(
    names.filter((name) => ![OLD, "b"].includes(readFileSync(join(root, name), "utf8"))),
    [],
    "no file mixes both versions",
  );
  assert.equal(await agent("undo").ended, 0);
  assert.deepEqual([back(), readdirSync(root).length], [200, 200]);
  using service = open(join(top, "home"));
  for (let last = service.lastRollback("s"); last.length > 0; last = service.lastRollback("s")) {
    await service.carryOut(await service.plan(last));
    await service.forget(last);
  }
  assert.deepEqual(new Set(names.map((name) => readFileSync(join(root, name), "utf8"))), new Set(["b"]));
});

test("on a full disk a rollback changes nothing it cannot finish, says why, and works once there is space", (t) => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "rollback-full-")));
  t.after(() => rmSync(top, { recursive: true, force: true }));
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", top]).status !== 0)
    return t.skip("a small disk cannot be mounted here");
  return rollBackOnFullDisk(top).finally(() => spawnSync("umount", [top]));
});

async function rollBackOnFullDisk(top: string): Promise<void> {
  const root = join(top, "project");
  mkdirSync(root);
  using service = open(join(top, "home"));
  const names = ["a", "b", "c"].map((name) => join(root, name));
  for (const name of names) writeFileSync(name, OLD);
  const over = await service.before({ sessionId: "s", turnId: "t1", paths: [root], label: "x", progress: () => {} });
  for (const name of names) writeFileSync(name, "b");
  over();
  await service.after("t1");
  const undo = async () =>
    service.carryOut(await service.plan(pickTurn(service.turns(new Set(["t1"])), "1").checkpoints), {
      sessionId: "s",
      cameFrom: "s",
      label: "undo",
    });
  assert.throws(() => writeFileSync(join(top, "filler"), Buffer.alloc(4_200_000)), { code: "ENOSPC" });
  writeFileSync(names[0]!, "p");
  const tried = await undo().then(
    ({ failed }) => failed.map(({ why }) => why).join(),
    (error: Error) => error.message,
  );
  assert.match(tried, /Cannot save a checkpoint: the disk of .* is full|no (room|space) left/i);
  assert.deepEqual(
    names.map((name) => ["p", "b", OLD].includes(readFileSync(name, "utf8"))),
    [true, true, true],
  );
  rmSync(join(top, "filler"));
  assert.deepEqual((await undo()).failed, []);
  assert.deepEqual(
    names.map((name) => readFileSync(name, "utf8")),
    ["p", OLD, OLD],
  );
}

function open(home: string): CheckpointService & Disposable {
  const service = new CheckpointService(
    {
      home,
      config: {},
      env: () => undefined,
      log: { warning: assert.fail, info: () => {} },
    } as unknown as PluginContext,
    "/nobody",
  );
  return Object.assign(service, { [Symbol.dispose]: () => service.close() });
}
