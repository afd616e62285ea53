import assert from "node:assert/strict";
import { test } from "node:test";
import { readManifest } from "./manifest.ts";
import { withoutUndefined } from "../../../testing/without-undefined.ts";

const read = (text: string) => readManifest(text, "/p/weather/plugin.yaml", "/p/weather");

// req: plugins.manifest-fields, plugins.requires-env-forms
test("a manifest gives name, version, description, author and requirements in any combination", async () => {
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
  assert.deepEqual(unused, [
    '/p/weather/plugin.yaml:15:1: "something_newer" is not a key of plugin.yaml and has no effect.',
  ]);
  assert.deepEqual(withoutUndefined(manifest), {
    name: "weather",
    version: "1",
    description: "Look up the weather",
    author: "me",
    kind: "backend",
    requires_env: [
      { name: "PLAIN_VAR" },
      { name: "WEATHER_API_KEY", description: "A key", url: "https://example.org", secret: true },
    ],
    optional_env: [{ name: "WEATHER_BASE_URL", secret: false }],
    provides_tools: ["weather"],
    provides_hooks: ["post_tool_call"],
  });
});

test("an empty manifest takes its name from the folder and requires nothing", async () => {
  const { manifest } = await read("");
  assert.deepEqual(
    [manifest.name, manifest.version, manifest.kind, manifest.author],
    ["weather", "", "standalone", undefined],
  );
});

test("an unknown kind counts as standalone, with a warning", async () => {
  const { manifest, warnings } = await read("name: x\nkind: gadget\n");
  assert.equal(manifest.kind, "standalone");
  assert.match(warnings[0] ?? "", /^\/p\/weather\/plugin\.yaml:2:1: "gadget" is not a kind of plugin/);
});

// req: plugins.requires-env-forms
test("errors name the file, line and column", async () => {
  await assert.rejects(
    read("name: x\nrequires_env:\n  - OK\n  - description: no name\n"),
    /plugin\.yaml:4:5: an item of "requires_env" must be a variable's name/,
  );
  await assert.rejects(read("name: x\nbroken: [\n"), /plugin\.yaml:\d+:\d+: /);
  await assert.rejects(read("grants: { hosts: weather }\n"), /plugin\.yaml:1:11: "grants\.hosts" must be a list/);
  await assert.rejects(read("- just\n- a list\n"), /must be a map/);
});

test("a manifest's settings are stored in the plugin's entry unless it names a section", async () => {
  const schema = "schema: { type: object, properties: { units: { type: string } } }";
  assert.equal((await read(`config: { ${schema} }`)).manifest.config?.section, "plugins.entries.weather");
  assert.equal((await read(`config: { section: terminal, ${schema} }`)).manifest.config?.section, "terminal");
  await assert.rejects(read("config: { schema: 1 }"), /"config" must be a map with "schema"/);
});

