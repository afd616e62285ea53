import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import type { App } from "../../../src/contract/services/app.ts";
import type { ApprovalRequest } from "../../../src/contract/tools/approval.ts";
import type { Fact } from "../../../src/contract/conversation/fact.ts";
import type { JsonObject } from "../../../src/contract/common/json.ts";
import type { Answer } from "../../../src/contract/conversation/question.ts";
import type { Session } from "../../../src/contract/conversation/session.ts";
import { openApp } from "../../../src/host/app/open-app.ts";
import { pathWithout } from "../../path-without.ts";
import { Sshd, WITHOUT_SSHD } from "../../../plugins/terminal-ssh/testing/sshd.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NewUser } from "../support/test-user.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";

const withPython = spawnSync("python3", ["--version"]).status === 0 ? {} : { skip: "there is no python3" };

interface Scene {
  readonly prompter: NewUser;
  readonly app: App;
  readonly session: Session;
  /** The questions, in order. */
  readonly asked: ApprovalRequest[];
  facts(): Promise<readonly Fact[]>;
  run(code: string): Promise<Result>;
}

interface Result {
  readonly status: string;
  readonly output: string;
  readonly exit_code: number;
  readonly tool_calls_made: number;
  readonly error?: string;
  readonly [key: string]: unknown;
}

async function scene(
  t: TestContext,
  {
    config = "",
    says = "once",
    toolsets,
    plugin,
  }: {
    readonly config?: string;
    readonly says?: "once" | "deny";
    readonly toolsets?: { readonly enabled: readonly string[] };
    readonly plugin?: string;
  } = {},
): Promise<Scene> {
  const user = new NewUser();
  t.after(() => user[Symbol.dispose]());
  if (plugin !== undefined) {
    user.write("~/.hermes/plugins/extra/plugin.yaml", "name: extra\nversion: 1.0.0\ndescription: Brings tools\n");
    user.write("~/.hermes/plugins/extra/index.mjs", plugin);
  }
  user.write(
    "~/.hermes/config.yaml",
    `${config.startsWith("terminal:") ? "" : "terminal:\n  auto_source_bashrc: false\n"}${plugin === undefined ? "" : "plugins:\n  enabled: [extra]\n  entries:\n    extra:\n      allow_tool_override: true\n"}${config}`,
  );
  user.write("~/.hermes/.env", "SERVICE_API_KEY=key-of-the-test\n");
  const app = await openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
  t.after(() => app[Symbol.asyncDispose]());
  const asked: ApprovalRequest[] = [];
  const answer = async (question: { readonly kind: string; readonly request?: ApprovalRequest }): Promise<Answer> => {
    if (question.request !== undefined) asked.push(question.request);
    return says === "once" ? { kind: "approved", scope: "once" } : { kind: "refused" };
  };
  const session = await app.openSession({
    surface: "cli",
    cwd: user.folder,
    prompter: { ask: answer as never },
    toolsets,
  });
  return {
    prompter: user,
    app,
    session,
    asked,
    facts: async () => (await Array.fromAsync(app.sessions.facts(session.id))).map(({ fact }) => fact),
    async run(code) {
      const outcome = await session.call("execute_code", { code });
      assert.equal(outcome.kind, "ok", JSON.stringify(outcome));
      return (outcome as unknown as { readonly value: JsonObject }).value as unknown as Result;
    },
  };
}

/** Waits for what another process does. */
async function until(what: string, happened: () => boolean): Promise<void> {
  await waitFor(happened, { what });
}

const processesWith = (mark: string): number =>
  readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(mark)).length;

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return ""; // It has ended.
  }
}

test("without python3, the tool is not offered, with the reason", async (t) => {
  using elsewhere = pathWithout("python3", "hermes");
  const user = new NewUser();
  t.after(() => user[Symbol.dispose]());
  const app = await openApp({
    version: "0",
    env: { HOME: user.home, PATH: elsewhere.path },
    signal: new AbortController().signal,
  });
  t.after(() => app[Symbol.asyncDispose]());
  const listed = (await app.tools.list({ surface: "cli", prompter: true })).find(
    ({ declaration }) => declaration.name === "execute_code",
  );
  assert.deepEqual(listed?.availability, { ok: false, reason: "There is no python3 on PATH.", needs: ["python3"] });
});

