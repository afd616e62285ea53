import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { NO_TMUX, UserTerminal, READY, runs } from "../support/interactive-terminal.ts";
import { ended, NewUser } from "../support/test-user.ts";

const runCommand = async (
  user: NewUser,
  ...args: readonly string[]
): Promise<{ readonly status: number | null; readonly text: string }> => {
  const { status, out, err } = await user.run(args);
  return { status, text: out + err };
};

test("if the settings name a model without a key, setup and model report what is missing", async () => {
  using user = new NewUser();
  const refused = await runCommand(user, "model", "openai/gpt-5");
  assert.deepEqual([refused.status, /OPENAI_API_KEY is not set/.test(refused.text)], [78, true]);
  assert.match((await runCommand(user, "model", "openai/gpt-5", "--no-check")).text, /OPENAI_API_KEY is not set/);
  const report = await runCommand(user, "setup", "--non-interactive");
  assert.equal(report.status, 1);
  assert.match(
    report.text,
    /^✗ model {4}OpenAI needs a key, but OPENAI_API_KEY is not set\. Connect one: hermes model PROVIDER\/NAME --api-key KEY\n/,
  );
  const named = await runCommand(user, "model", "nope");
  assert.equal(named.status, 2);
  assert.match(named.text, /"nope" does not name a provider\./);
  assert.match(
    (await runCommand(user, "model", "openai/gpt-5", "--no-check", "--api-key", "sk-of-the-test")).text,
    /^Hermes uses gpt-5 by openai from the next turn on\.\n$/,
  );
});

test("an export has the format of its file name, and an empty search is an error", async () => {
  using user = new NewUser();
  assert.equal((await user.run(["chat", "-q", "hello"])).status, 0);
  for (const [args, begins] of [
    [["facts.jsonl"], '{"seq":1,'],
    [["notes.md"], "# "],
    [["other.jsonl", "--format", "md"], "# "],
  ] as const) {
    assert.equal((await user.run(["sessions", "export", "2", ...args])).status, 0);
    assert.ok(readFileSync(join(user.folder, args[0]), "utf8").startsWith(begins), args.join(" "));
  }
  const nothing = await runCommand(user, "sessions", "search", " ");
  assert.deepEqual([nothing.status, nothing.text.split("\n")[0]], [2, "Error: The search is empty."]);
});

test("hermes model at a terminal reports the missing key and lists the providers", { skip: NO_TMUX }, async () => {
  using user = new NewUser();
  user.write("~/.hermes/config.yaml", "model:\n  provider: openai\n  default: gpt-5\n");
  await using terminal = await UserTerminal.open(user, ["model"]);
  await terminal.until(/OpenAI needs a key, but OPENAI_API_KEY is not set\.[^]*Model provider[^]*type to filter/);
  assert.match(await terminal.screen(), /Ollama \(models on this machine, no key\)/);
});

test("wraps output at a terminal, and pipes it uncut and without colours", { skip: NO_TMUX }, async () => {
  using user = new NewUser();
  await using terminal = await UserTerminal.open(user, ["plugins", "list"], { columns: 60, rows: 120 });
  const cut = await terminal.until(/\[ended 0\]/);
  assert.match(cut, /^✓ tool-todo .*\n    Keeps a task list for the session, for work with/m);
  await using piped = await UserTerminal.open(user, ["plugins", "list"], { columns: 60, into: "listed.txt" });
  await piped.until(/\[ended 0\]/);
  const listed = readFileSync(join(user.folder, "listed.txt"), "utf8");
  assert.doesNotMatch(listed, /\x1b|…/);
  assert.match(listed, /tool-todo .* Keeps a task list for the session, for work with several steps/);
});

