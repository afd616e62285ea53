import assert from "node:assert/strict";
import { test } from "node:test";
import { readManifest } from "./manifest.ts";

const read = (text: string) => readManifest(text, "/p/weather/plugin.yaml", "/p/weather");

// req: plugins.manifest-fields, plugins.requires-env-forms
test("a manifest gives name, version, description, author and needs in any mixture", async () => {
  const { manifest, warnings } = await read(`
name: weather
version: 1.0
description: Look up the weather
author: me
kind: " Backend "
provides_tools: [weather]
provides_hooks: [post_tool_call]
requires_env:
  - PLAIN_VAR
  - name: WEATHER_API_KEY
    description: A key
    url: https://example.org
optional_env: [{ name: WEATHER_BASE_URL, secret: false }]
something_newer: { ignored: true }
`);
  assert.deepEqual(warnings, []);
  assert.deepEqual(manifest, {
    name: "weather",
    version: "1",
    description: "Look up the weather",
    author: "me",
    kind: "backend",
    requires_env: [{ name: "PLAIN_VAR" }, { name: "WEATHER_API_KEY", description: "A key", url: "https://example.org", secret: true }],
    optional_env: [{ name: "WEATHER_BASE_URL", secret: false }],
    provides_tools: ["weather"],
    provides_hooks: ["post_tool_call"],
  });
});

test("an empty manifest is named by its folder and nothing is missing", async () => {
  const { manifest } = await read("");
  assert.deepEqual([manifest.name, manifest.version, manifest.kind, manifest.author], ["weather", "", "standalone", undefined]);
});

test("an unknown kind counts as standalone, aloud", async () => {
  const { manifest, warnings } = await read("name: x\nkind: gadget\n");
  assert.equal(manifest.kind, "standalone");
  assert.match(warnings[0] ?? "", /^\/p\/weather\/plugin\.yaml:2:1: "gadget" is no kind of plugin/);
});

// req: plugins.requires-env-forms
test("what is wrong is named with file, line and column", async () => {
  await assert.rejects(read("name: x\nrequires_env:\n  - OK\n  - description: no name\n"), /plugin\.yaml:4:5: an item of "requires_env" is a variable's name/);
  await assert.rejects(read("name: x\nbroken: [\n"), /plugin\.yaml:\d+:\d+: /);
  await assert.rejects(read("provides_tools: weather\n"), /plugin\.yaml:1:1: "provides_tools" must be a list/);
  await assert.rejects(read("- just\n- a list\n"), /must be a map/);
});

test("a manifest's settings live in the plugin's entry unless it names a section", async () => {
  const schema = "schema: { type: object, properties: { units: { type: string } } }";
  assert.equal((await read(`config: { ${schema} }`)).manifest.config?.section, "plugins.entries.weather");
  assert.equal((await read(`config: { section: terminal, ${schema} }`)).manifest.config?.section, "terminal");
  await assert.rejects(read("config: [1]"), /"config" is a map with "schema"/);
});
