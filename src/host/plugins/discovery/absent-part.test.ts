import assert from "node:assert/strict";
import { test } from "node:test";
import { absentPart } from "./absent-part.ts";

// req: plugins.python-bridge
test("reports a plugin's failure as a missing part of the original when it is one", () => {
  const output = (message: string) => absentPart(new Error("The plugin cannot be used", { cause: new Error(message) }));
  const part = (name: string) => `"${name}" is a part of the Python original that does not exist here.`;
  assert.equal(output("No module named 'hermes_cli.projects_db'"), part("hermes_cli.projects_db"));
  assert.equal(
    output("cannot import name 'projects_db' from 'hermes_cli' (/a/hermes_cli/__init__.py)"),
    part("hermes_cli.projects_db"),
  );
  for (const words of [
    "'PluginContext' has no attribute 'register_moon'",
    "'PluginContext' object has no attribute 'register_moon'",
  ])
    assert.equal(output(words), `"ctx.register_moon" does not exist in this version's plugin context.`);
  for (const other of [
    "No module named 'numpy'",
    "cannot import name 'x' from 'numpy' (/a)",
    "'Thing' object has no attribute 'x'",
    "boom",
  ])
    assert.equal(output(other), undefined);
  assert.equal(absentPart("text"), undefined);
});
