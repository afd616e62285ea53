import assert from "node:assert/strict";
import { test } from "node:test";
import { composeSchema } from "./compose-schema.ts";

const section = (path: string, ...keys: string[]) => ({
  section: path,
  owner: "stranger",
  schema: { type: "object", properties: Object.fromEntries(keys.map((key) => [key, { type: "string" }])) } as const,
});

test("sections of several plugins coexist, at the top level and inside an existing section", () => {
  const { properties = {} } = composeSchema([
    section("weather", "city"),
    section("plugins.entries.a", "x"),
    section("plugins.entries.b", "y"),
    section("plugins.entries.a.deep", "z"),
  ]);
  assert.deepEqual(Object.keys(properties["weather"]?.properties ?? {}), ["city"]);
  const entries = properties["plugins"]?.properties?.["entries"]?.properties ?? {};
  assert.deepEqual(
    Object.keys(entries["a"]?.properties ?? {}).filter((key) => key === "x" || key === "deep"),
    ["x", "deep"],
  );
  assert.ok(entries["b"]?.properties?.["y"] !== undefined);
  assert.ok(properties["plugins"]?.properties?.["enabled"] !== undefined, "properties that the core declares stay");
});

test("a plugin's additions do not affect the next configuration or the core's tables", () => {
  const before = JSON.stringify(composeSchema());
  composeSchema([section("plugins.entries.a", "x"), section("terminal", "own_key"), section("agent.deep.deeper", "y")]);
  assert.equal(JSON.stringify(composeSchema()), before);
});

test("a plugin cannot replace a key that the core declares and uses", () => {
  const { properties = {} } = composeSchema([
    { section: "agent", owner: "stranger", schema: { type: "object", properties: { max_turns: { type: "string" } } } },
  ]);
  assert.notEqual(properties["agent"]?.properties?.["max_turns"]?.type, "string");
});
