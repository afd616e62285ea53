import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "../..");
const sources = globSync(["src/**/*.ts", "plugins/**/*.ts"], { cwd: root })
  .filter((file) => !/(\.test|\.bench|-fixture|-cases|-contract)\.ts$/.test(file) && !/\/testing\//.test(file))
  .sort();
const filesWith = (pattern: RegExp): readonly string[] =>
  sources.filter((file) => pattern.test(readFileSync(join(root, file), "utf8")));

// req: R-60
test("a tool is run in one place, so whatever calls one passes its guards, hooks and approvals: who adds a way to call tools has no other road", () => {
  assert.deepEqual(filesWith(/\.execute\(/), [
    "src/engine/dispatch/run-tool.ts",
    "src/host/plugins/service/try-tool.ts", // `hermes plugins test`: an author tries a handler alone.
    "src/plugin-runtimes/node/child/child-tool.ts", // The far end of that place's own call, in the plugin's process.
  ]);
  assert.deepEqual(filesWith(/[^.\w]runTool\(/), [
    "src/engine/dispatch/dispatch.ts",
    "src/engine/dispatch/run-tool.ts",
  ]);
  assert.deepEqual(filesWith(/createDispatch\(/), [
    "src/engine/dispatch/dispatch.ts",
    "src/host/app/prepare-engine.ts",
    "src/host/compat/compat-runtime.ts",
    "src/host/plugins/service/try-tool.ts",
  ]);
});

test("a slash command of any surface is run in one place, behind those who watch commands", () => {
  assert.deepEqual(
    filesWith(/beforeCommand\(/).filter((file) => file.startsWith("src/surfaces")),
    ["src/surfaces/shared/commands/run-slash-command.ts"],
  );
  assert.deepEqual(filesWith(/command\.run\(args, /), [
    "src/host/app/assemble-app.ts", // Around each plugin's command, so that it knows its session.
    "src/surfaces/shared/commands/run-slash-command.ts",
  ]);
});
