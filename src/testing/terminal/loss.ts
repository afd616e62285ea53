import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import type { Terminal } from "../../contract/providers/terminal.ts";
import { gone, options, text, until, wrote, type TerminalBehaviour } from "./bench.ts";

/** The way to the place, or the place itself, goes away. */
export const LOSS: readonly TerminalBehaviour[] = [
  // row 51 of the fault matrix
  {
    id: "lost-is-unknown",
    says: "a connection lost during a command is reported as lost, with the earlier output",
    needs: "cut",
    async run(bench) {
      await using terminal = await bench.fresh();
      const running = terminal.run("echo before; echo started > started; sleep 300", options());
      await begun(terminal);
      await bench.place.cut!(terminal);
      const result = await running;
      assert.deepEqual([result.endedBy, result.exitCode], ["lost", undefined]);
      assert.equal(result.output, "before\n");
      assert.ok((result.reason ?? "").length > 0, "the result has a reason");
    },
  },
  // row 51 of the fault matrix
  {
    id: "lost-not-run-again",
    says: "a command whose connection was lost is not repeated",
    needs: "cut",
    async run(bench) {
      await using terminal = await bench.fresh();
      const running = terminal.run("echo ran >> runs; echo started > started; sleep 300", options());
      await begun(terminal);
      await bench.place.cut!(terminal);
      await running;
      await terminal.run("true", options());
      await wait(300);
      assert.equal(text(await terminal.files.read("runs")), "ran\n");
    },
  },
  // row 51 of the fault matrix
  {
    id: "lost-then-on",
    says: "after a lost connection, the next command runs in the same directory with the exported variables",
    needs: "cut",
    async run(bench) {
      await using terminal = await bench.fresh();
      await terminal.run("mkdir in; cd in; export WORD=kept", options());
      const running = terminal.run("echo started > started; sleep 300", options());
      await begun(terminal);
      await bench.place.cut!(terminal);
      await running;
      assert.equal((await terminal.run('echo "$WORD ${PWD##*/}"', options())).output, "kept in\n");
    },
  },
  {
    id: "lost-idle",
    says: "a connection lost between two commands is restored without a message",
    needs: "cut",
    async run(bench) {
      await using terminal = await bench.fresh();
      await terminal.run("cd /; export WORD=kept", options());
      await bench.place.cut!(terminal);
      // An agent that has not noticed the loss would send the command to a lost environment.
      await wait(1_000);
      assert.equal((await terminal.run('echo "$WORD $PWD"', options())).output, "kept /\n");
    },
  },
  {
    id: "lost-ends-the-tree",
    says: "processes that ran when the connection was lost end in the environment",
    needs: "cut",
    async run(bench) {
      await using terminal = await bench.fresh();
      const running = terminal.run(
        "sh -c 'trap \"\" HUP; echo $$ > child; echo started > started; sleep 300'",
        options(),
      );
      await begun(terminal);
      await bench.place.cut!(terminal);
      await running;
      await gone(terminal, "child");
    },
  },
  {
    id: "lost-background",
    says: "a background command is reported as lost when its connection is lost",
    needs: "cut",
    async run(bench) {
      await using terminal = await bench.fresh();
      const child = await terminal.spawn("echo ready; sleep 300", {});
      await until(() => child.output().text === "ready\n");
      await bench.place.cut!(terminal);
      assert.equal((await child.ended).endedBy, "lost");
    },
  },
  // row 52 of the fault matrix
  {
    id: "removed-is-said",
    says: "a removed terminal environment is reported, and the next call creates it again",
    needs: "remove",
    async run(bench) {
      await using terminal = await bench.fresh();
      await terminal.run("export WORD=lost", options());
      await bench.place.remove!(terminal);
      await wait(1_000);
      await assert.rejects(terminal.run("echo hello", options()), { name: "TerminalUnavailable" });
      assert.equal((await terminal.run('echo "hello [$WORD]"', options())).output, "hello []\n");
    },
  },
  // row 52 of the fault matrix
  {
    id: "removed-mid-command",
    says: "an environment removed during a command is reported as lost, and a later call creates it again",
    needs: "remove",
    async run(bench) {
      await using terminal = await bench.fresh();
      const running = terminal.run("echo before; echo started > started; sleep 300", options());
      await begun(terminal);
      await bench.place.remove!(terminal);
      assert.equal((await running).endedBy, "lost");
      await terminal
        .run("true", options())
        .catch((error: unknown) => assert.equal((error as Error).name, "TerminalUnavailable"));
      assert.equal((await terminal.run("echo again", options())).output, "again\n");
    },
  },
];

/** The command has written its first output to the file `started`. */
async function begun(terminal: Terminal): Promise<void> {
  await until(() => wrote(terminal, "started"));
}