describe("execute_code", withPython, () => {
  // req: tool-execute-code.run
  test("returns a script's output and exit status, also if it fails, exits or prints other alphabets", async (t) => {
    const at = await scene(t);
    const { duration_seconds, ...whole } = await at.run("print(6*7)");
    assert.equal(typeof duration_seconds, "number");
    assert.deepEqual(whole, {
      status: "success",
      output: "42\n",
      exit_code: 0,
      stdout_truncated: false,
      stdout_bytes_captured: 3,
      stdout_bytes_total: 3,
      stdout_bytes_omitted: 0,
      tool_calls_made: 0,
    });
    const failed = await at.run("print('before')\n1/0");
    assert.deepEqual(
      [failed.status, failed.exit_code, failed.error],
      ["error", 1, "ZeroDivisionError: division by zero"],
    );
    assert.match(
      failed.output,
      /^before\n--- stderr ---\nTraceback[^]*script\.py", line 2[^]*ZeroDivisionError: division by zero\n$/,
    );
    const left = await at.run("import sys\nsys.exit(3)");
    assert.deepEqual([left.status, left.exit_code, left.error], ["error", 3, "Script exited with code 3"]);
    const unicode = await at.run("print('漢字 naïve 🐍', '\\x1b[31mred\\x1b[0m')");
    assert.equal(unicode.output, "漢字 naïve 🐍 red\n");
  });

  // req: tool-execute-code.tool-rpc
  test("a script calls only the session's tools, gets the model's view of results, and its calls are recorded", async (t) => {
    const plugin = `export default (ctx) => ctx.tool({ name: "web_search", toolset: "web", description: "Searches.", effect: "network", input: { type: "object", properties: { query: { type: "string" }, limit: { type: "integer" } } }, execute: async ({ query, limit }) => ({ results: [query, limit] }) });`;
    const at = await scene(t, { plugin, config: "toolsets: [hermes-cli]\n" });
    at.prompter.write("a.txt", "alpha");
    const { output, tool_calls_made } = await at.run(`
import hermes_tools
from hermes_tools import web_search, read_file
print(web_search("x")["results"], read_file("a.txt")["content"])
print(read_file("absent.txt")["error"])
try:
    hermes_tools.execute_code
except ImportError as refusal:
    print(refusal)
print(hermes_tools._call("delegate_task", {"goal": "x"}))
print(hermes_tools._call("terminal", {"command": "true", "background": True}))`);
    const lines = output.split("\n");
    assert.equal(lines[0], "['x', 5] 1|alpha");
    assert.match(lines[1]!, /^File not found/);
    assert.match(lines[2]!, /hermes_tools has no 'execute_code'\. .*web_search, web_extract, read_file, write_file/);
    assert.match(lines[3]!, /This script cannot call "delegate_task"\./);
    assert.match(lines[4]!, /terminal accepts command, timeout, workdir, not "background"/);
    assert.equal(tool_calls_made, 3);
    const facts = await at.facts();
    const outer = facts.find((fact) => fact.type === "tool.called" && fact.tool === "execute_code");
    assert.ok(outer?.type === "tool.called");
    assert.deepEqual(
      facts.flatMap((fact) =>
        fact.type === "tool.called" && fact.parentCallId === outer.callId ? [[fact.tool, fact.by]] : [],
      ),
      [
        ["web_search", "plugin"],
        ["read_file", "plugin"],
        ["read_file", "plugin"],
      ],
    );
    // Content of a page that the script has read is untrusted in its output too.
    const settled = facts.find((fact) => fact.type === "tool.settled" && fact.callId === outer.callId);
    assert.deepEqual(
      settled?.type === "tool.settled" && settled.outcome.kind === "ok"
        ? settled.outcome.shown[0]?.from?.source
        : settled,
      "web_search",
    );
  });

  test("a session without tools for scripts reports that", async (t) => {
    const at = await scene(t, { toolsets: { enabled: ["code_execution"] } });
    assert.equal(
      (await at.run("import hermes_tools\nprint(hermes_tools.__doc__)")).output,
      "This session has no tools that scripts can call.\n",
    );
    const offered = (
      await at.run("import hermes_tools\ntry:\n  hermes_tools.terminal('true')\nexcept ImportError as e: print(e)")
    ).output;
    assert.match(offered, /hermes_tools has no 'terminal'\. This session has no tools/);
  });

  // req: R-60
  test("a script's calls need approval like any call, and the script gets a denial as an error", async (t) => {
    for (const says of ["once", "deny"] as const) {
      const at = await scene(t, { says });
      at.prompter.write("build/x", "");
      const { output } = await at.run("from hermes_tools import terminal\nprint(terminal('rm -rf build'))");
      assert.deepEqual(
        at.asked.map(({ tool, subject, risk }) => [tool, subject, risk.key]),
        [["terminal", "rm -rf build", "recursive delete"]],
      );
      assert.equal(existsSync(join(at.prompter.folder, "build")), says === "deny");
      if (says === "deny") assert.match(output, /'status': 'blocked'/);
    }
  });

  test("asks about a script's own effects by its whole text; hard blocks hold", async (t) => {
    const at = await scene(t, { says: "deny" });
    const denied = await at.session.call("execute_code", { code: "import shutil\nshutil.rmtree('build')" });
    assert.deepEqual(
      [denied.kind, at.asked.length, at.asked[0]?.subject, at.asked[0]?.risk.rule],
      ["denied", 1, "import shutil\nshutil.rmtree('build')", undefined],
    );
    assert.match(at.asked[0]?.risk.where ?? "", /this machine/);
    const blocked = await at.session.call("execute_code", { code: "import os\nos.system('rm -rf /')" });
    assert.deepEqual([blocked.kind, blocked.kind === "denied" && blocked.by, at.asked.length], ["denied", "safety", 1]);
  });

  test("the user's deny rule applies to a script's processes and calls", async (t) => {
    const at = await scene(t, { config: 'approvals:\n  deny: ["git push *"]\n' });
    const started = await at.session.call("execute_code", {
      code: "import subprocess\nsubprocess.run(['git', 'push', 'origin'])",
    });
    assert.deepEqual([started.kind, started.kind === "denied" && started.by], ["denied", "approvals.deny"]);
    assert.match(
      (await at.run("from hermes_tools import terminal\nprint(terminal('cd . && git push'))")).output,
      /approvals\.deny/,
    );
    assert.equal(at.asked.length, 0);
  });

  test("a script gets no secrets, and runs in the session's folder, or in an empty one in strict mode", async (t) => {
    const code =
      "import os, json\nprint(json.dumps([os.getcwd(), os.listdir('.'), [n for n in dict(os.environ) if 'KEY' in n]]))";
    const project = await scene(t);
    project.prompter.write("mine.py", "VALUE = 5");
    assert.deepEqual(JSON.parse((await project.run(code)).output), [project.prompter.folder, ["mine.py"], []]);
    assert.equal((await project.run("import mine\nprint(mine.VALUE)")).output, "5\n");
    const strict = await scene(t, { config: "code_execution:\n  mode: strict\n" });
    strict.prompter.write("mine.py", "VALUE = 5");
    const [cwd, files, secrets] = JSON.parse((await strict.run(code)).output) as [string, string[], string[]];
    assert.deepEqual(
      [cwd === strict.prompter.folder, files.toSorted(), secrets],
      [false, ["hermes_tools.py", "script.py"], []],
    );
    assert.equal(existsSync(cwd), false);
    assert.match((await strict.run("import mine")).error ?? "", /No module named 'mine'/);
  });

  test("limits the number of a script's calls, which may run in parallel", async (t) => {
    const at = await scene(t, { config: "code_execution:\n  max_tool_calls: 5\n" });
    at.prompter.write("a.txt", "alpha");
    const result = await at.run(`
from concurrent.futures import ThreadPoolExecutor
from hermes_tools import read_file
with ThreadPoolExecutor(8) as pool:
    answers = list(pool.map(lambda n: read_file("a.txt", offset=1, limit=n + 1), range(8)))
print(sum("content" in one and "error" not in one for one in answers), sorted({one["error"] for one in answers if "error" in one}))`);
    assert.deepEqual(
      [result.output, result.tool_calls_made],
      ["5 ['Tool call limit reached (5 in one script); the call was not made.']\n", 5],
    );
  });

  test("truncates huge output in the middle and says so", async (t) => {
    const at = await scene(t);
    const result = await at.run(
      "import sys\nfor n in range(400_000): print('line', n)\nprint('漢' * 50_000)\nsys.stderr.write('x' * 1_000_000)\nsys.exit(1)",
    );
    assert.ok(result.output.length < 70_000, String(result.output.length));
    assert.match(
      result.output,
      /^line 0\nline 1\n[^]*\[OUTPUT TRUNCATED - \d+ bytes omitted out of \d+ total\][^]*漢\n--- stderr ---\nx+/,
    );
    assert.deepEqual([result["stdout_truncated"], result["stdout_bytes_captured"]], [true, 50_000]);
    assert.match(String(result["warning"]), /in the middle, are omitted/);
  });

  test("stops a script at its timeout with all its processes, and keeps its output so far", async (t) => {
    const mark = `${50_000 + process.pid}.5`;
    const code = `
import subprocess, sys, time, signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("begun")
subprocess.Popen(["sleep", "${mark}"], start_new_session=True)
open("ready", "w").close()
time.sleep(1000)`;
    // The start time of python3 varies.
    for (const seconds of [1, 4, 16, 64]) {
      const at = await scene(t, { config: `code_execution:\n  timeout: ${seconds}\n` });
      const result = await at.run(code);
      assert.deepEqual(
        [result.status, result.error, result.exit_code],
        ["timeout", `The script was stopped after ${seconds} s.`, 124],
      );
      if (process.platform === "linux") await until("what it started ends", () => processesWith(mark) === 0);
      if (!existsSync(join(at.prompter.folder, "ready")) && seconds < 64) continue;
      assert.match(result.output, /^begun\n--- stderr ---\nTraceback[^]*KeyboardInterrupt\n$/);
      break;
    }
  });

  test("an interrupted turn ends the script and its calls", async (t) => {
    const at = await scene(t);
    const started = join(at.prompter.folder, "started");
    const running = at.session.call("execute_code", {
      code: `from hermes_tools import terminal\nterminal("touch ${started}; sleep 300")\nprint("never")`,
    });
    await until("the script's call runs", () => existsSync(started));
    await at.session.interrupt("enough");
    const outcome = await running;
    assert.ok(["ok", "cancelled", "unknown"].includes(outcome.kind), JSON.stringify(outcome));
    assert.doesNotMatch(JSON.stringify(outcome), /never/);
    if (process.platform === "linux") await until("its command ends", () => processesWith(started) === 0);
  });

  test("a script that closes, floods or forks its channels harms only itself", async (t) => {
    const at = await scene(t);
    at.prompter.write("a.txt", "alpha");
    const closed = await at.run("import os\nfrom hermes_tools import read_file\nos.closerange(0, 64)\nos._exit(0)");
    assert.deepEqual([closed.status, closed.output], ["success", ""]);
    const garbage = await at.run(
      "import os, hermes_tools\nfor _ in range(20): os.write(hermes_tools._to, b'\\xff garbage {\\n[1]\\n{\"id\": \"x\"}\\n')\nprint(hermes_tools.read_file('a.txt')['content'])",
    );
    assert.equal(garbage.output, "1|alpha\n");
    const flood = await at.run("import os, hermes_tools\nwhile True: os.write(hermes_tools._to, b'garbage\\n')");
    assert.deepEqual(
      [flood.status, flood.error],
      ["error", "The script was stopped: it repeatedly made calls that are not allowed."],
    );
    const forks = await at.run(`
import os, sys, time
from hermes_tools import read_file
if os.fork() == 0:
    try:
        read_file("a.txt")
    except RuntimeError as refusal:
        print(refusal, flush=True)
    os._exit(0)
os.wait()
import subprocess
print(subprocess.run([sys.executable, "-c", "import hermes_tools\\ntry:\\n  hermes_tools.read_file('a.txt')\\nexcept RuntimeError as e: print(e)"], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": os.path.dirname(__file__)}).stdout.strip(), flush=True)
if os.fork() == 0:
    os.setsid()
    time.sleep(1000)
print(read_file("a.txt")["content"])`);
    assert.equal(
      forks.output,
      "hermes_tools works only in the script's own process, not in a forked one.\nhermes_tools works only in the script itself, not in a program that it started.\n1|alpha\n",
    );
    const killer = await at.run("import os, signal, time\nos.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(1000)");
    assert.deepEqual(
      [killer.status, killer.error],
      ["error", "The script's runner was killed before it could report the output."],
    );
    assert.equal((await at.run("print('still there')")).output, "still there\n");
  });

  test("two scripts run at once, each with its own calls and answers", async (t) => {
    const at = await scene(t);
    const code = (n: number): string =>
      `from hermes_tools import terminal\nfor i in range(3): print(terminal("echo ${n}-" + str(i))["output"])`;
    const both = await Promise.all([1, 2].map((n) => at.run(code(n))));
    assert.deepEqual(
      both.map(({ output }) => output),
      ["1-0\n1-1\n1-2\n", "2-0\n2-1\n2-2\n"],
    );
  });

  // req: R-21
  test(
    "kill -9 of the agent leaves no process or file of a script",
    { skip: process.platform === "linux" ? false : "looks into /proc" },
    async (t) => {
      const user = new NewUser();
      t.after(() => user[Symbol.dispose]());
      const mark = `${60_000 + process.pid}.5`;
      const code = `import os, subprocess, time\nsubprocess.Popen(["sleep", "${mark}"], start_new_session=True)\nos.system("sleep ${mark} & touch begun")\ntime.sleep(1000)`;
      await using server = await startOpenAiServer([
        { calls: [{ tool: "execute_code", args: { code } }] },
        { text: "done" },
      ]);
      user.connect("custom", server.url, "terminal:\n  auto_source_bashrc: false\n");
      const agent = user.start(["chat", "-q", "go"]);
      await until("the script runs", () => existsSync(join(user.folder, "begun")));
      assert.ok(processesWith(mark) >= 2);
      agent.kill("SIGKILL");
      await until("all of it ends", () => processesWith(mark) === 0);
    },
  );

  test(
    "runs a script where the terminal's commands run, also on another host",
    { skip: WITHOUT_SSHD ?? false },
    async (t) => {
      await using host = await Sshd.start();
      const at = await scene(t, { config: `terminal: ${JSON.stringify({ ...host.config(), backend: "ssh" })}\n` });
      const result = await at.run(`
import os
from hermes_tools import terminal, write_file, read_file
print(terminal("echo $SSH_CONNECTION")["output"] == os.environ["SSH_CONNECTION"], os.getcwd() == terminal("pwd")["output"])
print(write_file(os.path.join("${at.prompter.folder}", "there.txt"), "alpha").get("error"), read_file("${at.prompter.folder}/there.txt")["content"])`);
      assert.deepEqual(
        [result.status, result.output, result.tool_calls_made],
        ["success", "True True\nNone 1|alpha\n", 4],
        JSON.stringify(result),
      );
    },
  );

  test("removes a script's folder afterwards, and a killed script's folder in a later run", async (t) => {
    const above = mkdtempSync(join(tmpdir(), "hermes-scripts-"));
    t.after(() => rmSync(above, { recursive: true, force: true }));
    const old = (name: string, file: string) => {
      mkdirSync(join(above, name));
      writeFileSync(join(above, name, file), "");
      utimesSync(join(above, name), 1_000, 1_000);
      return join(above, name);
    };
    const left = old("hermes-code-left", "hermes_tools.py");
    const others = old("hermes-code-others", "else.py");
    // A sandbox may have separate temporary files.
    const at = await scene(t, { config: "sandbox:\n  mode: off\n" });
    await at.session.call("terminal", { command: `export TMPDIR=${above}` });
    const { output } = await at.run("print(__file__)");
    assert.ok(output.startsWith(join(above, "hermes-code-")), output);
    await until("its folder is removed", () => !existsSync(output.trim()));
    const finds = `import os, time\nwhile os.path.exists("${left}"): time.sleep(0.05)\nprint(os.path.exists("${others}"))`;
    assert.equal((await at.run(finds)).output, "True\n");
  });
});
