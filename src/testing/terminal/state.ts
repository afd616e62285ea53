import assert from "node:assert/strict";
import { never, options, text, type TerminalBehaviour } from "./bench.ts";

/** State between commands: what persists, what is shared, and what a command reads. */
export const STATE: readonly TerminalBehaviour[] = [
  {
    id: "directory-lasts",
    says: "the directory persists between commands, also after a failed one",
    async run(bench) {
      await using terminal = await bench.fresh();
      const start = terminal.cwd;
      await terminal.run("mkdir deeper && cd deeper", options());
      assert.equal(terminal.cwd, `${start}/deeper`);
      assert.equal((await terminal.run("pwd", options())).output, `${start}/deeper\n`);
      await terminal.run("cd .. && false", options());
      assert.equal(terminal.cwd, start);
    },
  },
  {
    // field: F12
    id: "directory-made-again",
    says: "commands run in a folder that was deleted and recreated at the same path",
    async run(bench) {
      await using terminal = await bench.fresh();
      const folder = `${terminal.cwd}/again`;
      await terminal.run("mkdir again && cd again && touch old", options());
      await terminal.run(`rm -rf ${folder} && mkdir ${folder} && touch ${folder}/new`, options({ cwd: "/" }));
      assert.equal((await terminal.run("ls; touch mine; pwd -P", options())).output, `new\n${folder}\n`);
      assert.equal((await terminal.run(`ls ${folder}`, options({ cwd: "/" }))).output, "mine\nnew\n");
      await terminal.run(
        `mv ${folder} ${folder}.old && mkdir ${folder} && touch ${folder}/third`,
        options({ cwd: "/" }),
      );
      assert.equal((await terminal.run("ls", options({ beside: true }))).output, "third\n", "in a copy of the shell");
      await terminal.run(`rm -rf ${folder}`, options({ cwd: "/" }));
      assert.equal((await terminal.run("echo still here", options())).output, "still here\n", "while it is gone");
    },
  },
  {
    id: "exports-last",
    says: "exported variables persist, also with spaces, quotes and line ends",
    async run(bench) {
      await using terminal = await bench.fresh();
      await terminal.run("export ONE='two words' TWO=$'line\\nend' THREE=\"it's\"", options());
      assert.equal(
        (await terminal.run('printf \'%s|\' "$ONE" "$TWO" "$THREE"', options())).output,
        "two words|line\nend|it's|",
      );
      await terminal.run("unset ONE", options());
      assert.equal((await terminal.run('echo "[$ONE]"', options())).output, "[]\n");
    },
  },
  {
    id: "functions-last",
    says: "functions, aliases and unexported variables persist",
    async run(bench) {
      await using terminal = await bench.fresh();
      await terminal.run("plain=1; list=(a 'b c'); greet() { echo \"hello $1\"; }; alias ll='echo listed'", options());
      assert.equal(
        (await terminal.run('echo "$plain ${list[1]}"; greet you; ll', options())).output,
        "1 b c\nhello you\nlisted\n",
      );
    },
  },
  {
    id: "directory-once",
    says: "a directory for one command does not change the terminal's directory",
    async run(bench) {
      await using terminal = await bench.fresh();
      const start = terminal.cwd;
      assert.equal((await terminal.run("pwd", options({ cwd: "/" }))).output, "/\n");
      assert.equal(terminal.cwd, start);
      assert.equal((await terminal.run("pwd", options())).output, `${start}\n`);
    },
  },
  {
    id: "directory-missing",
    says: "a directory that does not exist is a result with status 126, and the command does not run",
    async run(bench) {
      await using terminal = await bench.fresh();
      const result = await terminal.run("touch ran", options({ cwd: "not/there" }));
      assert.deepEqual([result.endedBy, result.exitCode], ["exit", 126]);
      assert.equal(await terminal.files.stat("ran"), undefined);
    },
  },
  {
    id: "directory-spaces",
    says: "a directory name may contain spaces, quotes and any script",
    async run(bench) {
      await using terminal = await bench.fresh();
      const name = "two words 'and' \"quotes\" $HOME 漢";
      const quoted = `'${name.replaceAll("'", "'\\''")}'`;
      await terminal.run(`mkdir ${quoted}; cd ${quoted}; echo here > note`, options());
      assert.ok(terminal.cwd.endsWith(name), terminal.cwd);
      assert.equal((await terminal.run("cat note", options())).output, "here\n");
      assert.equal((await terminal.run("cat note", options({ beside: true }))).output, "here\n");
      assert.equal(text(await terminal.files.read("note")), "here\n");
      assert.equal((await terminal.run("cat note", options({ cwd: terminal.cwd }))).output, "here\n");
    },
  },
  {
    id: "directory-gone",
    says: "if the start directory is missing, the terminal starts in its nearest existing parent",
    async run(bench) {
      await using terminal = await bench.backend.open(
        { key: "contract-gone", cwd: `${bench.root}/not/there` },
        never(),
      );
      const { output } = await terminal.run("pwd -P", options());
      // If each key has separate files, the suite's directory is missing too.
      if (bench.place.separate === true) assert.ok(`${bench.root}/not/there`.startsWith(output.trim()), output);
      else assert.equal(output, `${bench.root}\n`);
    },
  },
  {
    id: "one-key-one-terminal",
    says: "opening a key again returns the same terminal",
    async run(bench) {
      await using terminal = await bench.fresh();
      await terminal.run("export WORD=1; cd /", options());
      const again = await bench.backend.open({ key: terminal.key }, never());
      assert.equal((await again.run('echo "$WORD"', options())).output, "1\n");
      assert.equal(again.cwd, "/");
    },
  },
  {
    id: "keys-share-nothing",
    says: "two keys share neither directory nor environment",
    async run(bench) {
      await using first = await bench.fresh();
      await using second = await bench.fresh();
      await first.run("export CONTRACT_WORD=1; mkdir -p here && cd here", options());
      assert.equal((await second.run('echo "[$CONTRACT_WORD]"', options())).output, "[]\n");
      assert.notEqual(second.cwd, first.cwd);
    },
  },
  {
    id: "agent-secrets-stay",
    says: "the environment of commands does not contain the agent's keys",
    async run(bench) {
      process.env["CONTRACT_API_KEY"] = "sk-contract-secret";
      try {
        await using terminal = await bench.backend.open({ key: "contract-secrets" }, never());
        assert.ok(
          !(await terminal.run("env", options({ maxOutputBytes: 1_000_000 }))).output.includes("sk-contract-secret"),
        );
        const child = await terminal.spawn("env", {});
        await child.ended;
        assert.ok(!child.output().text.includes("sk-contract-secret"));
      } finally {
        delete process.env["CONTRACT_API_KEY"];
      }
    },
  },
  {
    id: "beside-at-once",
    says: "parallel commands run at the same time",
    async run(bench) {
      await using terminal = await bench.fresh();
      const met = [1, 2, 3, 4].map((n) => `[ -e ${n} ]`).join(" && ");
      const results = await Promise.all(
        [1, 2, 3, 4].map((n) =>
          terminal.run(`touch ${n}; until ${met}; do sleep 0.05; done; echo ${n}`, options({ beside: true })),
        ),
      );
      assert.deepEqual(
        results.map((result) => result.output),
        ["1\n", "2\n", "3\n", "4\n"],
        "each of them saw the others",
      );
    },
  },
  {
    id: "beside-sees",
    says: "a parallel command gets the terminal's directory and exported variables, also while the terminal is busy",
    async run(bench) {
      await using terminal = await bench.fresh();
      await terminal.run("mkdir in && cd in && export CONTRACT_WORD=seen", options());
      assert.equal(
        (await terminal.run('echo "$CONTRACT_WORD ${PWD##*/}"', options({ beside: true }))).output,
        "seen in\n",
      );
      const long = terminal.run("until [ -e go ]; do sleep 0.05; done; cd /", options());
      assert.equal(
        (await terminal.run('echo "$CONTRACT_WORD ${PWD##*/}"', options({ beside: true }))).output,
        "seen in\n",
      );
      await terminal.files.write("go", new Uint8Array());
      await long;
    },
  },
  {
    id: "beside-changes-nothing",
    says: "a parallel command changes neither directory nor environment",
    async run(bench) {
      await using terminal = await bench.fresh();
      const start = terminal.cwd;
      await terminal.run("export CONTRACT_WORD=kept", options());
      await Promise.all(
        [1, 2].map((n) => terminal.run(`cd /; export CONTRACT_WORD=${n}; exit 3`, options({ beside: true }))),
      );
      assert.equal(terminal.cwd, start);
      assert.equal((await terminal.run('echo "$CONTRACT_WORD $PWD"', options())).output, `kept ${start}\n`);
    },
  },
  {
    id: "beside-many",
    says: "thirty parallel commands have separate output",
    async run(bench) {
      await using terminal = await bench.fresh();
      const results = await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          terminal.run(`for i in 1 2 3 4 5; do echo ${n}; done; exit ${n}`, options({ beside: true })),
        ),
      );
      assert.deepEqual(
        results.map((result) => [result.exitCode, result.output]),
        Array.from({ length: 30 }, (_, n) => [n, `${n}\n`.repeat(5)]),
      );
    },
  },
  {
    id: "turns",
    says: "commands that are not parallel wait for their turn",
    async run(bench) {
      await using terminal = await bench.fresh();
      await Promise.all([
        terminal.run("sleep 0.3; echo one >> order", options()),
        terminal.run("echo two >> order", options()),
      ]);
      assert.equal(text(await terminal.files.read("order")), "one\ntwo\n");
    },
  },
  {
    id: "stdin-text",
    says: "a command reads text input",
    async run(bench) {
      await using terminal = await bench.fresh();
      assert.equal(
        (await terminal.run("cat", options({ stdin: "line one\nline 'two' %s \\n" }))).output,
        "line one\nline 'two' %s \\n",
      );
      assert.equal((await terminal.run("cat", options({ stdin: "beside", beside: true }))).output, "beside");
    },
  },
  {
    id: "stdin-empty",
    says: "a command without input reads the end of input",
    async run(bench) {
      await using terminal = await bench.fresh();
      assert.equal((await terminal.run("cat; echo done", options())).output, "done\n");
    },
  },
  {
    id: "stdin-bytes",
    says: "a command reads binary input unchanged",
    async run(bench) {
      await using terminal = await bench.fresh();
      const bytes = Uint8Array.from({ length: 256 }, (_, n) => n);
      await terminal.run("cat > bytes", options({ stdin: bytes }));
      assert.deepEqual([...(await terminal.files.read("bytes"))!], [...bytes]);
    },
  },
  {
    id: "stdin-large",
    says: "a command reads two million bytes of input",
    async run(bench) {
      await using terminal = await bench.fresh();
      const bytes = Buffer.alloc(2_000_000, "0123456789abcdef\n");
      const { output } = await terminal.run("cksum; echo done", options({ stdin: bytes }));
      await terminal.files.write("same", bytes);
      assert.equal(output, `${(await terminal.run("cksum < same", options())).output}done\n`);
    },
  },
];
