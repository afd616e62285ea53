import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openApp } from "../../../src/host/app/open-app.ts";
import { runSlashCommand } from "../../../src/surfaces/shared/commands/run-slash-command.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NewUser } from "../support/test-user.ts";
import { Stopwatch } from "../../../src/testing/stopwatch.ts";

const withPython = spawnSync("python3", ["--version"]).status === 0 ? {} : { skip: "there is no python3" };

interface Report {
  readonly event: string;
  readonly context: { readonly [key: string]: unknown };
}

function hook(user: NewUser, name: string, events: readonly string[], file: string, code: string, more = ""): void {
  user.write(
    `~/.hermes/hooks/${name}/HOOK.yaml`,
    `name: ${name}\ndescription: A test\nevents: ${JSON.stringify(events)}\n${more}`,
  );
  user.write(`~/.hermes/hooks/${name}/${file}`, code);
}

const log = (user: NewUser, name = "told"): string => join(user.home, `${name}.jsonl`);
/** None of a file that was just made and not yet written to. */
const message = (user: NewUser, name?: string): readonly Report[] =>
  existsSync(log(user, name))
    ? readFileSync(log(user, name), "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Report)
    : [];
const agentLog = (user: NewUser): string => readFileSync(join(user.agentHome, "logs/agent.log"), "utf8");

const PYTHON = (user: NewUser, name?: string): string =>
  `import json\n\nasync def handle(event_type: str, context: dict) -> None:\n    with open(${JSON.stringify(log(user, name))}, "a") as file:\n        file.write(json.dumps({"event": event_type, "context": context}) + "\\n")\n`;
const SCRIPT = (user: NewUser, name?: string, more = ""): string =>
  `import { appendFileSync } from "node:fs";\nexport function handle(event: string, context: { readonly [key: string]: unknown }): unknown {\n  appendFileSync(${JSON.stringify(log(user, name))}, JSON.stringify({ event, context }) + "\\n");\n  ${more}\n  return undefined;\n}\n`;

const ALL = [
  "gateway:startup",
  "session:start",
  "session:end",
  "session:reset",
  "agent:start",
  "agent:step",
  "agent:end",
];

// req: hooks.gateway-handler, hooks.gateway-handler-python, hooks.gateway-duration, hooks.gateway-command-wildcard
test(
  "a Python and a TypeScript handler receive start, turn with a tool, command, reset and end in order",
  withPython,
  async () => {
    using user = new NewUser();
    hook(user, "python", [...ALL, "command:*"], "handler.py", PYTHON(user, "python"));
    hook(user, "typescript", [...ALL, "command:*"], "handler.ts", SCRIPT(user, "typescript"));
    await using server = await startOpenAiServer([
      { calls: [{ tool: "terminal", args: { command: "sleep 1; echo slept" } }] },
      { text: "It slept." },
    ]);
    user.connect("custom", server.url);
    const app = await openApp({
      version: "0",
      env: { HOME: user.home, PATH: process.env["PATH"] },
      signal: new AbortController().signal,
    });
    let front = await app.openSession({ surface: "cli", cwd: user.folder });
    const first = front.id;
    const host = {
      app,
      session: () => front,
      surface: "cli",
      signal: new AbortController().signal,
      terminal: true as const,
      async switchSession() {
        const before = front;
        front = await app.openSession({ surface: "cli", cwd: user.folder });
        await before[Symbol.asyncDispose]();
      },
    };
    app.hooks.emit("gateway:startup", { platforms: ["test"] });
    const began = performance.now();
    assert.equal((await front.send(`sleep ${"x".repeat(600)}`)).reason, "done");
    const seconds = (performance.now() - began) / 1000;
    await runSlashCommand("/help me", host);
    await runSlashCommand("/status", host);
    await runSlashCommand("/reset", host);
    await app[Symbol.asyncDispose]();

    for (const which of ["python", "typescript"]) {
      const all = message(user, which);
      assert.deepEqual(
        all.map(({ event }) => event),
        [
          "gateway:startup",
          "session:start",
          "agent:start",
          "agent:step",
          "agent:step",
          "agent:end",
          "command:help",
          "command:status",
          "command:new",
          "session:end",
          "session:reset",
        ],
        which,
      );
      const [startup, start, begin, step, second, end, help, , , over, reset] = all.map(({ context }) => context);
      assert.deepEqual(startup, { platforms: ["test"] });
      assert.deepEqual(start, { platform: "cli", user_id: "", session_id: first, session_key: first });
      assert.deepEqual(begin, {
        platform: "cli",
        user_id: "",
        chat_id: "",
        thread_id: "",
        chat_type: "dm",
        session_id: first,
        message: `sleep ${"x".repeat(494)}`,
      });
      assert.deepEqual(
        [step!["iteration"], step!["tool_names"], second!["iteration"], second!["tool_names"]],
        [1, [], 2, ["terminal"]],
      );
      assert.match(String((second!["tools"] as readonly { readonly result: string }[])[0]!.result), /slept/);
      assert.ok(
        Number(end!["duration_seconds"]) >= 1 && Number(end!["duration_seconds"]) <= seconds,
        `${String(end!["duration_seconds"])} of ${seconds}`,
      );
      assert.deepEqual([end!["response"], end!["completed"], end!["message"]], ["It slept.", true, begin!["message"]]);
      assert.deepEqual(help, {
        platform: "cli",
        user_id: "",
        session_id: first,
        command: "help",
        raw_command: "help",
        args: "me",
        raw_args: "me",
      });
      assert.equal(over!["session_id"], first);
      assert.equal(reset!["session_id"], front.id);
    }
  },
);

// req: hooks.gateway-files, hooks.gateway-handler-python, hooks.gateway-duration
test(
  "the guide's long-task-alert loads, is named in the log, and receives the end of an agent run",
  withPython,
  async () => {
    using user = new NewUser();
    user.write(
      "~/.hermes/hooks/long-task-alert/HOOK.yaml",
      "name: long-task-alert\ndescription: Send a push notification when a long task finishes\nevents:\n  - agent:end\n",
    );
    user.write(
      "~/.hermes/hooks/long-task-alert/handler.py",
      `async def handle(event_type: str, context: dict) -> None:\n    if context.get("duration_seconds", 0) > 0:\n        open(${JSON.stringify(log(user))}, "w").write('{"event": "%s", "context": {}}' % event_type)\n`,
    );
    user.write("~/.hermes/hooks/no-events/HOOK.yaml", "name: no-events\nevents: []\n");
    user.write("~/.hermes/hooks/no-handler/HOOK.yaml", "name: no-handler\nevents: [agent:end]\n");
    user.write("~/.hermes/hooks/no-yaml/handler.py", "");
    user.write("~/.hermes/hooks/not-yaml/HOOK.yaml", "events: [a\n");
    hook(user, "typo", ["agent:ends"], "handler.ts", SCRIPT(user));
    const { status, err } = await user.run(["chat", "-q", "hello"]);
    assert.equal(status, 0, err);
    assert.deepEqual(message(user), [{ event: "agent:end", context: {} }]);
    const lines = agentLog(user);
    assert.match(lines, /Loaded the hook \\"long-task-alert\\" for agent:end\./);
    for (const problem of [
      /no-events[^\n]*it declares no events/,
      /no-handler[^\n]*it has no handler/,
      /no-yaml[^\n]*it has no HOOK\.yaml/,
      /not-yaml[^\n]*HOOK\.yaml:\d+:\d+/,
      /typo[^\n]*there is no event \\"agent:ends\\"; did you mean \\"agent:end\\"\?/,
    ])
      assert.match(lines, problem);
    const doctor = await user.run(["hooks", "doctor", "--json"]);
    assert.deepEqual(
      (JSON.parse(doctor.out) as readonly { readonly name: string; readonly ok: boolean }[]).map(({ name, ok }) => [
        name,
        ok,
      ]),
      [
        ["hooks/long-task-alert", true],
        ["hooks/no-events", false],
        ["hooks/no-handler", false],
        ["hooks/no-yaml", false],
        ["hooks/not-yaml", false],
        ["hooks/typo", false],
      ],
    );
    assert.match((await user.run(["hooks"])).out, /Event hooks \(6\):\n {2}✓ long-task-alert {2}agent:end\n/);
  },
);

// rows 44 and 45 of the fault matrix
// req: hooks.gateway-isolation
test(
  "event handlers that throw, hang, exit or never return delay nothing, and the working handler gets every event",
  withPython,
  async () => {
    using user = new NewUser();
    hook(
      user,
      "a-throws",
      ["agent:end"],
      "handler.py",
      "def handle(event, context):\n    raise RuntimeError('down')\n",
    );
    hook(
      user,
      "b-hangs",
      ["agent:start", "agent:end", "command:*"],
      "handler.py",
      "import time\ndef handle(event, context):\n    time.sleep(600)\n",
    );
    hook(user, "c-leaves", ["agent:end"], "handler.ts", "export const handle = () => process.exit(3);\n");
    hook(user, "d-broken", ["agent:end"], "handler.ts", "export const handel = 1;\n");
    hook(user, "e-spins", ["session:end"], "handler.mjs", "export const handle = () => { for (;;); };\n");
    hook(user, "f-sound", ["session:*", "agent:*"], "handler.py", PYTHON(user));
    const app = await openApp({
      version: "0",
      env: { HOME: user.home, PATH: process.env["PATH"] },
      signal: new AbortController().signal,
    });
    const session = await app.openSession({ surface: "cli", cwd: user.folder });
    const turns = new Stopwatch();
    assert.equal((await session.send("hello")).reason, "done");
    assert.equal((await session.send("hello again")).reason, "done");
    turns.assertWithin(3_000, "two turns");
    const commanded = new Stopwatch();
    const context = {
      app,
      session: () => session,
      surface: "cli",
      signal: new AbortController().signal,
      terminal: true as const,
    };
    assert.equal((await runSlashCommand("/version", context)).text, "0");
    commanded.assertWithin(8_000, "a command about which a hook may decide");
    await app[Symbol.asyncDispose]();
    assert.deepEqual(
      message(user).map(({ event }) => event),
      [
        "session:start",
        "agent:start",
        "agent:step",
        "agent:end",
        "agent:start",
        "agent:step",
        "agent:end",
        "session:end",
      ],
    );
    const lines = agentLog(user);
    for (const problem of [
      /The hook \\"a-throws\\" failed on agent:end: down/,
      /no handle\(\) function/,
      /did not answer about \/version within 5 s/,
    ])
      assert.match(lines, problem);
  },
);

// req: hooks.gateway-command-wildcard
test("a command hook may refuse, answer or replace a command, and specific hooks run before catch-all ones", async () => {
  using user = new NewUser();
  hook(
    user,
    "a-all",
    ["command:*"],
    "handler.ts",
    SCRIPT(user, "all", 'if (context["command"] !== "profile") return { decision: "deny" };'),
  );
  hook(
    user,
    "b-one",
    ["command:version"],
    "handler.ts",
    SCRIPT(user, "one", 'return { decision: "handled", message: "Secret." };'),
  );
  hook(
    user,
    "c-one",
    ["command:status"],
    "handler.ts",
    SCRIPT(user, "one", 'return { decision: "rewrite", command_name: "profile" };'),
  );
  await using app = await openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
  const session = await app.openSession({ surface: "cli", cwd: user.folder });
  const say = (line: string) =>
    runSlashCommand(line, {
      app,
      session: () => session,
      surface: "cli",
      signal: new AbortController().signal,
      terminal: true,
    });
  // A handler begins at its first event, and on a busy machine that takes longer than a command waits for it.
  const begun = () =>
    message(user, "all").length > 0 &&
    ["command:version", "command:status"].every((event) => message(user, "one").some((one) => one.event === event));
  while (!begun()) for (const line of ["/version", "/help", "/status"]) await say(line);
  assert.deepEqual(await say("/version"), { ok: true, text: "Secret." });
  assert.deepEqual(await say("/help"), { ok: false, text: "A hook blocked the command `/help`." });
  assert.deepEqual(await say("/status"), { ok: true, text: `default · ${user.agentHome}` });
});

test(
  "a handler gets the variables named in its HOOK.yaml and no other secret; safe mode calls none",
  withPython,
  async () => {
    using user = new NewUser();
    user.write("~/.hermes/.env", "PUSH_TOKEN=push-1\nOTHER_TOKEN=other-1\n");
    const code = `import os\ndef handle(event, context):\n    open(${JSON.stringify(log(user))}, "w").write(repr([os.environ.get("PUSH_TOKEN"), os.environ.get("OTHER_TOKEN")]))\n`;
    hook(user, "push", ["agent:end"], "handler.py", code, "requires_env: [PUSH_TOKEN]\n");
    await user.run(["--safe-mode", "chat", "-q", "hello"]);
    assert.equal(existsSync(log(user)), false);
    await user.run(["chat", "-q", "hello"]);
    assert.equal(readFileSync(log(user), "utf8"), "['push-1', None]");
  },
);

test("/reload loads the current hook files", withPython, async () => {
  using user = new NewUser();
  hook(user, "python", ["session:reset"], "handler.py", PYTHON(user, "before"));
  hook(user, "script", ["session:reset"], "handler.ts", SCRIPT(user, "before"));
  user.write(
    "~/.hermes/config.yaml",
    `hooks:\n  - { event: on_session_reset, command: "echo one >> ${log(user, "shell")}" }\n`,
  );
  const app = await openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    flags: { hooks_auto_accept: true },
    signal: new AbortController().signal,
  });
  const session = await app.openSession({ surface: "cli", cwd: user.folder });
  const context = {
    app,
    session: () => session,
    surface: "cli",
    signal: new AbortController().signal,
    terminal: true as const,
  };
  const reset = () => app.hooks.sessionReset({ session_id: session.id, platform: "cli", reason: "new_session" });
  await reset();
  while (message(user, "before").length < 2) await new Promise((done) => setTimeout(done, 20)); // No caller waits for an event hook.
  hook(user, "python", ["session:reset"], "handler.py", PYTHON(user, "after"));
  hook(user, "script", ["session:reset"], "handler.ts", SCRIPT(user, "after"));
  user.write(
    "~/.hermes/config.yaml",
    `hooks:\n  - { event: on_session_reset, command: "echo two >> ${log(user, "shell")}" }\n`,
  );
  assert.equal((await runSlashCommand("/reload", context)).ok, true);
  await reset();
  await app[Symbol.asyncDispose]();
  assert.deepEqual([message(user, "before").length, message(user, "after").length], [2, 2]);
  assert.equal(readFileSync(log(user, "shell"), "utf8"), "one\ntwo\n");
});
