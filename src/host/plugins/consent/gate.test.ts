import assert from "node:assert/strict";
import { test } from "node:test";
import type { FoundPlugin } from "../discovery/discovery.ts";
import { judge, type GateInputs } from "./gate.ts";

function plugin(
  changes: {
    readonly key?: string;
    readonly source?: "bundled" | "user" | "project";
    readonly kind?: "standalone" | "exclusive";
    readonly needs?: readonly string[];
    readonly broken?: string;
  } = {},
): FoundPlugin {
  const manifest = {
    name: "weather",
    version: "1",
    description: "",
    kind: changes.kind ?? ("standalone" as const),
    requires_env: (changes.needs ?? []).map((name) => ({ name })),
    optional_env: [],
    provides_tools: [],
    provides_hooks: [],
  };
  return {
    key: changes.key ?? "weather",
    source: changes.source ?? ("user" as const),
    dir: "/p/weather",
    files: [],
    manifest,
    broken: changes.broken,
  };
}
const inputs = (
  enabled: readonly string[],
  disabled: readonly string[] = [],
  env: { readonly [name: string]: string } = {},
  refusal?: ReturnType<GateInputs["refusal"]>,
): GateInputs => ({
  enabled: new Set(enabled),
  disabled: new Set(disabled),
  env: (name) => env[name],
  refusal: () => refusal,
  lack: () => undefined,
  chosen: () => false,
});

// req: plugins.opt-in, plugins.debug-skip-reasons
test("a user's plugin runs once it is enabled; disabled always wins", () => {
  assert.deepEqual(judge(plugin(), inputs([])), {
    state: "not enabled",
    because: "asked",
    reason: "not enabled in config (run `hermes plugins enable weather`)",
  });
  assert.deepEqual(judge(plugin(), inputs(["weather"])), { state: "enabled" });
  assert.deepEqual(judge(plugin({ key: "tools/weather" }), inputs(["tools/weather"])), { state: "enabled" });
  assert.deepEqual(judge(plugin(), inputs(["weather"], ["weather"])), {
    state: "disabled",
    because: "off",
    reason: "disabled via config",
  });
});

test("a bundled plugin runs unless it is disabled", () => {
  assert.deepEqual(judge(plugin({ source: "bundled" }), inputs([])), { state: "enabled" });
  assert.deepEqual(judge(plugin({ source: "bundled" }), inputs([], ["weather"])), {
    state: "disabled",
    because: "off",
    reason: "disabled via config",
  });
});

// req: plugins.opt-in
test("a bundled plugin that asks for it has to be enabled like any other", () => {
  const bundled = plugin({ source: "bundled" });
  const waiting: FoundPlugin = { ...bundled, manifest: { ...bundled.manifest, opt_in: true } };
  assert.deepEqual(judge(waiting, inputs([])), {
    state: "not enabled",
    because: "asked",
    reason: "not enabled in config (run `hermes plugins enable weather`)",
  });
  assert.deepEqual(judge(waiting, inputs(["weather"])), { state: "enabled" });
  assert.deepEqual(judge(waiting, inputs(["weather"], ["weather"])), {
    state: "disabled",
    because: "off",
    reason: "disabled via config",
  });
});

// req: plugins.requires-env-gate
test("names all missing variables", () => {
  const needs = ["WEATHER_API_KEY", "WEATHER_REGION"];
  assert.deepEqual(judge(plugin({ needs }), inputs(["weather"])), {
    state: "disabled",
    because: "variables",
    reason: "Plugin weather disabled (missing: WEATHER_API_KEY, WEATHER_REGION)",
  });
  assert.deepEqual(judge(plugin({ needs }), inputs(["weather"], [], { WEATHER_API_KEY: "k", WEATHER_REGION: "r" })), {
    state: "enabled",
  });
});

test("a plugin that a setting has to choose stays off until then", () => {
  const shared = { ...plugin({ source: "bundled", needs: ["OPENAI_API_KEY"] }) };
  const chosenBy: FoundPlugin = { ...shared, manifest: { ...shared.manifest, chosen_by: "image_gen.provider" } };
  const there = inputs([], [], { OPENAI_API_KEY: "k" });
  assert.deepEqual(judge(chosenBy, there), {
    state: "disabled",
    because: "chosen",
    reason: "Plugin weather disabled (image_gen.provider does not name it)",
  });
  assert.deepEqual(judge(chosenBy, { ...there, chosen: () => true }), { state: "enabled" });
  assert.deepEqual(judge(chosenBy, { ...inputs([]), chosen: () => true }), {
    state: "disabled",
    because: "variables",
    reason: "Plugin weather disabled (missing: OPENAI_API_KEY)",
  });
});

test("an exclusive plugin is chosen elsewhere, a broken one never runs", () => {
  const exclusive = judge(plugin({ kind: "exclusive" }), inputs(["weather"]));
  assert.deepEqual([exclusive.state, "because" in exclusive && exclusive.because], ["not enabled", "chosen"]);
  assert.deepEqual(judge(plugin({ broken: "plugin.yaml:1:1: bad" }), inputs(["weather"])), {
    state: "failed",
    reason: "plugin.yaml:1:1: bad",
  });
});

test("does not run content without consent, and config.yaml cannot enable a project's plugin by name", () => {
  assert.deepEqual(judge(plugin(), inputs(["weather"], [], {}, { because: "changed", reason: "changed" })), {
    state: "not enabled",
    because: "changed",
    reason: "changed",
  });
  assert.deepEqual(
    judge(plugin({ source: "project" }), inputs(["weather"], [], {}, { because: "trust", reason: "untrusted" })),
    { state: "not enabled", because: "trust", reason: "untrusted" },
  );
  assert.deepEqual(judge(plugin({ source: "project" }), inputs([])), { state: "enabled" });
  assert.equal(judge(plugin({ source: "project" }), inputs([], ["weather"])).state, "disabled");
});

test("reports requirements of the system apart from variables that the user has to set", () => {
  assert.deepEqual(judge(plugin(), { ...inputs(["weather"]), lack: () => "no python3" }), {
    state: "disabled",
    because: "means",
    reason: "Plugin weather disabled (no python3)",
  });
});
