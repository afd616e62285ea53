import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { JsonObject, Terminal } from "hermes-agent/plugin";
import { quietLog, waitFor } from "hermes-agent/testing";
import { LocalBackend } from "./local-backend.ts";

// req: terminal.backend-local
test("commands run on this machine, as this user, where the agent runs", async () => {
  await using backend = new LocalBackend({ auto_source_bashrc: false }, quietLog());
  const { signal } = new AbortController();
  const terminal = await backend.open({ key: "here" }, signal);
  const { output } = await terminal.run("pwd -P; id -u; uname -n; echo $PPID", { signal, timeoutMs: 120_000 });
  const [folder, user, host, parent] = output.trim().split("\n");
  assert.deepEqual([folder, user, host], [realpathSync(process.cwd()), String(process.getuid!()), hostname()]);
  assert.ok(ancestors(Number(parent)).includes(process.pid), "the shell descends from this process");
});

// req: terminal.cwd-override
test("a task with a configured directory starts there, the others in the default one", async () => {
  const [configured, own] = [1, 2].map(() => realpathSync(mkdtempSync(join(tmpdir(), "terminal-start-"))));
  try {
    await using backend = new LocalBackend({ auto_source_bashrc: false, cwd: configured! }, quietLog());
    const { signal } = new AbortController();
    const pwd = async (key: string, more: { readonly cwd?: string } = {}) =>
      (await (await backend.open({ key, ...more }, signal)).run("pwd", { signal, timeoutMs: 120_000 })).output.trim();
    assert.deepEqual(await Promise.all([pwd("one"), pwd("two", { cwd: own! }), pwd("three")]), [
      configured,
      own,
      configured,
    ]);
  } finally {
    for (const folder of [configured!, own!]) rmSync(folder, { recursive: true });
  }
});

// req: terminal.kept-between-commands
test("a command's changes to its shell persist, even if the command exits the shell", async () => {
  await using place = await open();
  await place.run(
    "plain=1; export WORD=kept; greet() { echo \"hello $1\"; }; alias ll='echo listed'; shopt -s nullglob; list=(a 'b c'); cd /usr; exit 9",
  );
  assert.equal(
    await place.run('echo $plain $WORD ${#list[@]} "${list[1]}" $PWD; greet you; ll; shopt -q nullglob && echo on'),
    "1 kept 2 b c /usr\nhello you\nlisted\non\n",
  );
});

test("`set -e` ends only its own command", async () => {
  await using place = await open();
  const result = await place.terminal.run("set -eu; false; echo no", { signal: place.signal, timeoutMs: 120_000 });
  assert.deepEqual([result.exitCode, result.output], [1, ""]);
  assert.equal(await place.run('false; echo "$UNSET_HERE."'), ".\n");
});

// req: terminal.tool
test("a signal that ends the shell itself is never reported as success", async () => {
  await using place = await open();
  for (const [name, code] of [
    ["PIPE", 141],
    ["ALRM", 142],
    ["ABRT", 134],
    ["HUP", 129],
    ["INT", 130],
    ["TERM", 143],
  ] as const) {
    const result = await place.terminal.run(`true; kill -${name} $$; echo not reached`, {
      signal: place.signal,
      timeoutMs: 120_000,
    });
    assert.deepEqual([result.endedBy, result.exitCode, result.output], ["exit", code, ""], name);
  }
  const piped = await place.terminal.run("exec > >(head -n 1); while :; do echo line; done", {
    signal: place.signal,
    timeoutMs: 120_000,
  });
  assert.equal(piped.exitCode, 141);
  assert.equal(
    await place.run("kill -PIPE $BASHPID | cat; (yes | head -n 1); trap - PIPE; echo on"),
    "y\non\n",
    "child processes have the default signal handling",
  );
});

test("a trap on EXIT runs at the end of the command that set it, once", async () => {
  await using place = await open();
  assert.equal(await place.run("trap 'echo cleaned' EXIT; echo work"), "work\ncleaned\n");
  assert.equal(await place.run("trap 'echo cleaned' EXIT; echo work; exit 2"), "work\ncleaned\n");
  assert.equal(await place.run("(trap 'echo inner' EXIT; true); echo outer"), "inner\nouter\n");
  assert.equal(await place.run("echo nothing more"), "nothing more\n");
});

test("break, continue and return outside a loop or function do not end the shell", async () => {
  await using place = await open();
  assert.match(await place.run("break; continue; return 3; echo on"), /on\n$/);
  assert.equal(await place.run("echo still"), "still\n");
});

test("exec ends the command, and exported variables survive", async () => {
  await using place = await open();
  await place.run("export WORD=kept; cd /usr");
  assert.equal(await place.run("exec echo replaced"), "replaced\n");
  assert.equal(await place.run("echo $WORD $PWD"), "kept /usr\n");
});

