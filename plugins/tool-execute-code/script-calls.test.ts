import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolContext, ToolOutcome } from "hermes-agent/plugin";
import { sandboxTools } from "./sandbox-tools.ts";
import { ScriptCalls } from "./script-calls.ts";

function calls(options: { readonly most?: number; readonly outcome?: (tool: string) => Promise<ToolOutcome> } = {}) {
  const asked: unknown[] = [];
  const answers: { readonly id: number; readonly result: string }[] = [];
  let tooMany = 0;
  const ok = async (): Promise<ToolOutcome> => ({
    kind: "ok",
    value: null,
    shown: [{ type: "text", text: '{"content":"1|x"}' }],
  });
  const call = {
    call: (tool: string, args: unknown) => (asked.push([tool, args]), (options.outcome ?? ok)(tool)),
  } as unknown as ToolContext;
  const script = new ScriptCalls(
    call,
    sandboxTools(new Set(["read_file", "clarify"])),
    options.most ?? 50,
    (line) => void answers.push(JSON.parse(line)),
    () => (tooMany += 1),
  );
  const take = (id: unknown, tool: unknown, args: unknown): void => script.take(JSON.stringify({ id, tool, args }));
  return {
    script,
    take,
    asked,
    answers,
    errors: () => answers.map(({ result }) => (JSON.parse(result) as { error?: string }).error),
    tooMany: () => tooMany,
  };
}

// req: tool-execute-code.tool-rpc
test("a call to one of the session's tools goes through the dispatch pipeline, and its result returns under its number", async () => {
  const { script, take, asked, answers } = calls();
  take(7, "read_file", { path: "a" });
  await script.end();
  assert.deepEqual([asked, script.made], [[["read_file", { path: "a" }]], 1]);
  assert.deepEqual(answers, []);
  const other = calls();
  other.take(7, "read_file", { path: "a" });
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(other.answers, [{ id: 7, result: '{"content":"1|x"}' }]);
});

test("answers unknown tools, missing or unknown arguments and calls over the limit with an error, and runs none of them", () => {
  const { take, asked, errors, script } = calls({ most: 1 });
  take(1, "clarify", {});
  take(2, "read_file", [1]);
  take(3, "read_file", { path: "a", background: true });
  take(4, "read_file", { path: "a" });
  take(5, "read_file", { path: "b" });
  assert.deepEqual(errors(), [
    'This script cannot call "clarify". Available tools: read_file.',
    "The arguments of read_file are not an object.",
    'In scripts, read_file accepts path, offset, limit, not "background".',
    "Tool call limit reached (1 in one script); the call was not made.",
  ]);
  assert.deepEqual([asked, script.made], [[["read_file", { path: "a" }]], 1]);
});

test("answers a call that throws with its error, and reports once a script with too many refused calls", async () => {
  const { script, take, errors, tooMany } = calls({ outcome: () => Promise.reject(new Error("no road")) });
  take(1, "read_file", { path: "a" });
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(errors(), ["no road"]);
  for (let count = 0; count < 1_500; count += 1) script.take("garbage");
  assert.equal(tooMany(), 1);
});
