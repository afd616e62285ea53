import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openApp } from "../../../src/host/app/open-app.ts";
import { HOOK_KINDS } from "../../../src/contract/plugins/hook.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NO_TMUX, UserTerminal, READY } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

const yaml = (value: object): string => `hooks: ${JSON.stringify(value)}\n`;

function script(user: NewUser, name: string, body: string): string {
  const file = user.write(`~/agent-hooks/${name}`, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

const lines = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
const call = (tool: string, args: object) => ["tools", "call", tool, JSON.stringify(args)] as const;

// req: hooks.shell-declaration, hooks.shell-when-tools, hooks.accept-hooks
test("the guide's list runs a command after the tools it names and no others, once the user consented", async () => {
  using user = new NewUser();
  user.write(
    "~/.hermes/config.yaml",
    `hooks:\n  - event: post_tool_call\n    command: "touch 'ran {tool_name}'"\n    when:\n      tools: [terminal, patch, write_file]\n`,
  );
  user.write("a.txt", "alpha");
  const ran = (tool: string): boolean => existsSync(join(user.folder, `ran ${tool}`));
  const unasked = await user.run(["chat", "-q", "hello"]);
  assert.match(
    unasked.err,
    /The shell hook "touch 'ran \{tool_name\}'" \(post_tool_call\) does not run: it has no consent yet\./,
  );
  await user.run(call("terminal", { command: "true" }));
  assert.equal(ran("terminal"), false);
  const { status, err } = await user.run(["--accept-hooks", ...call("terminal", { command: "true" })]);
  assert.equal(status, 0, err);
  assert.equal(ran("terminal"), true);
  // Agreed to once: no flag is needed again.
  await user.run(call("write_file", { path: "b.txt", content: "x" }));
  await user.run(call("read_file", { path: "a.txt" }));
  assert.deepEqual([ran("write_file"), ran("read_file")], [true, false]);
  assert.doesNotMatch((await user.run(["chat", "-q", "hello"])).err, /shell hook/);
});

// req: hooks.accept-hooks
test("a variable or a setting consents like the flag", async () => {
  for (const [env, extra] of [
    [{ HERMES_ACCEPT_HOOKS: "1" }, ""],
    [{}, "hooks_auto_accept: true\n"],
  ] as const) {
    using user = new NewUser(env);
    user.write(
      "~/.hermes/config.yaml",
      yaml({ on_session_start: [{ command: `touch ${join(user.folder, "began")}` }] }) + extra,
    );
    await user.run(["chat", "-q", "hello"]);
    assert.equal(existsSync(join(user.folder, "began")), true, JSON.stringify(env) + extra);
    assert.match(
      readFileSync(join(user.agentHome, "shell-hooks-allowlist.json"), "utf8"),
      /"event": "on_session_start"/,
    );
  }
});

// req: hooks.shell-block, hooks.shell-events
test("each event goes to the command's standard input; a block on its output stops the tool with a reason", async () => {
  using user = new NewUser();
  const log = join(user.home, "told.jsonl");
  const record = script(user, "record.sh", `cat >> ${log}; echo >> ${log}`);
  const guard = script(
    user,
    "guard.sh",
    `grep -q forbidden && echo '{"decision":"block","reason":"That word is not said here."}' || echo fine`,
  );
  const context = script(user, "context.sh", `cat > /dev/null; echo '{"context":"The house is green."}'`);
  const events = [
    "pre_tool_call",
    "post_tool_call",
    "pre_llm_call",
    "post_llm_call",
    "pre_api_request",
    "post_api_request",
    "on_session_start",
    "on_session_end",
    "on_session_finalize",
  ];
  const hooks: Record<string, object[]> = Object.fromEntries(events.map((event) => [event, [{ command: record }]]));
  hooks["pre_tool_call"]!.push({ matcher: "write_.*", command: guard });
  hooks["pre_llm_call"]!.push({ command: context });
  await using server = await startOpenAiServer([
    { calls: [{ tool: "write_file", args: { path: "a.txt", content: "forbidden" } }] },
    { calls: [{ tool: "write_file", args: { path: "b.txt", content: "fine" } }] },
    { text: "done" },
  ]);
  user.connect("custom", server.url, yaml(hooks));
  const { status, err } = await user.run(["--accept-hooks", "chat", "-q", "write"]);
  assert.equal(status, 0, err);
  assert.deepEqual([existsSync(join(user.folder, "a.txt")), existsSync(join(user.folder, "b.txt"))], [false, true]);
  assert.match(server.requests[1]!.body, /That word is not said here\./);
  assert.match(server.requests[0]!.body, /The house is green\./);
  assert.match(
    readFileSync(join(user.agentHome, "logs/agent.log"), "utf8"),
    /guard\.sh[^\n]*did not write a JSON object/,
  );
  const message = lines(log).map(
    (line) =>
      JSON.parse(line) as {
        readonly hook_event_name: string;
        readonly tool_name: unknown;
        readonly tool_input: unknown;
        readonly session_id: string;
        readonly cwd: string;
        readonly extra: { readonly [key: string]: unknown };
      },
  );
  assert.deepEqual(
    message.map(({ hook_event_name }) => hook_event_name),
    [
      "on_session_start",
      "pre_llm_call",
      ...[1, 2].flatMap(() => ["pre_api_request", "post_api_request", "pre_tool_call", "post_tool_call"]),
      "pre_api_request",
      "post_api_request",
      "post_llm_call",
      "on_session_end",
      "on_session_finalize",
    ],
  );
  const before = message.find(({ hook_event_name }) => hook_event_name === "pre_tool_call")!;
  assert.deepEqual(
    [before.tool_name, before.tool_input, before.cwd],
    ["write_file", { path: "a.txt", content: "forbidden" }, user.folder],
  );
  const after = message
    .filter(({ hook_event_name }) => hook_event_name === "post_tool_call")
    .map(({ extra }) => [extra["status"], typeof extra["duration_ms"], extra["error_message"]]);
  assert.deepEqual(after, [
    ["blocked", "number", "That word is not said here."],
    ["ok", "number", null],
  ]);
  const start = message[0]!;
  assert.deepEqual([start.tool_name, start.tool_input, start.extra["platform"]], [null, null, "cli"]);
  assert.ok(message.every(({ session_id }) => session_id === start.session_id && session_id !== ""));
});

// req: hooks.shell-events
test("a shell hook can subscribe to every event that a plugin can", async () => {
  using user = new NewUser();
  const record = script(user, "record.sh", `cat > /dev/null; echo ran`);
  const names = Object.keys(HOOK_KINDS);
  user.write(
    "~/.hermes/config.yaml",
    yaml(Object.fromEntries(names.map((event) => [event, [{ command: `${record} ${event}` }]]))),
  );
  const { shell } = JSON.parse((await user.run(["hooks", "list", "--json"])).out) as {
    readonly shell: readonly { readonly event: string }[];
  };
  assert.deepEqual(
    shell.map(({ event }) => event),
    names,
  );
  const app = await openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
  try {
    for (const event of names)
      assert.deepEqual(
        (await app.hooks.test(event, {})).map(({ stdout }) => stdout),
        ["ran\n"],
        event,
      );
  } finally {
    await app[Symbol.asyncDispose]();
  }
});

// req: R-60
test("a guard that fails, hangs, changed or is missing refuses the call unless fail_closed is false; an observer is skipped", async () => {
  using user = new NewUser();
  const guard = script(user, "guard.sh", "cat > /dev/null; echo '{}'");
  const configure = (more: object, event = "pre_tool_call") =>
    user.write("~/.hermes/config.yaml", yaml({ [event]: [{ command: guard, ...more }] }));
  const outcome = async (flag = false): Promise<string> => {
    const { out } = await user.run([
      ...(flag ? ["--accept-hooks"] : []),
      ...call("terminal", { command: "echo went" }),
    ]);
    const { output, error } = JSON.parse(out) as { readonly output: string; readonly error: string | null };
    return error ?? output;
  };
  configure({});
  assert.equal(await outcome(true), "went");
  writeFileSync(guard, "#!/bin/sh\nexit 0 # somebody took the guard's teeth\n");
  assert.match(await outcome(), /guard\.sh" guards this call and failed: it changed after you consented/);
  for (const [body, why, timeout] of [
    ["exit 1", /ended with status 1/, 60],
    ["echo boom >&2; kill -9 $$", /was killed by SIGKILL/, 60],
    ["sleep 600", /did not answer within 1 s/, 1],
  ] as const) {
    writeFileSync(guard, `#!/bin/sh\n${body}\n`);
    configure({ timeout });
    assert.match(await outcome(true), why);
    configure({ timeout, fail_closed: false });
    assert.equal(await outcome(true), "went", body);
    configure({ timeout }, "post_tool_call");
    assert.equal(await outcome(true), "went", body);
  }
  user.write("~/.hermes/config.yaml", yaml({ pre_tool_call: [{ command: "/nowhere/guard.sh" }] }));
  assert.match(await outcome(true), /the program \/nowhere\/guard\.sh was not found/);
});

// field: P10
test("a guard without consent refuses the calls it guards, in chat and in tools call, with a warning", async () => {
  using user = new NewUser();
  const guard = script(user, "guard.sh", "cat > /dev/null; echo '{}'");
  const configure = (event: string, more: object = {}) =>
    user.write("~/.hermes/config.yaml", yaml({ [event]: [{ command: guard, ...more }] }));
  const went = () => user.run(call("terminal", { command: "echo went" }));
  configure("pre_tool_call", { matcher: "terminal" });
  const refused = await went();
  assert.match(
    refused.out,
    /guards this call and failed: it has no consent yet, so it did not run\. Start hermes in a/,
  );
  assert.match(refused.err, /\(pre_tool_call\) has no consent yet, so Hermes refuses the calls that it guards\./);
  assert.notEqual(refused.status, 0);
  const chat = await user.run(["chat", "-q", "run echo went"]);
  assert.match(chat.err, /has no consent yet, so Hermes refuses the calls that it guards/);
  assert.doesNotMatch(chat.out.replaceAll("echo went", ""), /went/);
  // Its neighbours run: a tool that it does not guard, a guard that may fail, an observer.
  user.write("a.txt", "alpha");
  assert.equal((await user.run(call("read_file", { path: "a.txt" }))).status, 0);
  for (const [event, more] of [
    ["pre_tool_call", { fail_closed: false }],
    ["post_tool_call", {}],
  ] as const) {
    configure(event, more);
    const { status, err } = await went();
    assert.equal(status, 0, err);
    assert.match(err, /does not run: it has no consent yet\./);
  }
  configure("pre_tool_call");
  assert.equal((await user.run(["--accept-hooks", ...call("terminal", { command: "echo went" })])).status, 0);
  const agreed = await went();
  assert.deepEqual([agreed.status, agreed.err], [0, ""]);
});

test("a hook's environment contains none of the user's stored secrets", async () => {
  using user = new NewUser({ MY_API_KEY: "key-of-the-process" });
  const out = join(user.home, "env.txt");
  user.write("~/.hermes/.env", "OPENAI_API_KEY=key-of-the-file\n");
  user.write("~/.hermes/config.yaml", yaml([{ event: "on_session_start", command: `env > ${out}` }]));
  await user.run(["--accept-hooks", "chat", "-q", "hello"]);
  const env = readFileSync(out, "utf8");
  assert.match(env, new RegExp(`^HERMES_HOME=${user.agentHome}$`, "m"));
  assert.doesNotMatch(env, /key-of-the/);
});

// req: hooks.cli
test("hermes hooks lists hooks with their consent, tests one, revokes consent, and checks them all", async () => {
  using user = new NewUser();
  const guard = script(user, "guard.sh", `cat > /dev/null; echo '{"action":"block","message":"no"}'`);
  user.write(
    "~/.hermes/config.yaml",
    yaml({ pre_tool_call: [{ matcher: "terminal", command: guard }], post_tool_cal: [{ command: "x" }] }),
  );
  const list = async () =>
    (JSON.parse((await user.run(["hooks", "ls", "--json"])).out) as { readonly shell: readonly object[] }).shell.map(
      (hook) => ({ ...hook, agreedAt: undefined }),
    );
  const info = { event: "pre_tool_call", command: guard, tools: "/terminal/", timeoutMs: 60_000, agreedAt: undefined };
  assert.deepEqual(await list(), [{ ...info, consent: "missing" }]);
  const shown = await user.run(["hooks", "list"]);
  assert.match(
    shown.out,
    /^Shell hooks \(1\):\n {2}✗ pre_tool_call .*\nProblems in config\.yaml:\n {2}✗ hooks\.post_tool_cal\[0\] names the event "post_tool_cal", which does not exist, and is ignored\. Did you mean "post_tool_call"\?\n/,
  );
  assert.match((await user.run(["--help"])).out, /^ {2}hooks +List and test hooks/m);
  const tried = await user.run(["hooks", "test", "pre_tool_call", "--for-tool", "terminal"]);
  assert.deepEqual([tried.status, /→ block: no/.test(tried.out)], [0, true], tried.out);
  assert.match(
    (await user.run(["hooks", "test", "pre_tool_call", "--for-tool", "patch"])).err,
    /No shell hook is subscribed to pre_tool_call for patch/,
  );
  const payload = user.write("payload.json", '{"tool_name":"terminal","args":{"command":"x"}}');
  assert.equal((await user.run(["hooks", "test", "pre_tool_call", "--payload-file", payload, "--json"])).status, 0);
  const odd = await user.run(["hooks", "test", "pre_tool"]);
  assert.deepEqual([odd.status, /There is no event "pre_tool"\.\n.*pre_tool_call/.test(odd.err)], [2, true], odd.err);

  const unready = await user.run(["hooks", "doctor"]);
  assert.equal(unready.status, 1);
  assert.match(unready.out, /names the event "post_tool_cal", which does not exist[^]*it has no consent yet/);
  await user.run(["--accept-hooks", "hooks", "list"]);
  assert.deepEqual(await list(), [{ ...info, consent: "given" }]);
  assert.match((await user.run(["hooks", "doctor"])).out, /✓ pre_tool_call: .*guard\.sh: \d+ ms, block: no/);
  chmodSync(guard, 0o644);
  assert.match((await user.run(["hooks", "doctor"])).out, /is not executable\n {2}chmod \+x/);
  chmodSync(guard, 0o755);
  writeFileSync(guard, "#!/bin/sh\n");
  assert.deepEqual(await list(), [{ ...info, consent: "changed" }]);
  assert.match(
    (await user.run(["hooks", "revoke", guard])).out,
    /is no longer allowed\. It runs again only after you allow it\./,
  );
  assert.deepEqual(await list(), [{ ...info, consent: "missing" }]);
  assert.equal((await user.run(["hooks", "rm", guard])).status, 2);
  assert.match((await user.run(["--safe-mode", "hooks"])).err, /^No hooks\./);
});

// req: hooks.accept-hooks
test(
  "asks once about each hook in a terminal; only an explicit yes enables it, and /reload asks about new ones",
  { skip: NO_TMUX },
  async () => {
    using user = new NewUser();
    const [yes, no, later] = ["yes", "no", "later"].map((name) => join(user.home, name));
    const config = (...names: readonly (string | undefined)[]) =>
      user.write(
        "~/.hermes/config.yaml",
        yaml({ on_session_reset: names.map((name) => ({ command: `touch ${name}` })) }),
      );
    config(yes, no);
    {
      await using terminal = await UserTerminal.open(user);
      await terminal.until(
        /config\.yaml has a shell hook, which runs this command on an event\n {2}on_session_reset\n {2}touch \S+yes\nAllow this hook to run\? \[y\/N\]/,
      );
      await terminal.say("y");
      await terminal.until(/touch \S+no\nAllow this hook to run\? \[y\/N\]/);
      await terminal.press("Enter");
      await terminal.until(READY);
      await terminal.say("/new");
      await terminal.until(/Started a new session\./);
      assert.deepEqual([existsSync(yes!), existsSync(no!)], [true, false]);
      config(yes, later);
      await terminal.say("/reload");
      await terminal.until(
        /has a shell hook that is not allowed yet: touch \S*later[^]*Run it on every on_session_reset\n\n Esc skips/,
      );
      await terminal.press("2");
      await terminal.until(/Nothing changed|Reloaded/);
      await terminal.say("/new");
      await terminal.until(() => existsSync(later!));
    }
    const { shell } = JSON.parse((await user.run(["hooks", "list", "--json"])).out) as {
      readonly shell: readonly { readonly consent: string }[];
    };
    assert.deepEqual(
      shell.map(({ consent }) => consent),
      ["given", "given"],
    );
  },
);
