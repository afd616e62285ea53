import assert from "node:assert/strict";
import { test } from "node:test";
import type { Shell } from "../shell/shell.ts";
import { TerminalShells, type StartFrom } from "./terminal-shells.ts";

/** Shells that only say how they were started; each exports its number, and its state is known by it. */
function shells() {
  const started: StartFrom[] = [];
  const made: { over: boolean; used: boolean; ends: number }[] = [];
  const start = async (from: StartFrom): Promise<Shell> => {
    const number = started.push(from);
    const life = { over: false, used: false, ends: 0 };
    made.push(life);
    const shell = {
      cwd: `/at/${number}`,
      home: "/home",
      manyCopies: false,
      get idle() {
        return !life.over;
      },
      get ended() {
        return life.over;
      },
      exports: () => `exports of ${number}`,
      inUse: async () => life.used,
      retire: async () => ((life.over = true), `state of ${number}`),
      end: async () => void (life.ends += 1),
    };
    return shell as unknown as Shell;
  };
  return {
    started,
    made,
    of: new TerminalShells({ key: "task", cwd: "/", folder: () => undefined, start, arrived: () => {} }),
  };
}

test("replaces an ended shell by one in the same directory, with the exported variables", async () => {
  const { started, made, of } = shells();
  await of.living();
  assert.equal(of.cwd, "/at/1");
  made[0]!.over = true;
  await of.living();
  assert.deepEqual(
    started.map(({ cwd, state, beside }) => [cwd, state, beside]),
    [
      ["/", undefined, false],
      ["/at/1", "exports of 1", false],
    ],
  );
  assert.equal(made[0]!.ends, 1);
});

test("an ended shell that left processes running is replaced, but they are not killed", async () => {
  const { made, of } = shells();
  await of.living();
  Object.assign(made[0]!, { over: true, used: true });
  await of.living();
  assert.equal(made[0]!.ends, 0);
});

test("retiring a shell saves its state for the next one, and ends its parallel shells", async () => {
  const { started, made, of } = shells();
  const main = of.living();
  await main;
  of.aside.giveBack(await of.aside.own());
  assert.equal(await of.inUse(), false);
  await of.retire(main);
  assert.deepEqual(
    made.map(({ ends }) => ends),
    [0, 1],
  );
  await of.living();
  assert.deepEqual(
    started.map(({ state, beside }) => [state, beside]),
    [
      [undefined, false],
      [undefined, true],
      ["state of 1", false],
    ],
  );
});

test("retries a failed start, and starts no shell after closing", async () => {
  let tries = 0;
  const of = new TerminalShells({
    key: "task",
    cwd: "/",
    folder: () => undefined,
    start: () => Promise.reject(new Error(`try ${(tries += 1)}`)),
    arrived: () => {},
  });
  await assert.rejects(of.living(), { message: "try 1" });
  await assert.rejects(of.living(), { message: "try 2" });
  of.close();
  await assert.rejects(of.living(), { name: "TerminalUnavailable", message: 'The terminal "task" was closed.' });
});