// req: R-59
test("each error in a manifest has its own message with its location", async () => {
  const table: readonly (readonly [string, RegExp])[] = [
    ["name: [a]\n", /:1:1: "name" must be a string\.$/],
    [
      "name: a/b\n",
      /:1:1: "a\/b" cannot be a plugin's name\. Use up to 64 characters, without \/ \\ : and without a leading "\."\.$/,
    ],
    ["name: ..\n", /"\.\." cannot be a plugin's name/],
    ["manifest_version: 2\n", /:1:1: the manifest has version 2; this version of Hermes reads version 1\.$/],
    ['manifest_version: "new"\n', /the manifest has version "new"/],
    ["requires_env: 5\n", /"requires_env" must be a list of variables\.$/],
    ["config: { schema: [1] }\n", /"config" must be a map with "schema"/],
    ["grants: { hosts: [{ a: b }] }\n", /:1:19: an item of "grants\.hosts" must be a name\.$/],
    [
      "requires_env: [{ description: no name }]\n",
      /an item of "requires_env" must be a variable's name, or a map with "name"\.$/,
    ],
    ["requires_env: [null]\n", /an item of "requires_env" must be a variable's name/],
    ['requires_env: ["MY KEY"]\n', /"MY KEY" is not a valid name of a variable\.$/],
    ["optional_env: [{ name: 1-2 }]\n", /"1-2" is not a valid name of a variable/],
    ["grants: [network]\n", /"grants" must be a map of read, write, hosts, tools\.$/],
    ["grants: { network: [x] }\n", /"network" is not a grant\. Grants: read, write, hosts, tools\.$/],
    ["grants: { hosts: example.org }\n", /"grants\.hosts" must be a list of names\.$/],
    ["name: x\nname: y\n", /:2:1: /],
    ["name: x\n\tversion: 1\n", /plugin\.yaml:2:/],
    ["name: [\n", /plugin\.yaml:\d+:\d+: /],
    ["just words\n", /must be a map/],
  ];
  for (const [text, message] of table) await assert.rejects(read(text), { message }, text);
});

// req: R-59
test("notes what a plugin lists beside tools and hooks, and reports a typo in either like any other key", async () => {
  const { unused, notes } = await read(
    "name: x\nprovides_commands: [a]\nprovides_approval_transports: [push]\nprovides_tool: [b]\nprovides_hoks: [c]\nprovides_web_providers: [d]\nrequirements: [requests]\n",
  );
  assert.deepEqual(
    notes,
    ["2", "3"].map(
      (line, at) =>
        `/p/weather/plugin.yaml:${line}:1: "${["provides_commands", "provides_approval_transports"][at]}" has no effect: the registration defines what the plugin provides.`,
    ),
  );
  assert.deepEqual(
    unused.map((text) => text.replace(/^.*:\d+: /, "")),
    [
      '"provides_tool" is not a key of plugin.yaml and has no effect. Did you mean "provides_tools"?',
      '"provides_hoks" is not a key of plugin.yaml and has no effect. Did you mean "provides_hooks"?',
      '"requirements" is not a key of plugin.yaml and has no effect. Did you mean "pip_dependencies"?',
    ],
  );
});

test("reports an unknown key with the nearest known one, and continues", async () => {
  const { unused, manifest } = await read("name: x\nprovide_tools: [a]\nrequire_env: [B]\nlicense: MIT\nhomepage: x\n");
  assert.deepEqual(unused, [
    '/p/weather/plugin.yaml:2:1: "provide_tools" is not a key of plugin.yaml and has no effect. Did you mean "provides_tools"?',
    '/p/weather/plugin.yaml:3:1: "require_env" is not a key of plugin.yaml and has no effect. Did you mean "requires_env"?',
  ]);
  assert.deepEqual([manifest.provides_tools, manifest.requires_env], [[], []]);
});

test("understands other names in published plugins: hooks, dependencies, prompt and password", async () => {
  const { manifest } = await read(
    "name: x\nhooks: [pre_llm_call]\npip_dependencies: [httpx]\npython_dependencies: ['yaml>=1']\nrequires_env: [{ name: T, prompt: Bot token, password: true }]\ngrants: { read: [~/notes] }\n",
  );
  assert.deepEqual(
    withoutUndefined([manifest.provides_hooks, manifest.dependencies, manifest.requires_env, manifest.grants]),
    [
      ["pre_llm_call"],
      ["httpx", "yaml>=1"],
      [{ name: "T", description: "Bot token", prompt: "Bot token", secret: true }],
      { read: ["~/notes"], write: [], hosts: [], tools: [] },
    ],
  );
});

// req: R-59
test("reads descriptive keys in an unexpected form as far as possible, reports them, and still loads the plugin", async () => {
  const output = async (text: string) => {
    const { manifest, unused, warnings } = await read(text);
    const {
      author,
      version,
      description,
      kind,
      label,
      provides_tools,
      provides_hooks,
      requires_env,
      optional_env,
      dependencies,
    } = manifest;
    return [
      {
        author,
        version,
        description,
        kind,
        label,
        provides_tools,
        provides_hooks,
        requires_env: requires_env.map(({ name }) => name),
        optional_env: optional_env.map(({ name }) => name),
        dependencies,
      },
      [...unused, ...warnings].map((line) => line.replace("/p/weather/plugin.yaml:", "")),
    ];
  };
  const plain = {
    author: undefined,
    version: "",
    description: "",
    kind: "standalone",
    label: undefined,
    provides_tools: [],
    provides_hooks: [],
    requires_env: [],
    optional_env: [],
    dependencies: undefined,
  };
  assert.deepEqual(await output("author: { name: Olga, email: o@example.org }\n"), [
    { ...plain, author: "Olga" },
    ['1:1: "author" must be a string.'],
  ]);
  assert.deepEqual(await output("version: { major: 1, minor: 2 }\ndescription: [a]\n"), [
    plain,
    ['1:1: "version" must be a string.', '2:1: "description" must be a string.'],
  ]);
  assert.deepEqual(await output("kind: [tool]\nlabel: { en: Weather, zh: x }\n"), [
    plain,
    ['1:1: "kind" must be a string.', '2:1: "label" must be a string.'],
  ]);
  assert.deepEqual(await output("provides_tools: true\nprovides_hooks: {}\n"), [
    plain,
    ['1:1: "provides_tools" must be a list of names.', '2:1: "provides_hooks" must be a list of names.'],
  ]);
  assert.deepEqual(await output("provides_tools: weather\nprovides_hooks: { pre_llm_call: says more }\n"), [
    { ...plain, provides_tools: ["weather"], provides_hooks: ["pre_llm_call"] },
    ['1:1: "provides_tools" must be a list of names.', '2:1: "provides_hooks" must be a list of names.'],
  ]);
  assert.deepEqual(await output("provides_tools:\n  - { name: a, description: d }\n  - b: d\n  - [c]\n  - d\n"), [
    { ...plain, provides_tools: ["a", "b", "d"] },
    ["2:5", "3:5", "4:5"].map((place) => `${place}: an item of "provides_tools" must be a name.`),
  ]);
  assert.deepEqual(await output("python_dependencies: httpx\n"), [
    { ...plain, dependencies: ["httpx"] },
    ['1:1: "python_dependencies" must be a list of names.'],
  ]);
  assert.deepEqual(await output("requires_env: KEY\n"), [
    { ...plain, requires_env: ["KEY"] },
    ['1:1: "requires_env" must be a list of variables.'],
  ]);
  assert.deepEqual(await output("config: [{ key: units }]\n"), [
    plain,
    ['1:1: "config" has no "schema", so Hermes leaves it to the plugin.'],
  ]);
  // An optional variable is not a requirement.
  assert.deepEqual(
    await output(
      "requires_env: [{ name: KEY, required: true }, { name: URL, required: false }, { name: NOTE, optional: true }]\n",
    ),
    [{ ...plain, requires_env: ["KEY"], optional_env: ["URL", "NOTE"] }, []],
  );
  assert.deepEqual(
    withoutUndefined((await read("requires_env: [{ API_KEY: The service's key }]\n")).manifest.requires_env),
    [{ name: "API_KEY", description: "The service's key", secret: true }],
  );
  assert.deepEqual(await output("requires_env: { KEY: { description: d }, URL: { required: false } }\n"), [
    { ...plain, requires_env: ["KEY"], optional_env: ["URL"] },
    [],
  ]);
});
