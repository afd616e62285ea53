import assert from "node:assert/strict";
import { test } from "node:test";
import { readManifest } from "./manifest.ts";

const read = (text: string) => readManifest(text, "/p/weather/plugin.yaml", "/p/weather");

// req: plugins.manifest-fields, plugins.requires-env-forms
test("a manifest gives name, version, description, author and needs in any mixture", async () => {
  const { manifest, warnings, unused } = await read(`
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
  assert.deepEqual(unused, ['/p/weather/plugin.yaml:15:1: nothing reads "something_newer".']);
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

// req: R-59
test("each thing that can be wrong with a manifest has its own words and its place", async () => {
  const table: readonly (readonly [string, RegExp])[] = [
    ["name: [a]\n", /:1:1: "name" must be a text\.$/],
    ["name: a/b\n", /:1:1: "a\/b" cannot be a plugin's name: up to 64 characters, none of \/ \\ : and no "\." in front\.$/],
    ["name: ..\n", /"\.\." cannot be a plugin's name/],
    ["version: { major: 1 }\n", /:1:1: "version" must be a text\.$/],
    ["manifest_version: 2\n", /:1:1: it is written for manifest version 2; this version of Hermes reads 1\.$/],
    ['manifest_version: "new"\n', /it is written for manifest version "new"/],
    ["provides_tools: weather\n", /"provides_tools" must be a list of names\.$/],
    ["name: x\nprovides_tools:\n  - a\n  - { b: c }\n", /:4:5: an item of "provides_tools" must be a name\.$/],
    ["provides_hooks: 1\n", /"provides_hooks" must be a list/],
    ["requires_env: KEY\n", /"requires_env" must be a list of variables\.$/],
    ["requires_env: [{ description: no name }]\n", /an item of "requires_env" is a variable's name, or a map with "name"\.$/],
    ["requires_env: [null]\n", /an item of "requires_env" is a variable's name/],
    ['requires_env: ["MY KEY"]\n', /"MY KEY" cannot be the name of a variable\.$/],
    ["optional_env: [{ name: 1-2 }]\n", /"1-2" cannot be the name of a variable/],
    ["grants: [network]\n", /"grants" is a map of read, write, hosts, tools\.$/],
    ["grants: { network: [x] }\n", /"network" is nothing that can be granted\. Grants: read, write, hosts, tools\.$/],
    ["grants: { hosts: example.org }\n", /"grants\.hosts" must be a list of names\.$/],
    ["config: [1]\n", /"config" is a map with "schema"/],
    ["name: x\nname: y\n", /:2:1: /],
    ["name: x\n\tversion: 1\n", /plugin\.yaml:2:/],
    ["name: [\n", /plugin\.yaml:\d+:\d+: /],
    ["just words\n", /must be a map/],
  ];
  for (const [text, message] of table) await assert.rejects(read(text), { message }, text);
});

// req: R-59
test("what a plugin announces beside tools and hooks is worth a note, and a slip in either is told like any other key", async () => {
  const { unused, notes } = await read("name: x\nprovides_commands: [a]\nprovides_approval_transports: [push]\nprovides_tool: [b]\nprovides_hoks: [c]\nprovides_web_providers: [d]\nrequirements: [requests]\n");
  assert.deepEqual(notes, ["2", "3"].map((line, at) => `/p/weather/plugin.yaml:${line}:1: nothing is made of "${["provides_commands", "provides_approval_transports"][at]}"; what a plugin provides is known when it registers it.`));
  assert.deepEqual(unused.map((text) => text.replace(/^.*: nothing/, "nothing")), ['nothing reads "provides_tool". Did you mean "provides_tools"?', 'nothing reads "provides_hoks". Did you mean "provides_hooks"?', 'nothing reads "requirements". Did you mean "pip_dependencies"?']);
});

test("a key that nothing reads is told with the one that was meant, and hurts nothing", async () => {
  const { unused, manifest } = await read("name: x\nprovide_tools: [a]\nrequire_env: [B]\nlicense: MIT\nhomepage: x\n");
  assert.deepEqual(unused, ['/p/weather/plugin.yaml:2:1: nothing reads "provide_tools". Did you mean "provides_tools"?', '/p/weather/plugin.yaml:3:1: nothing reads "require_env". Did you mean "requires_env"?']);
  assert.deepEqual([manifest.provides_tools, manifest.requires_env], [[], []]);
});

test("what published plugins write under other names is understood: hooks, dependencies, prompt and password", async () => {
  const { manifest } = await read("name: x\nhooks: [pre_llm_call]\npip_dependencies: [httpx]\npython_dependencies: ['yaml>=1']\nrequires_env: [{ name: T, prompt: Bot token, password: true }]\ngrants: { read: [~/notes] }\n");
  assert.deepEqual([manifest.provides_hooks, manifest.dependencies, manifest.requires_env, manifest.grants], [["pre_llm_call"], ["httpx", "yaml>=1"], [{ name: "T", description: "Bot token", prompt: "Bot token", secret: true }], { read: ["~/notes"], write: [], hosts: [], tools: [] }]);
});
