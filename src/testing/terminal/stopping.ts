import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { Stopwatch } from "../stopwatch.ts";
import { alive, gone, options, timedOut, until, wrote, type TerminalBehaviour } from "./bench.ts";

/** Time-outs and cancels, which end what runs inside the place and not only the way to it. */
export const STOPPING: readonly TerminalBehaviour[] = [
  {
    id: "timeout-tree",
    says: "a timeout ends the command and every process it started",
    async run(bench) {
      await using terminal = await bench.fresh();
      await timedOut(terminal, "sh -c 'echo $$ > parent; sleep 300 & echo $! > child; wait; sleep 300'", () =>
        wrote(terminal, "child"),
      );
      await gone(terminal, "parent");
      await gone(terminal, "child");
      assert.equal((await terminal.run("echo still here", options())).output, "still here\n");
    },
  },
  {
    id: "timeout-stubborn",
    says: "a timeout ends a process that ignores SIGTERM",
    async run(bench) {
      await using terminal = await bench.fresh();
      await timedOut(terminal, "sh -c 'trap \"\" TERM INT HUP; echo $$ > parent; while :; do sleep 1; done'", () =>
        wrote(terminal, "parent"),
      );
      await gone(terminal, "parent");
    },
  },
  {
    id: "timeout-own-session",
    says: "a timeout ends a grandchild in another session",
    async run(bench, skip) {
      await using terminal = await bench.fresh();
      if ((await terminal.run("command -v setsid", options())).exitCode !== 0) return skip("no setsid here");
      await timedOut(terminal, "setsid sh -c 'echo $$ > grandchild; sleep 300' & sleep 300", () =>
        wrote(terminal, "grandchild"),
      );
      await gone(terminal, "grandchild");
    },
  },
  {
    id: "timeout-detached",
    says: "a timeout ends a grandchild whose parents have all ended",
    async run(bench, skip) {
      await using terminal = await bench.fresh();
      if ((await terminal.run("command -v setsid", options())).exitCode !== 0) return skip("no setsid here");
      await timedOut(
        terminal,
        "(setsid sh -c '(echo $(exec sh -c \"echo \\$PPID\") > detached; exec sleep 300) & exit' & exit) ; sleep 300",
        () => wrote(terminal, "detached"),
      );
      await gone(terminal, "detached");
    },
  },
  {
    id: "timeout-keeps-output",
    says: "output from before a timeout is kept",
    async run(bench) {
      await using terminal = await bench.fresh();
      const result = await timedOut(terminal, "echo first words; sleep 300", ({ output }) =>
        output.startsWith("first"),
      );
      assert.match(result.output, /^first words\n/);
    },
  },
  {
    id: "timeout-keeps-state",
    says: "directory and variables survive a timeout",
    async run(bench) {
      await using terminal = await bench.fresh();
      await terminal.run("export WORD=kept; mkdir in; cd in", options());
      await terminal.run("sleep 300", options({ timeoutMs: 300 }));
      assert.equal((await terminal.run('echo "$WORD ${PWD##*/}"', options())).output, "kept in\n");
    },
  },
  {
    id: "timeout-loop",
    says: "a timeout ends a loop of the shell itself",
    async run(bench) {
      await using terminal = await bench.fresh();
      const result = await terminal.run("while :; do :; done", options({ timeoutMs: 300 }));
      assert.equal(result.endedBy, "timeout");
      assert.equal((await terminal.run("echo still here", options())).output, "still here\n");
    },
  },
  {
    id: "cancel-quick",
    says: "a cancelled command ends within 500 ms, also in the environment",
    async run(bench) {
      await using terminal = await bench.fresh();
      const stop = new AbortController();
      const running = terminal.run(
        "echo $$ > pid; sh -c 'echo $$ > child; sleep 300'",
        options({ signal: stop.signal }),
      );
      await until(() => wrote(terminal, "child"));
      const watch = new Stopwatch();
      stop.abort();
      assert.equal((await running).endedBy, "cancelled");
      watch.assertWithin(500, "cancelling");
      await gone(terminal, "child");
    },
  },
  {
    id: "cancel-before",
    says: "a command cancelled before it starts never runs",
    async run(bench) {
      await using terminal = await bench.fresh();
      assert.equal((await terminal.run("touch made", options({ signal: AbortSignal.abort() }))).endedBy, "cancelled");
      assert.equal(await terminal.files.stat("made"), undefined);
    },
  },
  {
    id: "cancel-waiting",
    says: "a command cancelled while it waits for its turn never runs",
    async run(bench) {
      await using terminal = await bench.fresh();
      const stop = new AbortController();
      const first = terminal.run("until [ -e go ]; do sleep 0.05; done", options());
      const second = terminal.run("touch made", options({ signal: stop.signal }));
      await wait(100);
      stop.abort();
      assert.equal((await second).endedBy, "cancelled");
      await terminal.files.write("go", new Uint8Array());
      await first;
      assert.equal(await terminal.files.stat("made"), undefined);
    },
  },
  {
    id: "stop-first-reason",
    says: "the result contains the first reason to stop",
    async run(bench) {
      await using terminal = await bench.fresh();
      const stop = new AbortController();
      let over = false;
      const running = terminal
        .run(
          "sh -c 'trap \"echo asked > asked\" TERM; while :; do sleep 1; done'",
          options({ signal: stop.signal, timeoutMs: 300 }),
        )
        .finally(() => (over = true));
      await until(async () => over || (await wrote(terminal, "asked")));
      stop.abort();
      assert.equal((await running).endedBy, "timeout");
    },
  },
  {
    id: "stop-only-its-own",
    says: "stopping one command does not affect parallel ones",
    async run(bench) {
      await using terminal = await bench.fresh();
      const beside = terminal.run("sleep 1.2; echo whole", options({ beside: true }));
      const child = await terminal.spawn("sleep 300", {});
      await terminal.run("sleep 300", options({ timeoutMs: 300 }));
      assert.equal((await beside).output, "whole\n");
      assert.ok(await alive(terminal, child.pid));
      await child.kill();
    },
  },
  {
    id: "no-listener-left",
    says: "a command that ended leaves no listener on its signal",
    async run(bench) {
      await using terminal = await bench.fresh();
      const stop = new AbortController();
      await terminal.run("true", options({ signal: stop.signal }));
      await terminal.run("true", options({ signal: stop.signal, beside: true }));
      assert.equal(getEventListeners(stop.signal, "abort").length, 0);
    },
  },
];
