import assert from "node:assert/strict";
import { alive, gone, options, until, wrote, type TerminalBehaviour } from "./bench.ts";

/** Commands that run in the background. */
export const BACKGROUND: readonly TerminalBehaviour[] = [
  {
    id: "background-talk",
    says: "a background command can be watched, written to and ended",
    async run(bench) {
      await using terminal = await bench.fresh();
      const child = await terminal.spawn(
        'echo ready; while read line; do echo "got $line"; done; echo over; exit 4',
        {},
      );
      let received = "";
      using _ = child.onOutput((piece) => void (received += piece));
      await until(() => child.output().text.includes("ready"));
      await child.write("first 'quoted' \\n 漢\n");
      await until(() => child.output().text.includes("got first"));
      await child.end();
      const end = await child.ended;
      assert.deepEqual([end.endedBy, end.exitCode], ["exit", 4]);
      assert.equal(child.output().text, "ready\ngot first 'quoted' n 漢\nover\n");
      assert.ok(received.includes("got first"));
    },
  },
  {
    id: "background-pid",
    says: "a background command's PID is that of a process in the environment, and killing it ends the command",
    async run(bench) {
      await using terminal = await bench.fresh();
      const child = await terminal.spawn("sleep 300", {});
      assert.ok(await alive(terminal, child.pid));
      await child.kill();
      await until(async () => !(await alive(terminal, child.pid)));
    },
  },
  {
    id: "background-free",
    says: "a background command does not block the terminal",
    async run(bench) {
      await using terminal = await bench.fresh();
      const child = await terminal.spawn("sleep 300", {});
      assert.equal((await terminal.run("echo free", options())).output, "free\n");
      await child.kill();
    },
  },
  {
    id: "background-kill-tree",
    says: "killing a background command kills its children",
    async run(bench) {
      await using terminal = await bench.fresh();
      const child = await terminal.spawn("sleep 300 & echo $! > child; wait", {});
      await until(() => wrote(terminal, "child"));
      await child.kill();
      assert.equal((await child.ended).endedBy, "killed");
      await gone(terminal, "child");
    },
  },
  {
    id: "background-newest",
    says: "a background command's output keeps the newest bytes",
    async run(bench) {
      await using terminal = await bench.fresh();
      const child = await terminal.spawn("seq 1 20000", { maxOutputBytes: 1_000 });
      await child.ended;
      const { text: saved, droppedBytes } = child.output();
      assert.ok(saved.endsWith("19999\n20000\n"));
      assert.ok(
        Buffer.byteLength(saved) <= 1_000 && droppedBytes >= 107_000,
        `kept ${saved.length}, dropped ${droppedBytes}`,
      );
    },
  },
  {
    id: "background-state",
    says: "a background command starts with the terminal's directory and exports, or in a given directory",
    async run(bench) {
      await using terminal = await bench.fresh();
      await terminal.run("mkdir in; cd in; export WORD=seen", options());
      const here = await terminal.spawn('echo "$WORD ${PWD##*/}"', {});
      const there = await terminal.spawn('echo "$WORD $PWD"', { cwd: "/" });
      await Promise.all([here.ended, there.ended]);
      assert.deepEqual([here.output().text, there.output().text], ["seen in\n", "seen /\n"]);
    },
  },
  {
    id: "background-long-input",
    says: "a background command gets all input, even if it reads slowly",
    async run(bench) {
      await using terminal = await bench.fresh();
      const child = await terminal.spawn("sleep 0.3; wc -c | tr -d ' '", {});
      await child.write("x".repeat(50_000));
      await child.end();
      await child.ended;
      assert.equal(child.output().text, "50000\n");
      await assert.rejects(child.write("more"));
    },
  },
  {
    id: "background-pty",
    says: "a background command can have a pseudo-terminal",
    async run(bench, skip) {
      await using terminal = await bench.fresh();
      if ((await terminal.run("command -v python3 || command -v script", options())).exitCode !== 0) {
        await assert.rejects(terminal.spawn("tty", { pty: true }), { name: "TerminalUnavailable" });
        return skip("neither python3 nor script here; the refusal was tested");
      }
      const child = await terminal.spawn(
        'test -t 0 && test -t 1 && echo terminal; stty size; read line; echo "got $line"',
        { pty: true },
      );
      await until(() => child.output().text.includes("30 120"));
      await child.write("typed\n");
      assert.equal((await child.ended).exitCode, 0);
      assert.match(child.output().text, /^terminal\r\n30 120\r\n[\s\S]*got typed\r\n$/);
    },
  },
  {
    id: "background-pty-resize",
    says: "a pseudo-terminal is resized, and its program is notified",
    async run(bench, skip) {
      await using terminal = await bench.fresh();
      if ((await terminal.run("command -v python3 || command -v script", options())).exitCode !== 0)
        return skip("neither python3 nor script here");
      const child = await terminal.spawn(
        "trap 'echo changed; stty size' WINCH; stty size; echo ready; until read -t 0.1 line; do :; done; echo \"got $line\"",
        { pty: true, size: { rows: 20, columns: 70 } },
      );
      await until(() => child.output().text.includes("20 70\r\nready"));
      await terminal.run("sleep 0", options());
      await child.resize!({ rows: 50, columns: 201 });
      await until(() => child.output().text.includes("changed\r\n50 201"));
      // The program handles the resize and continues.
      await child.write("typed\n");
      assert.equal((await child.ended).exitCode, 0);
      await child.resize!({ rows: 10, columns: 10 });
    },
  },
  {
    id: "background-ends-with-terminal",
    says: "closing a terminal ends its processes",
    async run(bench) {
      await using looker = await bench.fresh();
      let file = "";
      {
        await using terminal = await bench.fresh();
        file = `${terminal.cwd}/child`;
        const child = await terminal.spawn("echo $$ > child; sleep 300", {});
        await until(() => wrote(terminal, "child"));
        assert.ok(await alive(terminal, child.pid));
        if (bench.place.separate === true) await looker.files.write(file, (await terminal.files.read("child"))!);
      }
      await gone(looker, file);
    },
  },
];
