import assert from "node:assert/strict";
import { test } from "node:test";
import type { PluginListing } from "../../../../contract/services/plugin-service.ts";
import type { ToolListing } from "../../../../contract/services/tool-service.ts";
import { keysOf } from "./setup-keys.ts";

function plugin(
  name: string,
  state: PluginListing["state"],
  tools: readonly string[],
  manifest: Partial<PluginListing["manifest"]>,
): PluginListing {
  return {
    key: name,
    source: "user",
    state,
    registered: { tools: state === "enabled" ? tools : [] },
    manifest: { name, requires_env: [], optional_env: [], provides_tools: tools, ...manifest },
  } as unknown as PluginListing;
}

function tool(name: string, enabled: boolean, env: ToolListing["declaration"]["env"] = []): ToolListing {
  return {
    declaration: { name, toolset: name, env },
    enabled,
    owner: name,
    availability: { ok: true },
  } as unknown as ToolListing;
}

// req: setup.optional-env-vars
test("an entry has the prompt, the tools that need the key, and where to get it", () => {
  const weather = plugin("weather", "disabled", ["weather"], {
    requires_env: [
      {
        name: "WEATHER_API_KEY",
        description: "Weather API key for weather lookup",
        prompt: "Weather API key",
        url: "https://weatherapi.com/",
        tools: ["weather"],
        secret: true,
      },
    ],
  });
  assert.deepEqual(keysOf([weather], []), [
    {
      name: "WEATHER_API_KEY",
      prompt: "Weather API key",
      description: "Weather API key for weather lookup",
      url: "https://weatherapi.com/",
      secret: true,
      required: true,
      tools: ["weather"],
    },
  ]);
});

// req: setup.tools-mapping
test("asks only for keys of selected tools", () => {
  const optional = [{ name: "A_KEY", tools: ["a"] }, { name: "B_KEY", tools: ["b"] }, { name: "ALL_URL" }];
  const both = plugin("both", "enabled", ["a", "b"], { optional_env: optional });
  assert.deepEqual(
    keysOf([both], [tool("a", true), tool("b", false)]).map(({ name, tools, secret, required }) => [
      name,
      tools,
      secret,
      required,
    ]),
    [
      ["A_KEY", ["a"], true, false],
      ["ALL_URL", ["a"], false, false],
    ],
  );
  assert.deepEqual(keysOf([both], [tool("a", false), tool("b", false)]), []);
  assert.deepEqual(keysOf([{ ...both, state: "not enabled" }], []), [], "the plugin is not enabled");
  assert.deepEqual(
    keysOf([], [tool("own", true, [{ name: "OWN_TOKEN" }]), tool("off", false, [{ name: "OFF_TOKEN" }])]).map(
      ({ name, tools }) => [name, tools],
    ),
    [["OWN_TOKEN", ["own"]]],
  );
});

test("asks once for a variable that two tools share, and requires it if one of them does", () => {
  const one = plugin("one", "enabled", ["x"], { optional_env: [{ name: "SHARED_KEY" }] });
  const two = plugin("two", "disabled", ["y"], { requires_env: [{ name: "SHARED_KEY" }] });
  assert.deepEqual(
    keysOf([one, two], [tool("x", true)]).map(({ name, tools, required }) => [name, tools, required]),
    [["SHARED_KEY", ["x", "y"], true]],
  );
});
