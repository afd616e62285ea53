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

test("a built-in tool is replaced only by a plugin whose person agreed, under whichever of its names", () => {
  assert.equal(
    refusedNames(own("mine"), "tool", ["shell", "terminal"], BUILT_IN),
    'The plugin "mine" would replace the built-in tool "terminal" and nobody agreed to that; its own is not registered.',
  );
  assert.equal(refusedNames(own("trusted"), "tool", ["terminal"], BUILT_IN), undefined);
  assert.match(
    refusedNames(own("trusted"), "tool", ["terminal", "process"], BUILT_IN) ?? "",
    /would replace the built-in tool "process" and nobody agreed/,
  );
  assert.equal(refusedNames(own("mine"), "tool", ["help", "shell"], BUILT_IN), undefined);
});

test("a built-in command is nobody's to replace, whatever was agreed to; ours are", () => {
  assert.equal(
    refusedNames(own("trusted"), "command", ["help"], BUILT_IN),
    'The slash command "/help" is built in; the one of the plugin "trusted" is not registered.',
  );
  assert.equal(refusedNames(own("mine"), "command", ["terminal"], BUILT_IN), undefined);
  assert.equal(refusedNames({ key: "ours", source: "bundled" }, "tool", ["terminal"], BUILT_IN), undefined);
  assert.deepEqual(asked, ["mine: terminal", "trusted: terminal", "trusted: terminal", "trusted: process"]);
});

test("a command of hermes is none of the agent's own", () => {
  assert.equal(
    refusedNames(own("trusted"), "cli", ["doctor"], BUILT_IN),
    'The command "hermes doctor" is built in; the one of the plugin "trusted" is not registered.',
  );
  assert.equal(refusedNames(own("mine"), "cli", ["tides"], BUILT_IN), undefined);
});
