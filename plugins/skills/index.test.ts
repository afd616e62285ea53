import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnyTool, PluginContext, SlashCommand } from "hermes-agent/plugin";
import register from "./index.ts";

// req: skill-manage.guidance
test("the three tools take at most 290 tokens of a request, and skill_manage says when to create, update, patch and view", () => {
  const tools: AnyTool[] = [];
  void register({
    tool: (tool: AnyTool) => tools.push(tool),
    command: () => undefined,
    cli: () => undefined,
  } as unknown as PluginContext);
  assert.deepEqual(
    tools.map(({ name, toolset, effect }) => [name, toolset, effect]),
    [
      ["skills_list", "skills", "read"],
      ["skill_view", "skills", "read"],
      ["skill_manage", "skills", "write"],
      ["skills_categories", "skills", "read"],
    ],
  );
  const offered = JSON.stringify(
    tools.slice(0, 3).map(({ name, description, input }) => ({ name, description, parameters: input })),
  );
  assert.ok(offered.length / 3.8 <= 290, `${offered.length / 3.8}`);
  for (const text of [
    /After a difficult task .* create/,
    /update stale or broken/,
    /Prefer patch to edit/,
    /skill_view before edit/,
    /ask the user whether to save it/,
  ])
    assert.match(String(tools[2]!.description), text);
});

test("/skills is available in the CLI only, /curator also in chats", () => {
  const commands: SlashCommand[] = [];
  void register({
    tool: () => undefined,
    command: (command: SlashCommand) => commands.push(command),
    cli: () => undefined,
  } as unknown as PluginContext);
  assert.deepEqual(
    commands.map(({ name, cliOnly }) => [name, cliOnly]),
    [
      ["skills", true],
      ["curator", undefined],
    ],
  );
});

// req: skills-hub.user-driven
test("no tool of a model reaches the hub", () => {
  const tools: AnyTool[] = [];
  void register({
    tool: (tool: AnyTool) => tools.push(tool),
    command: () => undefined,
    cli: () => undefined,
  } as unknown as PluginContext);
  assert.deepEqual(tools.map(({ name }) => name).sort(), [
    "skill_manage",
    "skill_view",
    "skills_categories",
    "skills_list",
  ]);
});
