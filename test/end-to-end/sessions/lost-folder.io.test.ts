import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../../src/contract/common/json.ts";
import { textOf } from "../../../src/contract/conversation/part.ts";
import { shownOf, toSettled } from "../../../src/contract/tools/outcome.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { scene } from "../support/family.ts";

// field: S21
test("if a session's folder is gone, runs no command elsewhere before the model knows the terminal's directory", async (t) => {
  await using server = await startOpenAiServer([{ text: "unused" }]);
  const { app, prompter: user } = await scene(t, server.url);
  const folder = join(user.folder, "project/deep");
  mkdirSync(folder, { recursive: true });
  await using session = await app.openSession({ surface: "cli", cwd: folder });
  rmSync(join(user.folder, "project"), { recursive: true });
  const call = async (args: JsonObject): Promise<string> =>
    textOf(shownOf(toSettled(await session.call("terminal", args))));
  const refused = await call({ command: "touch here.txt; pwd" });
  assert.match(refused, /The session's folder \S+project\/deep no longer exists\. Nothing was run\./);
  assert.ok(refused.includes(`The terminal is in ${user.folder}.`), refused);
  assert.match(await call({ command: "ls; pwd" }), new RegExp(`"output":"${user.folder}`));

  await using other = await app.openSession({ surface: "cli", cwd: folder });
  const named = textOf(shownOf(toSettled(await other.call("terminal", { command: "pwd", workdir: user.folder }))));
  assert.match(named, new RegExp(`"output":"${user.folder}`), "a call that names its folder runs there");
});
