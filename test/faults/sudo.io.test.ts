import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { LocalBackend } from "../../plugins/terminal-local/local-backend.ts";
import registerTerminal from "../../plugins/tool-terminal/index.ts";
import type {
  Answer,
  AnyTool,
  JsonObject,
  Prompter,
  PluginContext,
  Question,
  ToolContext,
  ToolOutcome,
} from "../../src/plugin.ts";
import { quietLog, scriptedModel, testSession } from "../../src/testing/index.ts";
import { waitFor } from "../../src/testing/wait-for.ts";

const PASSWORD = 'correct horse "battery" \\staple\'';
const NEW_PASSWORD = "ivory tower";
const UID = 47_110;
const NEEDED = ["sudo", "setpriv", "unshare", "mount", "openssl"];
const works = (program: string, ...words: readonly string[]) => spawnSync(program, words).status === 0;
const missing =
  process.getuid?.() !== 0
    ? "only root can play another user here"
    : NEEDED.find((program) => !works("which", program));
const skip =
  missing !== undefined
    ? `needs ${NEEDED.join(", ")} as root; missing: ${missing}`
    : works("unshare", "--mount", "true")
      ? false
      : "no right to make a namespace here";

test(
  "a command with sudo gets the user's password, asked for once a session and stored nowhere",
  { skip },
  async () => {
    await using fixture = await open([PASSWORD]);
    assert.deepEqual(await fixture.terminal({ command: "sudo id -u" }), { output: "0", exit_code: 0, error: null });
    assert.equal(
      String(
        (
          await fixture.terminal({
            command: "printf 'data\\n' | sudo tee /dev/null | sudo cat; cd /; time sudo -u nobody id -un 2>/dev/null",
          })
        )["output"],
      )
        .split("\n")
        .slice(0, 2)
        .join(" "),
      "data nobody",
    );
    assert.equal(fixture.asked.length, 1);
    assert.match(
      fixture.asked[0]!.kind === "text" ? fixture.asked[0]!.text : "",
      /^Password for sudo \(local\), for this session: sudo id -u$/,
    );
    assert.equal(fixture.asked[0]!.kind === "text" && fixture.asked[0]!.secret, true);
    const watched = await fixture.terminal({
      command:
        "sudo sh -c 'cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null' | tr '\\0' '\\n' | grep -c '[b]attery'",
    });
    assert.equal(watched["output"], "0", "the password is not in the arguments or environment of any process");
    assert.ok(
      !JSON.stringify([fixture.facts(), fixture.logged()]).includes("battery"),
      "neither in the transcript nor in a log",
    );
    await fixture.until(() => fixture.helpers().length === 0);
  },
);

test("answers sudo in a background command too, and its helper ends with it", { skip }, async () => {
  await using fixture = await open([PASSWORD]);
  const started = await fixture.terminal({ command: "sleep 0.3; sudo id -u", background: true });
  assert.equal(
    (await fixture.process({ action: "wait", session_id: started["session_id"]!, timeout: 120 }))["output"],
    "0\n",
  );
  await fixture.until(() => fixture.helpers().length === 0);
});

test("asks again after a wrong password, at most three times, then runs nothing", { skip }, async () => {
  await using fixture = await open(["wrong one", PASSWORD]);
  assert.equal((await fixture.terminal({ command: "sudo id -u" }))["output"], "0");
  assert.deepEqual(
    fixture.asked.map((question) => (question.kind === "text" ? question.text.split(",")[0] : "")),
    ["Password for sudo (local)", "Wrong password"],
  );
  await using other = await open(["a", "b", "c", PASSWORD]);
  const refused = await other.call("terminal", { command: "sudo touch /tmp/never-made" });
  assert.equal(refused.kind, "failed");
  assert.match(refused.kind === "failed" ? refused.message : "", /rejected the password 3 times/);
  assert.equal(other.asked.length, 3);
});

test("asks once and runs nothing if the user cancels or does not answer in time", { skip }, async () => {
  for (const reason of ["cancelled", "timeout"] as const) {
    await using fixture = await open([{ kind: "none", reason }]);
    const refused = await fixture.call("terminal", { command: "sudo id -u" });
    assert.ok(refused.kind === "failed");
    assert.match(refused.message, /the user entered none\. The command was not run/);
    assert.equal(fixture.asked.length, 1);
  }
});

test(
  "`sudo -k` asks nothing, the next command reuses the password, and a rejected one is asked for again",
  { skip },
  async () => {
    await using fixture = await open([PASSWORD, "old one", NEW_PASSWORD]);
    assert.equal((await fixture.terminal({ command: "sudo -k" }))["exit_code"], 0);
    assert.equal(fixture.asked.length, 0);
    assert.equal((await fixture.terminal({ command: "sudo id -u; sudo -k; sudo id -u" }))["output"], "0\n0");
    assert.equal(fixture.asked.length, 1);
    fixture.passwordNow(NEW_PASSWORD);
    assert.equal((await fixture.terminal({ command: "sudo id -u" }))["output"], "0");
    assert.equal(fixture.asked.length, 3, "tries the cached password, then a wrong one, then the right one");
    assert.ok(!/battery|tower/.test(JSON.stringify([fixture.facts(), fixture.logged()])));
  },
);

