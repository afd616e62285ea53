import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../../contract/common/json.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import type { Registered } from "../registry/registered.ts";
import { agreementTo, mayReplace, replacedTools } from "./replaced-tools.ts";

const registered = (...tools: (readonly string[])[]): Registered =>
  ({ tools: tools.map(([name, ...aliases]) => ({ name, aliases })) }) as unknown as Registered;
const files = { key: "files", registered: registered(["read_file", "cat"]) } as unknown as FoundPlugin;
const late = { key: "late" } as unknown as FoundPlugin;
const builtIns = {
  bundled: [files, late],
  owner: (tool: string) => (tool === "shell" ? "late" : tool === "read_file" ? "somebody" : undefined),
};

// req: registry.collision
test("a plugin replaces a built-in tool under any of its names, even one that another plugin has already replaced", () => {
  assert.deepEqual(
    replacedTools(registered(["read_file"], ["mine", "shell"], ["cat", "read_file"], ["own"]), builtIns),
    [
      { tool: "read_file", owner: "files" },
      { tool: "shell", owner: "late" },
      { tool: "cat", owner: "files" },
    ],
  );
  assert.deepEqual(replacedTools(undefined, builtIns), []);
});

// req: registry.collision
test("consent covers one plugin, its tools and its content; an entry written by hand covers all content", () => {
  const settings = new Map<string, Json>([
    ["plugins.entries.mine.allow_tool_override", ["read_file"]],
    ["plugins.entries.handy.allow_tool_override", true],
  ]);
  const config = (path: string) => settings.get(path);
  const may = (key: string, tool: string, changed?: boolean) =>
    mayReplace({ key, source: "user" }, tool, config, changed);
  assert.deepEqual(
    [may("mine", "read_file"), may("mine", "shell"), may("mine", "read_file", true), may("other", "read_file")],
    [true, false, false, false],
  );
  assert.deepEqual(
    [
      may("handy", "shell"),
      may("handy", "shell", true),
      mayReplace({ key: "files", source: "bundled" }, "shell", config),
    ],
    [true, true, true],
  );
  assert.deepEqual(agreementTo("mine", ["shell", "read_file"], config), {
    kind: "set",
    path: "plugins.entries.mine.allow_tool_override",
    value: ["read_file", "shell"],
  });
  assert.deepEqual(agreementTo("other", ["cat"], config).value, ["cat"]);
});
