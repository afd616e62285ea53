import assert from "node:assert/strict";
import { ended, options, type TerminalBehaviour } from "./bench.ts";

/** How a command reaches its shell, and how its end is reported. */
export const COMMANDS: readonly TerminalBehaviour[] = [
  {
    id: "exit-success",
    says: "a command's output comes back unchanged, with status 0",
    async run(bench) {
      await using terminal = await bench.fresh();
      const result = await terminal.run("printf 'no newline at the end'", options());
      assert.deepEqual(ended(result), ["exit", 0, "no newline at the end"]);
      assert.equal(result.omittedBytes, 0);
      assert.ok(result.durationMs >= 0);
    },
  },
  {
    id: "exit-failure",
    says: "a failing command returns its status and its earlier output",
    async run(bench) {
      await using terminal = await bench.fresh();
      assert.deepEqual(ended(await terminal.run("echo before; false", options())), ["exit", 1, "before\n"]);
    },
  },
  {
    id: "exit-any-status",
    says: "every status from 0 to 255 is returned unchanged",
    async run(bench) {
      await using terminal = await bench.fresh();
      for (const status of [0, 2, 42, 124, 130, 137, 254, 255])
        assert.equal((await terminal.run(`sh -c 'exit ${status}'`, options())).exitCode, status);
    },
  },
  {
    id: "missing-program",
    says: "a program that does not exist is a result, not an exception",
    async run(bench) {
      await using terminal = await bench.fresh();
      const result = await terminal.run("no-such-program-here --now", options());
      assert.deepEqual([result.endedBy, result.exitCode], ["exit", 127]);
      assert.match(result.output, /no-such-program-here/);
    },
  },
  {
    id: "not-executable",
    says: "a file that may not be run is a result with status 126",
    async run(bench) {
      await using terminal = await bench.fresh();
      assert.equal((await terminal.run("echo x > plain; chmod 600 plain; ./plain", options())).exitCode, 126);
    },
  },
  {
    id: "output-order",
    says: "output and errors are interleaved in the order of writing",
    async run(bench) {
      await using terminal = await bench.fresh();
      assert.equal(
        (await terminal.run("echo one; echo two >&2; echo three; sh -c 'echo four >&2'", options())).output,
        "one\ntwo\nthree\nfour\n",
      );
    },
  },
  {
    id: "no-output",
    says: "a command that writes nothing has no output",
    async run(bench) {
      await using terminal = await bench.fresh();
      assert.deepEqual(ended(await terminal.run("true", options())), ["exit", 0, ""]);
      assert.deepEqual(ended(await terminal.run("# only words", options())), ["exit", 0, ""]);
    },
  },
  {
    id: "here-document",
    says: "a here-document arrives line by line",
    async run(bench) {
      await using terminal = await bench.fresh();
      assert.equal(
        (await terminal.run("cat <<'END'\nfirst $HOME\n\tsecond `x`\nEND\necho after", options())).output,
        "first $HOME\n\tsecond `x`\nafter\n",
      );
    },
  },
  {
    id: "unicode",
    says: "text in any script passes unchanged in both directions",
    async run(bench) {
      await using terminal = await bench.fresh();
      assert.equal((await terminal.run("printf '%s' 'ü 漢字 🦀 ‮ עברית'", options())).output, "ü 漢字 🦀 ‮ עברית");
    },
  },
  {
    id: "quoting",
    says: "quotes, dollars, backslashes and exclamation marks reach the command unchanged",
    async run(bench) {
      await using terminal = await bench.fresh();
      assert.equal(
        (await terminal.run("printf '%s|' 'a\"b' \"c'd\" 'e\\f' \"g\\$h\" 'i!j' $'k\\tl' '%s'", options())).output,
        "a\"b|c'd|e\\f|g$h|i!j|k\tl|%s|",
      );
    },
  },
  {
    id: "script",
    says: "a script of many lines runs as one command",
    async run(bench) {
      await using terminal = await bench.fresh();
      assert.equal(
        (await terminal.run('total=0\nfor n in 1 2 3; do\n  total=$((total + n))\ndone\n\necho "$total"', options()))
          .output,
        "6\n",
      );
    },
  },
  {
    id: "unparsable",
    says: "a command that the shell cannot parse fails, and the terminal continues",
    async run(bench) {
      await using terminal = await bench.fresh();
      const broken = await terminal.run('echo "never closed', options());
      assert.equal(broken.endedBy, "exit");
      assert.notEqual(broken.exitCode, 0);
      assert.equal((await terminal.run("echo still here", options())).output, "still here\n");
    },
  },
  {
    id: "zero-byte",
    says: "a command with a zero byte is refused as a result",
    async run(bench) {
      await using terminal = await bench.fresh();
      assert.deepEqual(ended(await terminal.run("echo a\0b", options())), ["exit", 2, ""]);
    },
  },
  {
    id: "large-argument",
    says: "an argument of 100 000 bytes arrives whole",
    async run(bench) {
      await using terminal = await bench.fresh();
      assert.equal(
        (await terminal.run(`sh -c 'printf %s "$1" | wc -c' sh '${"x".repeat(100_000)}' | tr -d ' '`, options()))
          .output,
        "100000\n",
      );
    },
  },
  {
    id: "long-command",
    says: "a command of 200 000 bytes with any characters arrives unchanged",
    async run(bench) {
      await using terminal = await bench.fresh();
      const long = "x'\"\\$`é\n".repeat(22_000);
      assert.equal(
        (await terminal.run(`cat <<'END_OF_IT'\n${long}END_OF_IT`, options({ maxOutputBytes: 400_000 }))).output,
        long,
      );
    },
  },
  {
    id: "exit-goes-on",
    says: "a command that exits the shell does not end the terminal",
    async run(bench) {
      await using terminal = await bench.fresh();
      assert.deepEqual(ended(await terminal.run("export KEPT=1; echo bye; exit 7", options())), ["exit", 7, "bye\n"]);
      assert.equal((await terminal.run('echo "$KEPT"', options())).output, "1\n");
    },
  },
  {
    id: "errexit-goes-on",
    says: "`set -e` ends only its own command",
    async run(bench) {
      await using terminal = await bench.fresh();
      const result = await terminal.run("set -eu; false; echo no", options());
      assert.deepEqual([result.exitCode, result.output], [1, ""]);
      assert.equal((await terminal.run('false; echo "$UNSET_HERE."', options())).output, ".\n");
    },
  },
  {
    id: "killed-shell-goes-on",
    says: "a killed shell is replaced for the next command",
    async run(bench) {
      await using terminal = await bench.fresh();
      const killed = await terminal.run("echo last; kill -9 $$", options());
      assert.ok(
        killed.endedBy === "signal" || killed.exitCode === 137,
        `ended by ${killed.endedBy} ${killed.exitCode}`,
      );
      assert.equal(killed.output, "last\n");
      assert.equal((await terminal.run("echo still here", options())).output, "still here\n");
    },
  },
  {
    id: "replaced-shell-goes-on",
    says: "exec ends the command, and exported variables survive",
    async run(bench) {
      await using terminal = await bench.fresh();
      await terminal.run("export WORD=kept; cd /", options());
      assert.deepEqual(ended(await terminal.run("exec echo replaced", options())), ["exit", 0, "replaced\n"]);
      assert.equal((await terminal.run('echo "$WORD $PWD"', options())).output, "kept /\n");
    },
  },
];
