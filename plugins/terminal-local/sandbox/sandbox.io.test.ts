import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { quietLog, waitFor } from "hermes-agent/testing";
import { Enclosure } from "./enclosure.ts";
import { makeProfile } from "./profile.ts";
import { noProxy, openSandbox, whyNoSandbox } from "./testing/sandbox-bench.ts";
import { gone, running, started } from "./testing/running.ts";
import { Stopwatch } from "../../../src/testing/stopwatch.ts";

const skip = await whyNoSandbox();
const options = (signal: AbortSignal) => ({ signal, timeoutMs: 120_000 });

describe("work inside the sandbox", { skip }, () => {
  test("can commit, build and clean a repository, and fill caches", async () => {
    await using sandbox = await openSandbox({}, ({ work }) => {
      writeFileSync(join(work, ".gitignore"), ".env\n");
      writeFileSync(join(work, "main.c"), "int main(void) { return 0; }\n");
    });
    const git = "git -c user.name=me -c user.email=me@example.com";
    const { output, exitCode } = await sandbox.run(
      `set -e; ${git} add -A; ${git} commit -qm first; git status --short; git log --format=%s; mkdir -p ~/.cache/tool; echo x >~/.cache/tool/x; mkdir build; cp main.c build; rm -rf build; mktemp -d >/dev/null; echo ok`,
    );
    assert.deepEqual({ output, exitCode }, { output: "first\nok\n", exitCode: 0 });
    assert.equal(readFileSync(join(sandbox.home, ".cache", "tool", "x"), "utf8"), "x\n");
  });

  test("can commit in another worktree of a repository, but not change the repository's hooks", async () => {
    await using sandbox = await openSandbox();
    const git = "git -c user.name=me -c user.email=me@example.com";
    const tree = join(sandbox.root, "tree");
    const made = spawnSync(
      "bash",
      ["-c", `cd '${sandbox.work}' && ${git} commit -q --allow-empty -m first && ${git} worktree add -q '${tree}'`],
      { encoding: "utf8", env: { ...process.env, HOME: sandbox.home } },
    );
    assert.equal(made.status, 0, made.stderr);
    const terminal = await sandbox.backend.open({ key: "tree", cwd: tree }, sandbox.signal);
    const { output } = await terminal.run(
      `echo x >x; ${git} add x && ${git} commit -qm second && git log --format=%s; touch '${sandbox.work}/.git/hooks/x' '${sandbox.work}/x' 2>/dev/null || echo kept`,
      options(sandbox.signal),
    );
    assert.equal(output, "second\nfirst\nkept\n");
  });

  test("programs communicate with their children, resolve names and listen on ports", async () => {
    await using sandbox = await openSandbox();
    const program =
      "const { spawnSync } = require('node:child_process'); require('node:net').createServer().listen(0, '127.0.0.1', function () { console.log(spawnSync('echo', ['child']).stdout + 'listens'); this.close(); });";
    const { output } = await sandbox.run(
      `'${process.execPath}' -e "${program}"; getent hosts localhost >/dev/null && echo found`,
    );
    assert.equal(output, "child\nlistens\nfound\n");
  });

  test("runs the agent's skills, and accesses the paths in sandbox.read and sandbox.write", async () => {
    await using sandbox = await openSandbox({ read: [".env"], write: ["../../elsewhere"] });
    const { output } = await sandbox.run(
      "cat ~/.hermes/skills/hello; echo; grep -c canary .env; echo x >../../elsewhere/x && echo written",
    );
    assert.equal(output, "a skill\n1\nwritten\n");
  });

  test("reserves protected names while a shell runs, hides them from git, and frees them afterwards", async () => {
    await using sandbox = await openSandbox();
    const first = await sandbox.backend.open({ key: "first", cwd: sandbox.work }, sandbox.signal);
    const second = await sandbox.backend.open({ key: "second", cwd: sandbox.work }, sandbox.signal);
    for (const terminal of [first, second])
      assert.doesNotMatch((await terminal.run("git status --short", options(sandbox.signal))).output, /vscode|envrc/);
    await first[Symbol.asyncDispose]();
    assert.match((await second.run("echo x >.envrc", options(sandbox.signal))).output, /Is a directory/);
    assert.ok(existsSync(join(sandbox.work, ".vscode")), "the second shell still counts on it");
    await second[Symbol.asyncDispose]();
    assert.deepEqual(readdirSync(sandbox.work).sort(), [".env", ".git"]);
  });

  test("the program that runs the agent is available even if it is in the agent's home", async () => {
    await using sandbox = await openSandbox({}, ({ agentHome }) => {
      mkdirSync(join(agentHome, "node"));
      writeFileSync(join(agentHome, "node", "node"), "");
    });
    const node = join(sandbox.agentHome, "node", "node");
    const places = {
      cwd: sandbox.work,
      home: sandbox.home,
      agentHome: sandbox.agentHome,
      pipes: "/none",
      path: "",
      own: [],
      write: [],
      read: [],
      network: "proxy",
    } as const;
    assert.ok(makeProfile({ ...places, node }).show.includes(node));
    assert.ok(!makeProfile({ ...places, node: process.execPath }).show.includes(process.execPath));
  });

  test("git stash and clean handle new files, and leave reserved names alone", async () => {
    await using sandbox = await openSandbox({}, ({ work }) => {
      mkdirSync(join(work, ".git", "info"));
      writeFileSync(join(work, ".git", "info", "exclude"), "*.100%\n");
    });
    const { output } = await sandbox.run(
      "export EMAIL=me@example.com GIT_AUTHOR_NAME=me GIT_COMMITTER_NAME=me; echo .env >.gitignore; git add .gitignore; git commit -qm first; touch new kept.100%; git stash -qu && git stash pop -q >/dev/null && git clean -fd && ls; tail -2 .git/info/exclude",
    );
    assert.equal(output, "Removing new\nkept.100%\n/.vscode/\n/.envrc/\n");
    assert.equal(readFileSync(join(sandbox.work, ".git", "info", "exclude"), "utf8"), "*.100%\n");
  });

  test("in a home, the user's folders are writable; the home itself and dot files are not", async () => {
    await using sandbox = await openSandbox({}, ({ home }) => void mkdirSync(join(home, "Documents")));
    const terminal = await sandbox.backend.open({ key: "home", cwd: sandbox.home }, sandbox.signal);
    const { output } = await terminal.run(
      "echo x >Documents/x && echo written; (echo x >new) 2>/dev/null || echo kept; mkdir .config 2>/dev/null || echo kept",
      options(sandbox.signal),
    );
    assert.equal(output, "written\nkept\nkept\n");
  });
});

