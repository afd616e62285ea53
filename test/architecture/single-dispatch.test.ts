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
test("only the dispatch pipeline runs tools, so no caller can skip guards, hooks and approvals", () => {
  assert.deepEqual(filesWith(/\.execute\(/), [
    "src/engine/dispatch/run-tool.ts",
    "src/host/plugins/service/try-tool.ts", // `hermes plugins test`: an author runs a handler alone.
    "src/plugin-runtimes/node/child/child-tool.ts", // The plugin process's end of the pipeline's own call.
  ]);
  assert.deepEqual(filesWith(/[^.\w]runTool\(/), [
    "src/engine/dispatch/dispatch.ts",
    "src/engine/dispatch/run-tool.ts",
  ]);
  assert.deepEqual(filesWith(/createDispatch\(/), [
    "src/engine/dispatch/dispatch.ts",
    "src/host/app/call-pipeline.ts",
    "src/host/compat/compat-runtime.ts",
    "src/host/plugins/service/try-tool.ts",
  ]);
});

test("one function runs the slash commands of every surface, so command hooks see them all", () => {
  assert.deepEqual(
    filesWith(/beforeCommand\(/).filter((file) => file.startsWith("src/surfaces")),
    ["src/surfaces/shared/commands/run-slash-command.ts"],
  );
  assert.deepEqual(filesWith(/command\.run\(args, /), [
    "src/host/app/assemble-app.ts", // Wraps each plugin's command, so that it knows its session.
    "src/surfaces/shared/commands/run-slash-command.ts",
  ]);
});