test("Ctrl-D at an approval question denies the command", { skip: NO_TMUX }, async () => {
  using user = new NewUser();
  user.write("build/a.txt", "keep");
  await using terminal = await UserTerminal.open(user, ["tools", "call", "terminal", '{"command":"rm -rf build"}'], {
    columns: 240,
  });
  await terminal.until(/Enter denies, \d+ (?:s|min):/);
  await terminal.press("C-d");
  assert.match(
    await terminal.until(/\[ended 4\]/),
    /"error":"The user refused this call\. There is no consent: do not repeat it, reword it or reach the same end another way\. Say what you wanted to do, and wait\."/,
  );
  assert.equal(existsSync(join(user.folder, "build/a.txt")), true);
});

test("reports a mistake in the command line without any other output", async () => {
  using user = new NewUser();
  for (const [args, text] of [
    [["chat", "-q", ""], /^Error: The question is empty\.\n/],
    [["chat", "-q", "hi", "--max-turns", "0"], /^Error: --max-turns must be a whole number above 0, not "0"\.\n$/],
    [["chat", "-q", "hi", "-t", "nosuch"], /^Error: There is no toolset or tool "nosuch"\.\n/],
    [["chat", "-q", "hi", "--terminal", "nosuch"], /^Error: There is no terminal backend "nosuch"\.\n/],
    [["sessions", "list", "--limit", "0"], /^Error: "0" is not a whole number of at least 1\.\n$/],
    [["login"], /^Error: Unknown command "login"\.\nTo store a model's API key, run /],
    [["toolsets"], /^Error: Unknown command "toolsets"\.\nDid you mean `hermes tools`\?\n$/],
    [["chat", "-q", "/quit"], /\/quit works only in an interactive session\. Start one with: hermes\n/],
  ] as const) {
    const ended = await runCommand(user, ...args);
    assert.equal(ended.status, 2, args.join(" "));
    assert.match(ended.text, text);
  }
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  assert.equal((await runCommand(user, "version")).text, `hermes-agent ${version}\n`);
});

test("reports a home that is not a folder in one line instead of a stack trace", async () => {
  using nowhere = new NewUser({ HERMES_HOME: join(import.meta.filename, "home") });
  for (const args of [
    ["chat", "-q", "hi"],
    ["config", "path"],
  ]) {
    const { status, err } = await nowhere.run(args);
    assert.equal(status, 78);
    assert.match(
      err,
      /^Error: .*command-line\.io\.test\.ts\/home is not a folder, so settings cannot be stored there\.\nSet HERMES_HOME/,
    );
  }
  if (process.platform !== "linux") return;
  using refused = new NewUser({ HERMES_HOME: "/proc/no-home" });
  for (const args of [
    ["chat", "-q", "hi"],
    ["config", "set", "display.compact", "true"],
  ]) {
    assert.deepEqual(await refused.run(args).then(({ status, err }) => [status, err.split("\n")[0]]), [
      1,
      "Error: Cannot create /proc/no-home: there is no such file or folder.",
    ]);
  }
});

test("exits quietly when the reader closes the pipe, and reports a full disk", async () => {
  using user = new NewUser();
  for (const args of [["--help"], ["tools", "list", "--json"]]) {
    const child = user.start(args);
    child.stdout!.destroy();
    const { status, err } = await ended(child);
    assert.deepEqual([status, err], [0, ""], args.join(" "));
  }
  if (process.platform !== "linux") return;
  const main = join(import.meta.dirname, "../../../src/main.ts");
  for (const line of ['"$1" tools list --json', '"$1" --version', '"$2" --version']) {
    const child = spawn(
      "sh",
      [
        "-c",
        `"$0" --conditions=hermes-source ${line} > /dev/full`,
        process.execPath,
        main,
        join(import.meta.dirname, "../../../src/launcher.cjs"),
      ],
      { env: { PATH: process.env["PATH"], HOME: user.home } },
    );
    const { status, err } = await ended(child);
    assert.equal(status, 1, line);
    assert.match(err, /^Error: Cannot write the output: ENOSPC[^\n]*\n$/);
  }
});

test(
  "prints the answer even if stderr is closed or full",
  { skip: process.platform === "linux" ? false : "needs /dev/full" },
  async () => {
    using user = new NewUser();
    const main = join(import.meta.dirname, "../../../src/main.ts");
    for (const notes of ["2>&-", "2> /dev/full"]) {
      const child = spawn(
        "sh",
        [
          "-c",
          `"$0" --conditions=hermes-source "$1" chat -q "run echo $((20+3))" < /dev/null ${notes}`,
          process.execPath,
          main,
        ],
        { env: { PATH: process.env["PATH"], HOME: user.home } },
      );
      const { status, out } = await ended(child);
      assert.equal(status, 0, notes);
      assert.match(out, /^23$/m, notes);
    }
  },
);

test("reports a deleted working folder in one line instead of a stack trace", async () => {
  using user = new NewUser();
  const main = join(import.meta.dirname, "../../../src/main.ts");
  const child = spawn(
    "sh",
    [
      "-c",
      'mkdir "$2/gone" && cd "$2/gone" && rmdir "$2/gone" && exec "$0" --conditions=hermes-source "$1" chat -q "run pwd" < /dev/null',
      process.execPath,
      main,
      user.folder,
    ],
    { env: { PATH: process.env["PATH"], HOME: user.home } },
  );
  const { status, err } = await ended(child);
  assert.deepEqual(
    [status, err],
    [1, "Error: The current folder no longer exists.\nChange to an existing folder with cd, and try again.\n"],
  );
});

test("reports errors in config.yaml, even if the model of the last good configuration fails", async () => {
  using user = new NewUser();
  user.write("~/.hermes/config.yaml", "model:\n  default: x\n");
  assert.equal((await user.run(["config", "check"])).status, 0);
  const file = user.write("~/.hermes/config.yaml", "modle:\n  default: y\n");
  const { status, err } = await user.run(["chat", "-q", "hi"]);
  assert.equal(status, 78);
  assert.deepEqual(err.split("\n").slice(0, 2), [
    `${file}:1:1: "modle" is not a setting. Did you mean "model"?`,
    "The last valid configuration stays in force until you fix the file.",
  ]);
  assert.match(err, /^Error: The model "x" is selected \(.*\(its last good state\)\)/m);
});

test("reports a configured provider that no plugin registers before it sends a request", async () => {
  using user = new NewUser();
  const file = user.write("~/.hermes/config.yaml", "terminal:\n  backend: dockr\n");
  const { err } = await user.run(["chat", "-q", "help"]);
  assert.match(
    err,
    new RegExp(
      `^"terminal\\.backend" is "dockr" \\(${RegExp.escape(file)}:2\\), but there is no such terminal provider\\.\\n +Did you mean "docker"\\? Available: daytona, docker, local, `,
      "m",
    ),
  );
});

test("switching tools prints JSON with --json, and an unknown name gets a suggestion", async () => {
  using user = new NewUser();
  const off = await user.run(["tools", "disable", "todo", "web", "--json"]);
  assert.deepEqual(JSON.parse(off.out), [
    { name: "todo", platform: "cli", enabled: false },
    { name: "web", platform: "cli", enabled: false },
  ]);
  const slip = await user.run(["tools", "enable", "tod"]);
  assert.deepEqual([slip.status, slip.err], [2, 'Error: There is no toolset or tool "tod".\nDid you mean "todo"?\n']);
  // text_to_speech needs a chosen service, since the service receives the text.
  const tools = JSON.parse((await user.run(["tools", "list", "--json"])).out) as readonly {
    readonly name: string;
    readonly enabled: boolean;
    readonly available: boolean;
  }[];
  assert.deepEqual(
    tools
      .filter(({ name }) => ["text_to_speech", "terminal", "todo"].includes(name))
      .map(({ name, enabled, available }) => [name, enabled && available]),
    [
      ["terminal", true],
      ["text_to_speech", false],
      ["todo", false],
    ],
  );
});

test("reads a tool call's arguments from a pipe, and a quiet run prints only its answer", async () => {
  using user = new NewUser();
  user.write("a.txt", "one\n");
  await user.run(["plugins", "new", "waiting"]);
  assert.match(
    (await user.run(["tools", "call", "read_file", "-"], '{"path":"a.txt"}')).out,
    /^\{"content":"1\|one\\n2\|"/,
  );
  assert.equal((await user.run(["tools", "call", "read_file", "-"], "a.txt")).status, 2);
  const loud = await user.run(["chat", "-q", "read a.txt"]);
  assert.match(loud.err, /A plugin waits to be enabled: waiting/);
  assert.equal((await user.run(["chat", "-Q", "-q", "read a.txt"])).err, "");
});

test("hermes help describes nested commands, and reports an unknown one", async () => {
  using user = new NewUser();
  assert.match((await runCommand(user, "help", "tools", "call")).text, /^Usage: hermes tools call /);
  assert.match((await runCommand(user, "help", "nosuch")).text, /^Error: Unknown command "nosuch"\./);
  const whole = (await runCommand(user, "help")).text;
  assert.match(whole, /^Usage: hermes /);
  assert.deepEqual(
    whole.split("\n").filter((line) => line.length > 80),
    [],
  );
});

test("config set writes the value despite an error elsewhere, and warns if the last good configuration stays in use", async () => {
  using user = new NewUser();
  const unsound = /config\.yaml has mistakes\. These values are in force; `hermes config check` lists the mistakes\./;
  const compact = async () => {
    const { out, err } = await user.run(["config", "get", "display.compact"]);
    return { out, err };
  };
  // No good configuration was read yet, so the valid settings apply.
  user.write("~/.hermes/config.yaml", "model:\n  defualt: x\n");
  assert.equal((await runCommand(user, "config", "set", "display.compact", "true")).text, "display.compact = true\n");
  const { out, err } = await compact();
  assert.equal(out, "true\n");
  assert.match(err, unsound);
  user.write("~/.hermes/config.yaml", "model:\n  default: x\n");
  assert.deepEqual(await compact(), { out: "false\n", err: "" });
  user.write("~/.hermes/config.yaml", "model:\n  defualt: x\n");
  assert.equal(
    (await runCommand(user, "config", "set", "display.compact", "true")).text,
    "display.compact is saved, but it takes effect only when the file has no mistakes. `hermes config check` lists them.\n",
  );
  assert.equal((await compact()).out, "false\n");
  assert.equal((await runCommand(user, "config", "unset", "model.defualt")).status, 0);
  assert.deepEqual(await compact(), { out: "true\n", err: "" });
});

test("Ctrl-C stops a called tool and its processes at once", { skip: NO_TMUX }, async () => {
  using user = new NewUser();
  await using terminal = await UserTerminal.open(user, [
    "tools",
    "call",
    "terminal",
    JSON.stringify({ command: "echo $$ > pid; exec sleep 600" }),
  ]);
  const file = `${user.folder}/pid`;
  await terminal.until(() => existsSync(file) && readFileSync(file, "utf8").trim() !== "");
  process.kill(await terminal.pid(), "SIGINT");
  await terminal.until(/Stopping…[^]*\[ended 130\]/);
  await terminal.until(() => !runs(Number(readFileSync(file, "utf8"))));
  assert.doesNotMatch(await terminal.screen(), /"exit_code": ?0/);
});

test("Enter sends the command as typed, or the one selected with the arrows", { skip: NO_TMUX }, async () => {
  using user = new NewUser();
  await using terminal = await UserTerminal.open(user);
  await terminal.until(READY);
  await terminal.type("/r");
  await terminal.until(/→ re/);
  await terminal.press("Enter");
  await terminal.until(/Ambiguous command: \/r could be .*\/resume/);
  await terminal.type("/ver");
  await terminal.until(/→ verbose/);
  await terminal.press("Down");
  await terminal.until(/→ version/);
  await terminal.press("Enter");
  const screen = await terminal.until(/› \/version\n\n \S*\d+\.\d+\.\d+/);
  assert.doesNotMatch(screen, /› \/verbose/);
});
