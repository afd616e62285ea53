import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { test } from "node:test";
import type { Answer, Question } from "../../../src/contract/conversation/question.ts";
import { openApp } from "../../../src/host/app/open-app.ts";
import { NewUser } from "../support/test-user.ts";

const skip =
  spawnSync("bwrap", ["--unshare-user", "--unshare-pid", "--disable-userns", "--ro-bind", "/", "/", "true"]).status ===
  0
    ? false
    : "bubblewrap does not work here";

// req: R-29
test(
  "a command blocked by the sandbox reports that, and runs outside after an approval for that one call",
  { skip },
  async () => {
    using user = new NewUser();
    user.write("~/.hermes/config.yaml", "sandbox:\n  mode: auto\n");
    await using app = await openApp({
      version: "0",
      env: { HOME: user.home, PATH: process.env["PATH"] },
      signal: new AbortController().signal,
    });
    const asked: Extract<Question, { kind: "approval" }>[] = [];
    let answer: Answer = { kind: "approved", scope: "once" };
    const ask = async (question: Question): Promise<Answer> =>
      question.kind === "approval" ? (asked.push(question), answer) : { kind: "none", reason: "nobody" };
    await using session = await app.openSession({ surface: "cli", cwd: user.folder, prompter: { ask } });
    const run = async (args: { command: string; outside?: boolean; background?: boolean }) => {
      const outcome = await session.call("terminal", args);
      return outcome.kind === "ok"
        ? (outcome.value as { output: string; exit_code: number; sandbox?: string })
        : outcome;
    };

    const stopped = await run({ command: "touch /etc/hermes-probe" });
    assert.equal(existsSync("/etc/hermes-probe"), false);
    assert.match(JSON.stringify(stopped), /Read-only file system.*outside=true/);
    assert.equal(asked.length, 0, "the kernel refuses the write, so the user is not asked");
    await run({ command: "curl -s http://127.0.0.1:9/x | sh" });
    assert.match(
      asked.at(-1)!.request.risk.where ?? "",
      /^this machine, in a sandbox: writes stay in the task's folder/,
    );

    let before = asked.length;
    assert.match(JSON.stringify(await run({ command: "echo $$" })), /"output":"\d\d?"/);
    assert.equal(asked.length, before, "a harmless command needs no approval");
    assert.match(JSON.stringify(await run({ command: "echo pid $$", outside: true })), /"output":"pid \d{3,}"/);
    assert.deepEqual(
      asked.slice(before).map(({ request, scopes }) => [request.risk.key, request.risk.where, scopes]),
      [["outside the sandbox", "this machine, outside the sandbox, with your rights", ["once"]]],
    );

    const started = (await run({ command: "cat", outside: true, background: true })) as unknown as {
      session_id: string;
    };
    const seen = asked.length;
    const message = await session.call("process", { action: "submit", session_id: started.session_id, data: "hello" });
    assert.deepEqual(
      [message.kind, asked.slice(seen).map(({ request }) => request.risk.key)],
      ["ok", ["outside the sandbox"]],
      "later input to the process needs another approval",
    );
    before = asked.length - 1;

    answer = { kind: "refused" };
    assert.equal((await session.call("terminal", { command: "echo $$", outside: true })).kind, "denied");
    assert.equal(asked.length, before + 2, "the approval applied to one call only");
    const [line] = (await app.doctor()).filter(({ name }) => name === "sandbox");
    assert.match(line?.detail ?? "", /^commands run in a sandbox: writes stay/);
  },
);

// req: R-29
test(
  "explain, test and what-if consider the sandbox: a write it prevents runs unasked, leaving it asks",
  { skip },
  async () => {
    using user = new NewUser();
    user.write("~/.hermes/config.yaml", "sandbox:\n  mode: auto\n");
    await using app = await openApp({
      version: "0",
      env: { HOME: user.home, PATH: process.env["PATH"] },
      signal: new AbortController().signal,
    });
    const asked = { cwd: user.folder };
    const held = await app.approvals.explain("touch /etc/hermes-probe", asked);
    assert.deepEqual([held.answer, held.by], ["runs", "the sandbox, which prevents what would need an approval"]);
    assert.match(
      held.sandbox?.join("\n") ?? "",
      /the sandbox prevents it: Writes \/etc\/hermes-probe.*\n.*outside=true/,
    );
    const inside = await app.approvals.explain("rm -rf build", asked);
    assert.deepEqual([inside.answer, inside.sandbox?.some((line) => line.includes("kernel refuses"))], ["asks", false]);
    assert.match(inside.where ?? "", /in a sandbox: writes stay/);
    assert.deepEqual(
      await Promise.all(
        ["touch /etc/hermes-probe", "rm -rf build", "rm -rf /", "ls"].map((command) =>
          app.approvals.answer(command, asked),
        ),
      ),
      ["runs", "asks", "refused", "runs"],
    );

    const ask = async (question: Question): Promise<Answer> =>
      question.kind === "approval" ? { kind: "refused" } : { kind: "none", reason: "nobody" };
    {
      await using session = await app.openSession({ surface: "cli", cwd: user.folder, prompter: { ask } });
      await session.call("terminal", { command: "touch /etc/hermes-probe" });
      await session.call("terminal", { command: "date", outside: true });
    }
    const { commands, changed } = await app.approvals.whatIf({ mode: "deny" }, { sessions: 5 });
    assert.deepEqual(
      [commands, changed.map(({ command, before, after }) => [command, before.answer, after.answer])],
      [2, [["date", "asks", "refused"]]],
    );

    user.write("~/.hermes/config.yaml", "sandbox:\n  mode: off\n");
    await using without = await openApp({
      version: "0",
      env: { HOME: user.home, PATH: process.env["PATH"] },
      signal: new AbortController().signal,
    });
    const free = await without.approvals.explain("touch /etc/hermes-probe", asked);
    assert.deepEqual([free.answer, free.sandbox], ["asks", undefined]);
  },
);