test("without a user to ask, runs nothing and explains what would help", { skip }, async () => {
  await using fixture = await open(undefined);
  const refused = await fixture.call("terminal", { command: "echo begun; sudo id -u" });
  assert.ok(refused.kind === "failed");
  assert.deepEqual(
    [refused.code, refused.data],
    ["nobody", { output: "", exit_code: -1, status: "error", sudo_auth_failed: true }],
  );
  assert.match(refused.hint ?? "", /SUDO_PASSWORD/);
});

test("uses the password from the settings without asking, and leaves `sudo -n` alone", { skip }, async () => {
  await using fixture = await open(undefined, PASSWORD);
  assert.equal((await fixture.terminal({ command: "sudo id -u" }))["output"], "0");
  assert.equal((await fixture.terminal({ command: "sudo -n id -u" }))["exit_code"], 1);
  await fixture.until(() => fixture.helpers().length === 0);
});

const helpers = () => readdirSync(tmpdir()).filter((name) => name.startsWith("hermes-sudo-"));

/**
 * A session whose terminal runs as another user, who needs a password for sudo. That user exists only in the terminal's
 * namespace.
 */
async function open(answers: readonly (string | Answer)[] | undefined, configured?: string) {
  const before = new Set(helpers());
  const log = quietLog();
  const folder = mkdtempSync(join(tmpdir(), "sudo-test-"));
  chmodSync(folder, 0o755);
  const passwordNow = (password: string) => {
    const hash = spawnSync("openssl", ["passwd", "-6", "-stdin"], { input: password, encoding: "utf8" }).stdout.trim();
    writeFileSync(join(folder, "shadow"), `${readFileSync("/etc/shadow", "utf8")}tester:${hash}:19000:0:99999:7:::\n`, {
      mode: 0o600,
    });
  };
  passwordNow(PASSWORD);
  writeFileSync(
    join(folder, "passwd"),
    `${readFileSync("/etc/passwd", "utf8")}tester:x:${UID}:65534::/tmp:/bin/bash\n`,
  );
  writeFileSync(
    join(folder, "sudoers"),
    "Defaults !lecture, timestamp_timeout=0\nroot ALL=(ALL) NOPASSWD: ALL\ntester ALL=(ALL) ALL\n",
    { mode: 0o440 },
  );
  const enter = `for name in passwd shadow sudoers; do mount --bind "${folder}/$name" /etc/$name || exit 1; done; exec setpriv --reuid ${UID} --regid 65534 --clear-groups --inh-caps +dac_override --ambient-caps +dac_override "$@"`;
  const backend = new LocalBackend(
    { auto_source_bashrc: false },
    log,
    { ...process.env, HOME: "/tmp" },
    async () => (launch) => ({ ...launch, argv: ["unshare", "--mount", "sh", "-c", enter, "sh", ...launch.argv] }),
  );
  const asked: Question[] = [];
  const user: Prompter = {
    async ask(question) {
      if (question.kind === "approval") return { kind: "approved", scope: "once" };
      asked.push(question);
      const answer = answers?.[asked.length - 1] ?? "";
      return typeof answer === "string" ? { kind: "text", text: answer } : answer;
    },
  };
  const tools: AnyTool[] = [];
  const nothing = { [Symbol.dispose]() {} };
  const context = {
    log,
    home: folder,
    setting: () => undefined,
    signal: new AbortController().signal,
    use: async () => backend,
    redact: (text: string) => text,
    command: () => nothing,
    cli: () => nothing,
    hook: () => nothing,
    onUnload: () => {},
    tool: (tool: AnyTool) => (
      tools.push(
        configured === undefined
          ? tool
          : {
              ...tool,
              execute: (input: never, running: ToolContext) =>
                tool.execute(input, {
                  ...running,
                  config: (path) => (path === "terminal.sudo_password" ? configured : undefined),
                }),
            },
      ),
      nothing
    ),
  };
  void registerTerminal(context as unknown as PluginContext);
  const opened = await testSession({
    model: scriptedModel([]),
    tools,
    slots: { terminal: backend },
    cwd: "/tmp",
    yolo: true,
    prompter: answers === undefined ? undefined : user,
  });
  const call = (tool: string, args: JsonObject): Promise<ToolOutcome> => opened.session.call(tool, args);
  const value = async (tool: string, args: JsonObject): Promise<{ readonly [key: string]: string }> => {
    const outcome = await call(tool, args);
    assert.equal(outcome.kind, "ok", JSON.stringify(outcome));
    return (outcome as { readonly value: { readonly [key: string]: string } }).value;
  };
  return {
    asked,
    passwordNow,
    call,
    facts: () => opened.facts(),
    logged: () => [...log.lines, ...opened.log.lines],
    terminal: (args: JsonObject) => value("terminal", args),
    process: (args: JsonObject) => value("process", args),
    /** Folders of sudo helpers that this process created and did not remove. */
    helpers: () => helpers().filter((name) => !before.has(name)),
    async until(holds: () => boolean) {
      await waitFor(holds);
    },
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      await backend[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
