import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnyTool, PluginContext, StandardSchema } from "hermes-agent/plugin";
import register from "./index.ts";

// req: tool-todo.list
test("todo is offered in its toolset, needs no approval and has a short description", () => {
  const tools: AnyTool[] = [];
  void register({ tool: (tool: AnyTool) => tools.push(tool) } as unknown as PluginContext);
  assert.deepEqual(
    tools.map(({ name, toolset, effect }) => ({ name, toolset, effect })),
    [{ name: "todo", toolset: "todo", effect: "none" }],
  );
  const { description } = tools[0]!;
  const input = (tools[0]!.input as StandardSchema<unknown>)["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  assert.deepEqual(Object.keys(input.properties as object), ["todos", "merge"]);
  assert.ok(JSON.stringify({ input, description }).length / 3.8 < 200);
});
