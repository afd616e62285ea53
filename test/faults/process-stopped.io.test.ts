import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { LocalBackend } from "../../plugins/terminal-local/local-backend.ts";
import { quietLog } from "../../src/testing/quiet-log.ts";
import { Stopwatch } from "../../src/testing/stopwatch.ts";
import { waitFor } from "../../src/testing/wait-for.ts";

const onLinux = process.platform === "linux" ? {} : { skip: "looks into /proc" };

// req: terminal.auto-cleanup
test(
  "row 32: kills a command that ignores SIGTERM with its tree; the terminal continues where it was",
  onLinux,
  async () => {
    await using backend = local();
    const terminal = await backend.open({ key: "deaf", cwd: "/usr" }, never());
    await terminal.run("cd /tmp; export KEPT=yes", { signal: never(), timeoutMs: 120_000 });
    const [mark, other] = [seconds(), seconds()];
    const watch = new Stopwatch();
    const result = await terminal.run(
      `trap '' TERM; (trap '' TERM; sleep ${other}; sleep ${other}) & sleep ${mark}; echo not reached`,
      { signal: never(), timeoutMs: 300 },
    );
    assert.equal(result.endedBy, "timeout");
    watch.assertWithin(2_300, "the end, two seconds after its time");
    assert.ok(!result.output.includes("not reached"));
    await nothingLeft(mark, other);
    const after = await terminal.run("pwd; echo $KEPT; sleep 0.01 & sleep 0.01; wait", {
      signal: never(),
      timeoutMs: 120_000,
    });
    assert.deepEqual([after.exitCode, after.output], [0, "/tmp\nyes\n"]);
  },
);

// req: R-21
test(
  "row 33: ends grandchildren in another session, with another parent and with an empty environment",
  onLinux,
  async () => {
    await using backend = local();
    const terminal = await backend.open({ key: "daemons" }, never());
    const marks = [seconds(), seconds(), seconds()] as const;
    const stop = new AbortController();
    const running = terminal.run(
      `setsid sleep ${marks[0]} & (setsid setsid sleep ${marks[1]} &); (env -i setsid /bin/sleep ${marks[2]} &); sleep 300`,
      { signal: stop.signal, timeoutMs: 120_000 },
    );
    await until(() => sleepers(...marks).length === 3);
    const watch = new Stopwatch();
    stop.abort();
    assert.equal((await running).endedBy, "cancelled");
    watch.assertWithin(2_000, "cancelling");
    await nothingLeft(...marks);
  },
);

// req: R-21
test(
  "background and parallel commands take only their own grandchildren with them when they end",
  onLinux,
  async () => {
    await using backend = local();
    const terminal = await backend.open({ key: "side" }, never());
    const marks = [seconds(), seconds(), seconds()] as const;
    const saved = await terminal.spawn(`setsid sleep ${marks[0]} & wait`, {});
    const killed = await terminal.spawn(`(setsid sleep ${marks[1]} &); sleep 300`, {});
    const stop = new AbortController();
    const beside = terminal.run(`(setsid sleep ${marks[2]} &); sleep 300`, {
      signal: stop.signal,
      timeoutMs: 120_000,
      beside: true,
    });
    await until(() => sleepers(...marks).length === 3);
    await killed.kill();
    stop.abort();
    assert.equal((await beside).endedBy, "cancelled");
    await terminal.run("sleep 300", { signal: never(), timeoutMs: 100 });
    await nothingLeft(marks[1], marks[2]);
    assert.equal(sleepers(marks[0]).length, 1);
    await saved.kill();
    await nothingLeft(...marks);
  },
);

// req: R-22
test("a command ends when it exits, even if another process still holds its output open", onLinux, async () => {
  await using backend = local();
  const terminal = await backend.open({ key: "holders" }, never());
  const mark = seconds();
  for (const command of [`sleep ${mark} & echo one`, `(setsid sleep ${mark} &); echo one`]) {
    const watch = new Stopwatch();
    assert.equal((await terminal.run(command, { signal: never(), timeoutMs: 120_000 })).output, "one\n");
    assert.equal((await terminal.run(command, { signal: never(), timeoutMs: 120_000, beside: true })).output, "one\n");
    watch.assertWithin(2_000, "two ends");
  }
  const talking = await terminal.run("(while sleep 0.02; do echo stray; done) & echo mine", {
    signal: never(),
    timeoutMs: 120_000,
  });
  assert.equal(talking.output, "mine\n");
  await wait(100);
  assert.equal((await terminal.run("echo clean", { signal: never(), timeoutMs: 120_000 })).output, "clean\n");
  await terminal[Symbol.asyncDispose]();
  await nothingLeft(mark);
});

