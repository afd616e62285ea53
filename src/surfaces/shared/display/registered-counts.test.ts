import assert from "node:assert/strict";
import { test } from "node:test";
import type { PluginListing } from "../../../contract/services/plugin-service.ts";
import { registeredCounts } from "./registered-counts.ts";

const NONE: PluginListing["registered"] = {
  tools: [],
  hooks: [],
  commands: [],
  cli: [],
  skills: [],
  providers: [],
  toolsets: [],
  middleware: [],
};

// req: plugins.slash-plugins
test("counts tools and hooks as the guide prints them, and other kinds only if there are any", () => {
  const text = (given: Partial<PluginListing["registered"]>): string => registeredCounts({ ...NONE, ...given });
  assert.equal(text({ tools: ["calculate", "unit_convert"], hooks: ["post_tool_call"] }), "2 tools, 1 hooks");
  assert.equal(text({ hooks: ["pre_llm_call"], skills: ["a", "b"] }), "0 tools, 1 hooks, 2 skills");
  assert.equal(text({ commands: ["scan"] }), "1 slash command");
  assert.equal(
    text({
      cli: ["lcm"],
      providers: ["memory/lcm"],
      toolsets: ["a", "b"],
      middleware: ["llm_request", "tool_request"],
    }),
    "1 command, 1 provider, 2 toolsets, 2 middleware",
  );
  assert.equal(text({}), "registers nothing");
});
