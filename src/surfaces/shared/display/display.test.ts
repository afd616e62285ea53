import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../../contract/common/json.ts";
import { displayOf } from "./display.ts";

const DEFAULTS: { readonly [path: string]: Json } = {
  "display.tool_progress": "all",
  "display.streaming": true,
  timezone: "",
};

function config(set: { readonly [path: string]: Json }) {
  return {
    get: (path: string): Json | undefined => set[path] ?? DEFAULTS[path],
    explain: (path: string) => ({ value: undefined, source: path in set ? ("file" as const) : ("default" as const) }),
  };
}

// req: config.display-platforms
test("a platform's value overrides the general one, only for that platform", () => {
  const set = config({
    "display.tool_progress": "off",
    "display.show_cost": true,
    "display.platforms.telegram.tool_progress": "verbose",
    "display.platforms.telegram.show_cost": false,
  });
  assert.deepEqual(
    ["telegram", "cli", "slack"]
      .map((platform) => displayOf(set, platform))
      .map(({ toolProgress, cost }) => [toolProgress, cost]),
    [
      ["verbose", false],
      ["off", true],
      ["off", true],
    ],
  );
});

test("agent.verbose shows all details of calls, unless another mode is set", () => {
  assert.equal(displayOf(config({ "agent.verbose": true }), "cli").toolProgress, "verbose");
  assert.equal(displayOf(config({ "agent.verbose": true, "display.tool_progress": "new" }), "cli").toolProgress, "new");
  assert.equal(displayOf(config({}), "cli").toolProgress, "all");
});

test("shows reasoning hidden, clamped or in full, and times in the user's zone and format", () => {
  assert.equal(
    displayOf(config({ "display.show_reasoning": false, "display.reasoning_full": true }), "cli").reasoning,
    "hidden",
  );
  assert.deepEqual(
    [displayOf(config({}), "cli").reasoning, displayOf(config({ "display.reasoning_full": true }), "cli").reasoning],
    ["clamped", "full"],
  );
  assert.equal(
    displayOf(config({ timezone: "Asia/Tokyo", "display.timestamp_format": "%I:%M %p" }), "cli").time(
      Date.UTC(2026, 0, 1, 3, 4),
    ),
    "12:04 PM",
  );
});
