import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeCommand } from "../command.ts";

const judge = (command: string) => judgeCommand(command, { cwd: "/home/u/project", home: "/home/u" });

test("installing packages where the agent loads code changes the agent, however the folder is written", async () => {
  for (const command of [
    "npm install --prefix ~/.hermes/packages/own left-pad",
    "npm --prefix=/home/u/.hermes/packages/own i left-pad",
    "cd ~/.hermes/packages/own && npm i left-pad",
    "pnpm -C ~/.hermes/packages/own add left-pad",
    "yarn --cwd ~/.hermes/packages/own add left-pad",
    "bun add left-pad --cwd ~/.hermes/packages/own",
    "cd ~/.hermes/packages/own; npm uninstall left-pad",
  ]) {
    const { answer, key } = await judge(command);
    assert.deepEqual([command, answer, key], [command, "ask", "change of the agent's own configuration"]);
  }
  for (const command of [
    "npm install",
    "npm ci",
    "npm i -D vitest",
    "npm install -g prettier",
    "pnpm -C web add left-pad",
    "yarn --cwd web add left-pad",
    "bun add left-pad",
    "bun install --cwd web",
    "npm view left-pad",
  ]) {
    assert.deepEqual([command, (await judge(command)).answer], [command, "allow"]);
  }
});
