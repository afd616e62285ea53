import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { RunOptions, Terminal, TerminalBackend } from "../contract/terminal.ts";

/**
 * What every terminal backend promises, as tests. Call it at the top of a backend's `.io.test.ts`; it makes its own directory with
 * `mktemp -d` inside the terminal and removes it.
 * @param makeBackend Called once; the suite disposes what it returns.
 */
export function terminalContract(name: string, makeBackend: () => TerminalBackend | Promise<TerminalBackend>): void {
  describe(`terminal contract: ${name}`, { timeout: 120_000 }, () => {
    let backend: TerminalBackend;
    let root = "";
    let count = 0;

    before(async () => {
      backend = await makeBackend();
      const terminal = await backend.open({ key: "contract-root" }, never());
      root = (await terminal.run("cd \"$(mktemp -d)\" && pwd -P", options())).output.trim();
      assert.match(root, /^\//, "the terminal must be able to make a directory");
    });

    after(async () => {
      const terminal = await backend.open({ key: "contract-root" }, never());
      if (root !== "") await terminal.run(`cd / && rm -rf -- '${root}'`, options());
      await backend[Symbol.asyncDispose]();
    });

    /** A terminal and a directory that no other test of the suite sees. */
    async function fresh(): Promise<Terminal> {
      const key = `contract-${++count}`;
      const first = await backend.open({ key: "contract-root" }, never());
      await first.run(`mkdir -p '${root}/${key}'`, options());
      return backend.open({ key, cwd: `${root}/${key}` }, never());
    }

    test("a command's exit status and words come back as it wrote them", async () => {
      await using terminal = await fresh();
      const ok = await terminal.run("printf 'no newline at the end'", options());
      assert.deepEqual([ok.endedBy, ok.exitCode, ok.output, ok.omittedBytes], ["exit", 0, "no newline at the end", 0]);
      const failed = await terminal.run("echo before; false", options());
      assert.deepEqual([failed.endedBy, failed.exitCode, failed.output], ["exit", 1, "before\n"]);
      assert.equal((await terminal.run("no-such-program-here", options())).exitCode, 127);
      assert.ok(ok.durationMs >= 0);
    });

    test("output and errors are interleaved in the order of writing", async () => {
      await using terminal = await fresh();
      const result = await terminal.run("echo one; echo two >&2; echo three; sh -c 'echo four >&2'", options());
      assert.equal(result.output, "one\ntwo\nthree\nfour\n");
    });

    test("words in any script, quotes and several lines survive", async () => {
      await using terminal = await fresh();
      const result = await terminal.run("cat <<'END'\n\"quoted\" 'single' $HOME `x` ü 漢字 🦀\nsecond\nEND", options());
      assert.equal(result.output, "\"quoted\" 'single' $HOME `x` ü 漢字 🦀\nsecond\n");
    });

    test("a command that the shell cannot parse fails and the terminal goes on", async () => {
      await using terminal = await fresh();
      const broken = await terminal.run("echo \"never closed", options({ timeoutMs: 5_000 }));
      assert.equal(broken.endedBy, "exit");
      assert.notEqual(broken.exitCode, 0);
      assert.equal((await terminal.run("echo still here", options())).output, "still here\n");
    });

    test("a command that leaves the shell does not take the terminal with it", async () => {
      await using terminal = await fresh();
      const left = await terminal.run("echo bye; exit 7", options());
      assert.deepEqual([left.endedBy, left.exitCode, left.output], ["exit", 7, "bye\n"]);
      const killed = await terminal.run("kill -9 $$", options());
      assert.ok(killed.endedBy === "signal" || killed.exitCode === 137, `ended by ${killed.endedBy} ${killed.exitCode}`);
      assert.equal((await terminal.run("echo still here", options())).output, "still here\n");
    });

    test("long output keeps its head and its tail and says how much is missing", async () => {
      await using terminal = await fresh();
      const result = await terminal.run("seq 1 20000", options({ maxOutputBytes: 2_000 }));
      const whole = 108_894;
      assert.equal(result.exitCode, 0);
      assert.ok(result.output.startsWith("1\n2\n3\n"), "the head is kept");
      assert.ok(result.output.endsWith("19999\n20000\n"), "the tail is kept");
      assert.ok(Buffer.byteLength(result.output) <= 2_200, `kept ${Buffer.byteLength(result.output)} bytes of 2000 allowed`);
      assert.ok(result.omittedBytes >= whole - 2_200 && result.omittedBytes < whole, `omitted ${result.omittedBytes}`);
    });

    test("a time-out ends the command and everything it started", async () => {
      await using terminal = await fresh();
      const startedAt = performance.now();
      const result = await terminal.run("sh -c 'trap \"\" TERM; echo $$ > parent; sleep 300 & echo $! > child; wait; sleep 300'", options({ timeoutMs: 400 }));
      assert.equal(result.endedBy, "timeout");
      assert.equal(result.exitCode, undefined);
      assert.ok(performance.now() - startedAt < 10_000, "the wait is bounded");
      await gone(terminal, "parent");
      await gone(terminal, "child");
      assert.equal((await terminal.run("echo still here", options())).output, "still here\n");
    });

    test("a time-out reaches a grandchild that made its own session", async (t) => {
      await using terminal = await fresh();
      if ((await terminal.run("command -v setsid", options())).exitCode !== 0) return t.skip("no setsid here");
      await terminal.run("setsid sh -c 'echo $$ > grandchild; sleep 300' & sleep 300", options({ timeoutMs: 800 }));
      await gone(terminal, "grandchild");
    });

    test("what was written before a time-out is kept", async () => {
      await using terminal = await fresh();
      const result = await terminal.run("echo first words; sleep 300", options({ timeoutMs: 500 }));
      assert.equal(result.endedBy, "timeout");
      assert.match(result.output, /^first words\n/);
    });

    test("a cancelled command ends at once, and one cancelled before it starts never runs", async () => {
      await using terminal = await fresh();
      const stop = new AbortController();
      const running = terminal.run("sleep 300", options({ signal: stop.signal }));
      await wait(150);
      const askedAt = performance.now();
      stop.abort();
      assert.equal((await running).endedBy, "cancelled");
      assert.ok(performance.now() - askedAt < 3_000, "cancelling is quick");
      assert.equal((await terminal.run("touch made", options({ signal: AbortSignal.abort() }))).endedBy, "cancelled");
      assert.equal(await terminal.files.stat("made"), undefined);
    });

    test("directory and environment last from one command to the next", async () => {
      await using terminal = await fresh();
      const start = terminal.cwd;
      await terminal.run("mkdir deeper && cd deeper && export CONTRACT_WORD='two words' && greet() { echo hi; }", options());
      assert.equal(terminal.cwd, `${start}/deeper`);
      assert.equal((await terminal.run("pwd; echo \"$CONTRACT_WORD\"", options())).output, `${start}/deeper\ntwo words\n`);
      await terminal.run("cd .. && false", options());
      assert.equal(terminal.cwd, start, "a failing command moves too");
    });

    test("a directory for one command does not move the terminal", async () => {
      await using terminal = await fresh();
      const start = terminal.cwd;
      assert.equal((await terminal.run("pwd", options({ cwd: "/" }))).output, "/\n");
      assert.equal(terminal.cwd, start);
      assert.equal((await terminal.run("pwd", options())).output, `${start}\n`);
    });

    test("one key is one terminal, and two keys share nothing", async () => {
      await using first = await fresh();
      await using second = await fresh();
      await first.run("export CONTRACT_SECRET=1; mkdir -p here && cd here", options());
      assert.equal((await second.run("echo \"[$CONTRACT_SECRET]\"", options())).output, "[]\n");
      assert.notEqual(second.cwd, first.cwd);
      const again = await backend.open({ key: first.key }, never());
      assert.equal((await again.run("echo \"$CONTRACT_SECRET\"", options())).output, "1\n");
      assert.equal(again.cwd, first.cwd);
    });

    test("commands beside each other run at the same time, see the terminal's state and change none of it", async () => {
      await using terminal = await fresh();
      await terminal.run("mkdir in && cd in && export CONTRACT_WORD=seen", options());
      const startedAt = performance.now();
      const results = await Promise.all([1, 2, 3, 4].map((n) => terminal.run(`sleep 0.6; echo ${n} "$CONTRACT_WORD" "\${PWD##*/}"; cd /; export CONTRACT_WORD=${n}`, options({ beside: true }))));
      const tookMs = performance.now() - startedAt;
      assert.deepEqual(results.map((result) => result.output), [1, 2, 3, 4].map((n) => `${n} seen in\n`));
      assert.ok(tookMs < 1_900, `four of 0.6 s took ${Math.round(tookMs)} ms`);
      assert.equal((await terminal.run("echo \"$CONTRACT_WORD\" \"${PWD##*/}\"", options())).output, "seen in\n");
    });

    test("commands that do not run beside others wait for their turn", async () => {
      await using terminal = await fresh();
      await Promise.all([terminal.run("sleep 0.3; echo one >> order", options()), terminal.run("echo two >> order", options())]);
      assert.equal(text(await terminal.files.read("order")), "one\ntwo\n");
    });

    test("a command reads what it is given, and the end of input when it is given nothing", async () => {
      await using terminal = await fresh();
      assert.equal((await terminal.run("cat", options({ stdin: "line one\nline 'two'" }))).output, "line one\nline 'two'");
      assert.equal((await terminal.run("cat; echo done", options())).output, "done\n");
      const bytes = Uint8Array.from([0, 1, 2, 255, 254, 10]);
      await terminal.run("cat > bytes", options({ stdin: bytes }));
      assert.deepEqual([...(await terminal.files.read("bytes"))!], [...bytes]);
    });

    test("output is shown while it is written", async () => {
      await using terminal = await fresh();
      let seen = "";
      const running = terminal.run("echo early; sleep 0.5; echo late", options({ onOutput: (piece) => void (seen += piece) }));
      await until(() => seen.includes("early"));
      assert.ok(!seen.includes("late"));
      assert.equal((await running).output, "early\nlate\n");
    });

    test("a file comes back byte for byte, with its parents made and its mode kept", async () => {
      await using terminal = await fresh();
      const bytes = Uint8Array.from({ length: 70_000 }, (_, n) => n % 256);
      await terminal.files.write("a/b/data.bin", bytes);
      assert.deepEqual(Buffer.from((await terminal.files.read("a/b/data.bin"))!), Buffer.from(bytes));
      assert.deepEqual([...(await terminal.files.read("a/b/data.bin", { from: 254, bytes: 4 }))!], [254, 255, 0, 1]);
      assert.equal((await terminal.files.read("a/b/data.bin", { from: 69_999, bytes: 100 }))!.length, 1);
      await terminal.run("chmod 750 a/b/data.bin", options());
      await terminal.files.write("a/b/data.bin", Buffer.from("new"));
      const stat = await terminal.files.stat("a/b/data.bin");
      assert.deepEqual([stat?.kind, stat?.bytes, (stat?.mode ?? 0) & 0o777], ["file", 3, 0o750]);
      assert.deepEqual((await terminal.files.list("a/b")).map((entry) => [entry.name, entry.kind]), [["data.bin", "file"]], "nothing is left beside it");
    });

    test("names with spaces, quotes, dashes and line ends are only names", async () => {
      await using terminal = await fresh();
      for (const name of ["two words", "it's", "-rf", "a\nb", "$(touch gotcha)", "ü漢"]) {
        await terminal.files.write(name, Buffer.from(name));
        assert.equal(text(await terminal.files.read(name)), name);
      }
      assert.equal(await terminal.files.stat("gotcha"), undefined);
      assert.equal((await terminal.files.list(".")).length, 6);
    });

    test("a file that changed since it was looked at is not written over", async () => {
      await using terminal = await fresh();
      await terminal.files.write("shared", Buffer.from("first"));
      const seen = (await terminal.files.stat("shared"))!;
      await terminal.files.write("shared", Buffer.from("second"), seen);
      await assert.rejects(terminal.files.write("shared", Buffer.from("third"), seen), { name: "ToolFailure", code: "conflict" });
      await assert.rejects(terminal.files.write("shared", Buffer.from("third"), "absent"), { name: "ToolFailure", code: "conflict" });
      assert.equal(text(await terminal.files.read("shared")), "second");
      await terminal.files.write("brand-new", Buffer.from("x"), "absent");
    });

    test("what does not exist is said so, and only regular files are read", async () => {
      await using terminal = await fresh();
      assert.equal(await terminal.files.read("missing"), undefined);
      assert.equal(await terminal.files.stat("missing"), undefined);
      await terminal.run("mkdir folder", options());
      assert.equal((await terminal.files.stat("folder"))?.kind, "directory");
      await assert.rejects(terminal.files.read("folder"), { name: "ToolFailure" });
      await terminal.run("mkfifo pipe", options());
      await assert.rejects(terminal.files.read("pipe"), { name: "ToolFailure" });
    });

    test("files are moved, removed and listed, and a move never writes over another", async () => {
      await using terminal = await fresh();
      await terminal.files.write("one", Buffer.from("1"));
      await terminal.files.write("two", Buffer.from("2"));
      await assert.rejects(terminal.files.move("one", "two"), { name: "ToolFailure" });
      await terminal.files.move("one", "three");
      await terminal.files.remove("two");
      assert.deepEqual((await terminal.files.list(".")).map((entry) => entry.name), ["three"]);
    });

    test("relative paths start where the terminal is, and links are followed", async () => {
      await using terminal = await fresh();
      await terminal.run("mkdir real && ln -s real link && cd real", options());
      await terminal.files.write("note", Buffer.from("here"));
      assert.equal((await terminal.run("cat note", options())).output, "here");
      assert.equal(await terminal.files.resolve("../link/note"), await terminal.files.resolve("note"));
      assert.equal(await terminal.files.resolve("../link/not-there-yet"), `${terminal.cwd}/not-there-yet`);
    });

    test("a background command can be watched, written to and ended", async () => {
      await using terminal = await fresh();
      const child = await terminal.spawn("echo ready; while read line; do echo \"got $line\"; done; echo over; exit 4", {});
      let heard = "";
      using _ = child.onOutput((piece) => void (heard += piece));
      await until(() => child.output().text.includes("ready"));
      await child.write("first\n");
      await until(() => child.output().text.includes("got first"));
      await child.end();
      const ended = await child.ended;
      assert.deepEqual([ended.endedBy, ended.exitCode], ["exit", 4]);
      assert.equal(child.output().text, "ready\ngot first\nover\n");
      assert.ok(heard.includes("got first"));
    });

    test("a background command does not hold up the terminal, and killing it takes its children", async () => {
      await using terminal = await fresh();
      const child = await terminal.spawn("sleep 300 & echo $! > child; wait", {});
      await until(async () => (text(await terminal.files.read("child")) ?? "").trim() !== "");
      assert.equal((await terminal.run("echo free", options())).output, "free\n");
      await child.kill();
      assert.equal((await child.ended).endedBy, "killed");
      await gone(terminal, "child");
    });

    test("a background command's output keeps the newest bytes", async () => {
      await using terminal = await fresh();
      const child = await terminal.spawn("seq 1 20000", { maxOutputBytes: 1_000 });
      await child.ended;
      const { text: kept, droppedBytes } = child.output();
      assert.ok(kept.endsWith("19999\n20000\n"));
      assert.ok(Buffer.byteLength(kept) <= 1_000 && droppedBytes >= 107_000, `kept ${kept.length}, dropped ${droppedBytes}`);
    });

    test("no listener is left on the signal of a command that ended", async () => {
      await using terminal = await fresh();
      const stop = new AbortController();
      await terminal.run("true", options({ signal: stop.signal }));
      await terminal.run("true", options({ signal: stop.signal, beside: true }));
      assert.equal(getEventListeners(stop.signal, "abort").length, 0);
    });
  });
}

function options(more: Partial<RunOptions> = {}): RunOptions {
  return { signal: never(), timeoutMs: 30_000, ...more };
}

function never(): AbortSignal {
  return new AbortController().signal;
}

function text(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes).toString("utf8");
}

/** The process whose id is in `file` ends within two seconds. */
async function gone(terminal: Terminal, file: string): Promise<void> {
  const id = text(await terminal.files.read(file))?.trim() ?? "";
  assert.match(id, /^\d+$/, `${file} holds a process id`);
  // A killed process whose parent has not collected it yet still has an id; Z and X are as good as gone.
  const alive = `s=$(ps -o stat= -p ${id} 2>/dev/null); case "$s" in ""|Z*|X*) echo gone;; *) echo alive;; esac`;
  await until(async () => (await terminal.run(alive, options())).output.trim() === "gone", 2_500, `process ${id} (${file}) is still there`);
}

async function until(holds: () => boolean | Promise<boolean>, forMs = 5_000, message = "did not happen in time"): Promise<void> {
  const startedAt = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedAt > forMs) assert.fail(message);
    await wait(20);
  }
}