test("a command of any length and with any characters arrives unchanged", async () => {
  await using place = await open();
  const long = "x'\"\\$`\n".repeat(20_000);
  assert.equal(await place.run(`cat <<'END_OF_IT'\n${long}END_OF_IT`, 200_000), long);
});

test(
  "a command inherits no file descriptor of the terminal except its output",
  { skip: process.platform !== "linux" },
  async () => {
    await using place = await open();
    const links = await place.run("ls -l /proc/self/fd");
    assert.deepEqual(
      links.match(/\d+ -> \S*hermes-terminal-/g)?.map((link) => link.split(" ")[0]),
      ["1", "2"],
    );
  },
);

// req: terminal.auto-cleanup
test(
  "retires an idle shell, and restores its state with the next command",
  { skip: process.platform !== "linux" },
  async () => {
    await using place = await open({ lifetime_seconds: 0.1 });
    const shell = Number(await place.run("cd /usr; word=kept; f() { echo again; }; echo $$"));
    await waitFor(() => !alive(shell));
    assert.equal(await place.run("echo $word $PWD; f"), "kept /usr\nagain\n");
    const child = await place.terminal.spawn("sleep 30", {});
    const busy = Number(await place.run("echo $$"));
    await wait(300);
    assert.ok(alive(busy), "the shell stays while a background process runs");
    await child.kill();
    await waitFor(() => !alive(busy));
  },
);

test("reads start-up files once for their environment, without the credentials in it", async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "terminal-home-")));
  try {
    writeFileSync(
      join(home, ".profile"),
      `echo read >> '${home}/reads'; echo noise; export FROM_PROFILE=1 SERVICE_TOKEN=secret PATH="$PATH:/from/profile"`,
    );
    writeFileSync(join(home, ".bashrc"), "case $- in *i*) ;; *) return ;; esac\nexport NOT_REACHED=1");
    await using backend = new LocalBackend({}, quietLog(), { ...process.env, HOME: home, LEAKED_API_KEY: "secret" });
    const { signal } = new AbortController();
    for (const key of ["one", "two"]) {
      const terminal = await backend.open({ key }, signal);
      const { output } = await terminal.run(
        'echo "$FROM_PROFILE|$SERVICE_TOKEN|$LEAKED_API_KEY|$NOT_REACHED|${PATH##*:}"',
        { signal, timeoutMs: 120_000 },
      );
      assert.equal(output, "1||||/from/profile\n");
    }
    assert.equal(readFileSync(join(home, "reads"), "utf8"), "read\n");
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

test("if the start directory is missing, starts in its nearest existing parent", async () => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "terminal-gone-")));
  await using backend = new LocalBackend({ auto_source_bashrc: false }, quietLog());
  const terminal = await backend.open(
    { key: "gone", cwd: join(directory, "not", "there") },
    new AbortController().signal,
  );
  assert.equal(
    (await terminal.run("pwd", { signal: new AbortController().signal, timeoutMs: 120_000 })).output,
    `${directory}\n`,
  );
  rmSync(directory, { recursive: true });
});

test("a command beside a busy terminal starts with its directory and exported variables", async () => {
  await using place = await open();
  await place.run("cd /usr; export WORD=seen");
  const long = place.run('until [ -e "$OLDPWD/go" ]; do sleep 0.05; done; cd /tmp');
  const beside = await place.terminal.run("echo $WORD $PWD; cd /; export WORD=other", {
    signal: place.signal,
    timeoutMs: 120_000,
    beside: true,
  });
  assert.equal(beside.output, "seen /usr\n");
  writeFileSync(join(place.directory, "go"), "");
  await long;
  assert.equal(await place.run("echo $WORD $PWD"), "seen /tmp\n");
});

test("writes through a link to its target, and the link stays", async () => {
  await using place = await open();
  writeFileSync(join(place.directory, "target"), "old");
  symlinkSync("target", join(place.directory, "link"));
  await place.terminal.files.write("link", Buffer.from("new"));
  assert.equal(readFileSync(join(place.directory, "target"), "utf8"), "new");
  assert.equal(await place.run("test -L link && echo link"), "link\n");
});

async function open(config: JsonObject = {}) {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "terminal-test-")));
  const backend = new LocalBackend({ auto_source_bashrc: false, ...config }, quietLog());
  const { signal } = new AbortController();
  const terminal: Terminal = await backend.open({ key: "task", cwd: directory }, signal);
  return {
    directory,
    terminal,
    signal,
    run: async (command: string, maxOutputBytes = 50_000) =>
      (await terminal.run(command, { signal, timeoutMs: 120_000, maxOutputBytes })).output,
    async [Symbol.asyncDispose]() {
      await backend[Symbol.asyncDispose]();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The process and all above it. */
function ancestors(pid: number): readonly number[] {
  const parent = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "latin1"))?.[1] ?? 0);
  return parent === 0 ? [pid] : [pid, ...ancestors(parent)];
}

function alive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false; // Ended.
  }
}