describe("child processes in the sandbox", { skip }, () => {
  // req: R-29
  test("every process ends within two seconds after the agent was killed, whatever it did to detach", async () => {
    const word = `98${process.pid}`;
    const program = `
      import { openSandbox } from ${JSON.stringify(join(import.meta.dirname, "testing", "sandbox-bench.ts"))};
      const sandbox = await openSandbox();
      await sandbox.run("(setsid nohup env -i /bin/sleep ${word} >/dev/null 2>&1 &); (trap '' TERM HUP INT; setsid sleep ${word} &)");
      await sandbox.terminal.spawn("sleep ${word}", {});
      console.log(sandbox.root);
      setInterval(() => {}, 1000);
    `;
    const agent = spawn(process.execPath, ["--conditions=hermes-source", "--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
      cwd: import.meta.dirname,
    });
    const root = await new Promise<string>((resolve) =>
      agent.stdout.once("data", (bytes: Buffer) => resolve(String(bytes).trim())),
    );
    try {
      await started(word, 3);
      agent.kill("SIGKILL");
      const watch = new Stopwatch();
      while (running(word).length > 0) {
        watch.assertWithin(2_000, "the end of all");
        await wait(50);
      }
    } finally {
      spawnSync("rm", ["-rf", root]);
    }
  });

  test("starting and cancelling two hundred commands leaves no process and no descriptor", async () => {
    await using sandbox = await openSandbox();
    await sandbox.run("true");
    const word = `97${process.pid}`;
    const open = () => readdirSync("/proc/self/fd").length;
    const before = open();
    for (let round = 0; round < 10; round += 1) {
      const children = await Promise.all(
        Array.from({ length: 20 }, () => sandbox.terminal.spawn(`(setsid sleep ${word} &); exec sleep ${word}`, {})),
      );
      await Promise.all(children.map((child) => child.kill()));
    }
    await gone(word);
    await waitFor(() => open() <= before + 10);
    assert.ok(open() <= before + 10, `${open()} descriptors, ${before} before`);
  });
});

test("without a usable sandbox, `auto` runs unsandboxed with the reason, and `on` runs nothing", async () => {
  const enclosure = (mode: "auto" | "on" | "off") =>
    new Enclosure({
      settings: () => ({ mode, network: "open", hosts: [], write: [], read: [] }),
      home: "/",
      agentHome: "/.hermes",
      pipes: () => "/none",
      proxy: noProxy,
      log: quietLog(),
      platform: "linux",
      environment: { PATH: "/nowhere" },
    });
  assert.equal(await enclosure("auto").around("/"), undefined);
  assert.deepEqual(await enclosure("auto").state(), {
    kind: "missing",
    words: "bubblewrap is not installed",
    hint: "Install bubblewrap (apt install bubblewrap), or allow it user namespaces.",
  });
  await assert.rejects(
    enclosure("on").around("/"),
    /sandbox\.mode is on, so commands need a sandbox, and it is not available: bubblewrap is not installed/,
  );
  assert.equal(await enclosure("off").around("/"), undefined);
  assert.deepEqual(await enclosure("off").state(), { kind: "off", words: "sandbox.mode is off" });
});
