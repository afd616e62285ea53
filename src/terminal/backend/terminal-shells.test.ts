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

test("a shell that is gone is replaced by one that starts where the terminal was, with what was exported", async () => {
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

test("a shell that is gone and has left something running is replaced and not ended", async () => {
  const { made, of } = shells();
  await of.living();
  Object.assign(made[0]!, { over: true, used: true });
  await of.living();
  assert.equal(made[0]!.ends, 0);
});

test("what was put away comes back with the next shell, and those beside it are ended", async () => {
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

test("repeats a start that failed, and starts none after the end", async () => {
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
