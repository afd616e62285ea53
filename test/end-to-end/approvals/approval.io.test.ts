import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Answer, Question } from "../../../src/contract/conversation/question.ts";
import { openApp } from "../../../src/host/app/open-app.ts";
import { detectDangerousCommand } from "../../../src/plugin.ts";
import { NewUser } from "../support/test-user.ts";

// req: approval.detect-before-run
test("asks about a dangerous command before any part of it runs, and a denial leaves no trace", async () => {
  using user = new NewUser();
  user.write("build/a.txt", "keep");
  const command = "touch made; rm -rf build";
  assert.equal((await detectDangerousCommand(command))?.answer, "ask");
  assert.equal(await detectDangerousCommand("touch made; ls build"), undefined);
  const asked: Question[] = [];
  const answers: Answer[] = [{ kind: "refused" }, { kind: "approved", scope: "once" }];
  const ask = async (question: Question): Promise<Answer> => {
    asked.push(question);
    assert.equal(existsSync(join(user.folder, "made")), false, "nothing ran before the answer");
    return answers.shift()!;
  };
  const app = await openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
  try {
    const session = await app.openSession({ surface: "cli", cwd: user.folder, prompter: { ask } });
    const denied = await session.call("terminal", { command });
    assert.equal(denied.kind, "denied");
    assert.deepEqual(
      [existsSync(join(user.folder, "made")), existsSync(join(user.folder, "build/a.txt"))],
      [false, true],
    );
    assert.equal((await session.call("terminal", { command })).kind, "ok");
    assert.deepEqual([existsSync(join(user.folder, "made")), existsSync(join(user.folder, "build"))], [true, false]);
    assert.deepEqual(
      asked.map((question) => question.kind === "approval" && question.request.subject),
      [command, command],
    );
  } finally {
    await app[Symbol.asyncDispose]();
  }
});