// req: R-21
test("200 started and cancelled commands leave nothing running, not even setsid grandchildren", onLinux, async () => {
  const mark = seconds();
  const handles = openFiles();
  {
    await using backend = local();
    const terminals = await Promise.all([1, 2, 3, 4].map((n) => backend.open({ key: `cycle-${n}` }, never())));
    await Promise.all(terminals.map((terminal) => terminal.run("true", { signal: never(), timeoutMs: 120_000 })));
    const before = openFiles();
    await Promise.all(
      terminals.map(async (terminal, n) => {
        for (let round = 0; round < 50; round += 1) {
          const stop = new AbortController();
          const running = terminal.run(`(setsid sleep ${mark} &); sleep ${mark}`, {
            signal: stop.signal,
            timeoutMs: 120_000,
            beside: (n + round) % 3 === 0,
          });
          await wait(round % 7);
          stop.abort();
          assert.equal((await running).endedBy, "cancelled");
        }
      }),
    );
    await nothingLeft(mark);
    await until(
      () => openFiles() - before < 20,
      () => `${openFiles() - before} more files are open`,
    );
  }
  await until(
    () => openFiles() - handles < 5,
    () => `closing gives every file back, and ${openFiles() - handles} more are open`,
  );
});

// Zombies of 500 children, and the files that the agent has open.
test("row 36: 500 short children leave no zombie and no open file", onLinux, async () => {
  await using backend = local();
  const terminal = await backend.open({ key: "short" }, never());
  await terminal.run("true", { signal: never(), timeoutMs: 120_000 });
  const before = openFiles();
  await terminal.run("for i in $(seq 200); do (setsid true &); done; for i in $(seq 200); do true & done; wait", {
    signal: never(),
    timeoutMs: 120_000,
  });
  await Promise.all(
    Array.from({ length: 100 }, () => terminal.run("/bin/true", { signal: never(), timeoutMs: 120_000, beside: true })),
  );
  const shell = (await terminal.run("echo $$", { signal: never(), timeoutMs: 120_000 })).output.trim();
  await until(() => zombiesBelow(Number(shell)) === 0);
  const once = () =>
    Promise.all(
      Array.from({ length: 100 }, () =>
        terminal.run("/bin/true", { signal: never(), timeoutMs: 120_000, beside: true }),
      ),
    );
  for (let round = 0; round < 3; round += 1) await once();
  await until(
    () => openFiles() - before < 110,
    () =>
      `${openFiles() - before} files for 400 commands: one pipe for each of 100 at a time at most, and they are used again`,
  );
});

function local(): LocalBackend {
  return new LocalBackend({ auto_source_bashrc: false }, quietLog());
}

function never(): AbortSignal {
  return new AbortController().signal;
}

/** A number of seconds that no other sleep on this machine uses. */
function seconds(): string {
  return `300.${Math.floor(Math.random() * 1e9)}1`;
}

function sleepers(...marks: readonly string[]): { readonly pid: number; readonly mark: string }[] {
  return pids().flatMap((pid) => {
    try {
      const [program = "", argument = ""] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return program.endsWith("sleep") && marks.includes(argument) ? [{ pid, mark: argument }] : [];
    } catch {
      return []; // The process ended between listing and reading.
    }
  });
}

/** A killed process disappears as soon as the system schedules it. */
async function nothingLeft(...marks: readonly string[]): Promise<void> {
  await until(
    () => sleepers(...marks).length === 0,
    () => `${sleepers(...marks).length} processes are still there`,
  );
}

function zombiesBelow(parent: number): number {
  return pids().filter((pid) => {
    try {
      const [state, above] = readFileSync(`/proc/${pid}/stat`, "latin1")
        .replace(/^.*\) /s, "")
        .split(" ");
      return state === "Z" && Number(above) === parent;
    } catch {
      return false; // The process ended between listing and reading.
    }
  }).length;
}

function pids(): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0);
}

function openFiles(): number {
  return readdirSync("/proc/self/fd").length;
}

async function until(holds: () => boolean, state?: () => string): Promise<void> {
  await waitFor(holds, { state });
}
