import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ended, options, until, type TerminalBehaviour } from "./bench.ts";

/** How a command's output is handled. */
export const OUTPUT: readonly TerminalBehaviour[] = [
  {
    id: "output-bounded",
    says: "long output keeps its head and tail, and states how much is missing",
    async run(bench) {
      await using terminal = await bench.fresh();
      const result = await terminal.run("seq 1 20000", options({ maxOutputBytes: 2_000 }));
      const whole = 108_894;
      assert.equal(result.exitCode, 0);
      assert.ok(result.output.startsWith("1\n2\n3\n"), "the head is kept");
      assert.ok(result.output.endsWith("19999\n20000\n"), "the tail is kept");
      assert.ok(
        Buffer.byteLength(result.output) <= 2_200,
        `kept ${Buffer.byteLength(result.output)} bytes of 2000 allowed`,
      );
      assert.ok(result.omittedBytes >= whole - 2_200 && result.omittedBytes < whole, `omitted ${result.omittedBytes}`);
    },
  },
  {
    id: "output-huge",
    says: "endless output uses bounded memory, and its head, tail and status are kept",
    async run(bench) {
      await using terminal = await bench.fresh();
      const bytes = bench.place.hugeBytes ?? 1_000_000_000;
      const before = process.memoryUsage().rss;
      const result = await terminal.run(
        `echo first; head -c ${bytes} /dev/zero; echo; echo last; exit 3`,
        options({ timeoutMs: 280_000, maxOutputBytes: 1_000 }),
      );
      assert.deepEqual([result.endedBy, result.exitCode], ["exit", 3]);
      assert.ok(result.output.startsWith("first\n") && result.output.endsWith("\nlast\n"));
      assert.equal(result.omittedBytes > bytes - 1_000, true);
      assert.ok(process.memoryUsage().rss - before < 150_000_000, `grew by ${process.memoryUsage().rss - before}`);
    },
  },
  {
    id: "output-file",
    says: "overlong output is saved in a file up to a limit, and short output creates none",
    async run(bench) {
      await using terminal = await bench.fresh();
      const folder = mkdtempSync(join(tmpdir(), "contract-output-"));
      try {
        const path = join(folder, "whole");
        const long = await terminal.run(
          "seq 1 20000",
          options({ maxOutputBytes: 1_000, spill: { path, maxBytes: 1_000_000 } }),
        );
        assert.deepEqual(long.spilled, { path, bytes: 108_894 });
        assert.equal(readFileSync(path, "utf8"), Array.from({ length: 20_000 }, (_, n) => `${n + 1}\n`).join(""));
        assert.equal(statSync(path).mode & 0o777, 0o600);
        const capped = await terminal.run(
          "seq 1 20000",
          options({ maxOutputBytes: 1_000, spill: { path: join(folder, "capped"), maxBytes: 10_000 } }),
        );
        assert.equal(capped.spilled?.bytes, 10_000);
        const short = await terminal.run(
          "echo short",
          options({ spill: { path: join(folder, "none"), maxBytes: 1_000_000 } }),
        );
        assert.equal(short.spilled, undefined);
        assert.throws(() => statSync(join(folder, "none")));
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  },
  {
    id: "output-binary",
    says: "binary output breaks neither the terminal nor the text around it",
    async run(bench) {
      await using terminal = await bench.fresh();
      assert.equal((await terminal.run("printf 'a\\0b\\001c'", options())).output, "a\0b\u0001c");
      const noise = await terminal.run(
        "echo start; head -c 300000 /dev/urandom; echo; echo end",
        options({ maxOutputBytes: 2_000 }),
      );
      assert.equal(noise.exitCode, 0);
      assert.ok(noise.output.startsWith("start\n") && noise.output.endsWith("\nend\n"));
      assert.equal((await terminal.run("echo still here", options())).output, "still here\n");
    },
  },
  {
    id: "output-whole-characters",
    says: "output is cut only between characters",
    async run(bench) {
      await using terminal = await bench.fresh();
      const { output } = await terminal.run(
        "for n in $(seq 1 400); do printf 漢; done",
        options({ maxOutputBytes: 100 }),
      );
      assert.match(output, /^漢+\n\n\[OUTPUT TRUNCATED[^\]]*\]\n\n漢+$/);
    },
  },
  {
    id: "output-live",
    says: "output is shown while it is written",
    async run(bench) {
      await using terminal = await bench.fresh();
      let seen = "";
      const running = terminal.run(
        "echo early; until [ -e go ]; do sleep 0.05; done; echo late",
        options({ onOutput: (piece) => void (seen += piece) }),
      );
      await until(() => seen.includes("early"));
      assert.ok(!seen.includes("late"));
      await terminal.files.write("go", new Uint8Array());
      assert.equal((await running).output, "early\nlate\n");
    },
  },
  {
    id: "end-not-held",
    says: "a command ends when it exits, even if another process still holds its output",
    async run(bench) {
      await using terminal = await bench.fresh();
      const result = await terminal.run("sleep 300 & echo done", options());
      assert.deepEqual(ended(result), ["exit", 0, "done\n"]);
    },
  },
  {
    id: "late-words-not-mixed",
    says: "later output of a left-behind process does not count as the next command's",
    async run(bench) {
      await using terminal = await bench.fresh();
      await terminal.run("(sleep 0.3; echo LATE; sleep 0.3; echo LATE; touch wrote) &", options());
      for (let round = 0; round < 4; round += 1) {
        assert.equal((await terminal.run("echo mine; sleep 0.2", options())).output, "mine\n");
      }
      await until(async () => (await terminal.files.stat("wrote")) !== undefined);
      assert.equal(
        (await terminal.run("ls wrote; echo end", options())).output,
        "wrote\nend\n",
        "it was not ended by a broken pipe either",
      );
    },
  },
];
