import assert from "node:assert/strict";
import { test } from "node:test";
import { refusedNames } from "./built-in-names.ts";

const asked: string[] = [];
const BUILT_IN = {
  command: (name: string) => name === "help",
  cli: (word: string) => word === "doctor",
  tool: (name: string) => name === "terminal" || name === "process",
  agreed: (plugin: string, tool: string) => (
    asked.push(`${plugin}: ${tool}`),
    plugin === "trusted" && tool === "terminal"
  ),
};
const own = (key: string) => ({ key, source: "user" as const });

test("a plugin replaces a built-in tool, by any of its names, only if the user agreed", () => {
  assert.equal(
    refusedNames(own("mine"), "tool", ["shell", "terminal"], BUILT_IN),
    'The plugin "mine" would replace the built-in tool "terminal", and you did not agree to that, so its tool is not registered.',
  );
  assert.equal(refusedNames(own("trusted"), "tool", ["terminal"], BUILT_IN), undefined);
  assert.match(
    refusedNames(own("trusted"), "tool", ["terminal", "process"], BUILT_IN) ?? "",
    /would replace the built-in tool "process", and you did not agree/,
  );
  assert.equal(refusedNames(own("mine"), "tool", ["help", "shell"], BUILT_IN), undefined);
});

test("no consent lets a plugin replace a built-in command; bundled plugins may", () => {
  assert.equal(
    refusedNames(own("trusted"), "command", ["help"], BUILT_IN),
    'The slash command "/help" is built in, so the one of the plugin "trusted" is not registered.',
  );
  assert.equal(refusedNames(own("mine"), "command", ["terminal"], BUILT_IN), undefined);
  assert.equal(refusedNames({ key: "ours", source: "bundled" }, "tool", ["terminal"], BUILT_IN), undefined);
  assert.deepEqual(asked, ["mine: terminal", "trusted: terminal", "trusted: terminal", "trusted: process"]);
});

test("a command of hermes is not a slash command of the agent", () => {
  assert.equal(
    refusedNames(own("trusted"), "cli", ["doctor"], BUILT_IN),
    'The command "hermes doctor" is built in, so the one of the plugin "trusted" is not registered.',
  );
  assert.equal(refusedNames(own("mine"), "cli", ["tides"], BUILT_IN), undefined);
});
