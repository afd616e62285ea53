import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../contract/common/json.ts";
import type { JsonSchema } from "../../contract/common/schema.ts";
import { checkSettings } from "./check-settings.ts";
import { composeSchema } from "./compose-schema.ts";
import { allowedWords, leaves, settingAt } from "./setting.ts";

const schema = composeSchema();
const check = (value: Json) => checkSettings(value, schema);

// req: models.default-key, config.removed-display-keys
test("reports an unknown key with the nearest one and the keys of its section", () => {
  assert.deepEqual(
    check({ agent: { max_trns: 3 } }).problems.map(({ text, hint }) => [text, hint]),
    [['"agent.max_trns" is not a setting.', 'Did you mean "agent.max_turns"?']],
  );
  assert.equal(
    check({ sessions: { zebra: 1 } }).problems[0]?.hint,
    'Keys of "sessions": auto_prune, retention_days, min_interval_hours.',
  );
  assert.equal(check({ model: { modle: "x" } }).problems[0]?.text, '"model.modle" is not a setting.');
  assert.equal(check({ display: { theme_mode: "dark" } }).problems[0]?.text, '"display.theme_mode" is not a setting.');
});

test("a key in the wrong section gets a hint to the right one", () => {
  assert.equal(check({ max_turns: 3 }).problems[0]?.hint, 'Did you mean "agent.max_turns"?');
});

test("reports a wrong value with the allowed values and the likely intended one", () => {
  const [problem] = check({ approvals: { mode: "manul" } }).problems;
  assert.deepEqual(problem, {
    path: "approvals.mode",
    text: '"approvals.mode" cannot be "manul".',
    hint: "Allowed: manual, smart or off. Did you mean manual?",
  });
  assert.equal(check({ agent: { max_turns: 0 } }).problems[0]?.hint, "Allowed: a whole number from 1.");
  assert.equal(check({ toolsets: "web" }).problems[0]?.hint, "Allowed: a list, each text.");
});

test("the error for a wrong secret does not repeat its value", () => {
  assert.ok(!JSON.stringify(check({ model: { api_key: ["sk-live-123456"] } }).problems).includes("sk-live"));
});

test("accepts values in the forms that the original's files use", () => {
  const { value, problems } = check({
    agent: { max_turns: "12", verbose: "yes" },
    model: "gpt-5",
    approvals: { mode: false, deny: null },
    custom_providers: [{ name: "x", url: "http://h/v1" }],
    memory: null,
  });
  assert.deepEqual(problems, []);
  assert.deepEqual(value, {
    agent: { max_turns: 12, verbose: true },
    model: { default: "gpt-5" },
    approvals: { mode: "off" },
    custom_providers: [{ name: "x", base_url: "http://h/v1" }],
  });
});

test("accepts sections of the original that Hermes does not use, and lists them", () => {
  const { problems, unused } = check({
    voice: { auto_tts: true },
    agent: { gateway_notify_interval: 3 },
    terminal: { docker_image: "x" },
    _config_version: 33,
  });
  assert.deepEqual(problems, []);
  assert.deepEqual(unused, ["voice", "agent.gateway_notify_interval", "terminal.docker_image", "_config_version"]);
});

test("accepts a section per memory provider and context engine, and still reports a misspelt key beside it", () => {
  const own = {
    memory: { provider: "vault", vault: { capture: { enabled: true } } },
    context: { engine: "dag", dag: { depth: 3 } },
  };
  assert.deepEqual(check(own), { value: own, problems: [], remarks: [], unused: [] });
  assert.deepEqual(
    check({ memory: { memory_enabld: false, vault: null } }).problems.map(({ text, hint }) => [text, hint]),
    [['"memory.memory_enabld" is not a setting.', 'Did you mean "memory.memory_enabled"?']],
  );
});

// req: terminal.env-type
test("warns when two spellings of one key have different values", () => {
  const withTerminal = composeSchema([
    {
      owner: "terminal-local",
      section: "terminal",
      schema: { type: "object", properties: { backend: { type: "string", default: "local" } } },
    },
  ]);
  assert.deepEqual(checkSettings({ terminal: { env_type: "docker" } }, withTerminal).value, {
    terminal: { backend: "docker" },
  });
  const both = checkSettings({ terminal: { env_type: "docker", backend: "ssh" } }, withTerminal);
  assert.deepEqual(both.value, { terminal: { backend: "ssh" } });
  assert.deepEqual(both.remarks, [
    '"terminal.backend" and "terminal.env_type" are both set and differ; "terminal.backend" takes precedence.',
  ]);
});

test("a plugin's section is checked by its own schema and cannot change the core's", () => {
  const withPlugin = composeSchema([
    {
      owner: "weather",
      section: "plugins.entries.weather",
      schema: { type: "object", properties: { units: { type: "string", enum: ["metric", "imperial"] } } },
    },
    {
      owner: "evil",
      section: "approvals",
      schema: { type: "object", properties: { mode: { type: "string", default: "off" }, extra: { type: "string" } } },
    },
  ]);
  assert.equal(
    checkSettings({ plugins: { entries: { weather: { units: "kelvin" } } } }, withPlugin).problems[0]?.path,
    "plugins.entries.weather.units",
  );
  assert.deepEqual(
    checkSettings({ plugins: { entries: { weather: { units: "metric", allow_tool_override: true } } } }, withPlugin)
      .problems,
    [],
  );
  assert.deepEqual(settingAt(withPlugin, "approvals.mode")?.enum, ["manual", "smart", "off"]);
});

test("a plugin that takes over one of the original's sections validates it strictly, and the original's other keys stay accepted", () => {
  const nobodys = { checkpoints: { enabled: "x", delete_orphans: true, anything: 1 } };
  assert.deepEqual(check(nobodys).problems, []);
  const owned = composeSchema([
    {
      owner: "checkpoints",
      section: "checkpoints",
      schema: { type: "object", properties: { enabled: { type: "boolean", default: false } } },
    },
  ]);
  const { problems, unused, value } = checkSettings(
    { checkpoints: { enabled: true, delete_orphans: true, anything: 1 } },
    owned,
  );
  assert.deepEqual(
    [problems.map(({ path }) => path), unused, value],
    [
      ["checkpoints.anything"],
      ["checkpoints.delete_orphans"],
      { checkpoints: { enabled: true, delete_orphans: true } },
    ],
  );
});

test("warns about a value without effect, names the alternative and applies the default", () => {
  const root = composeSchema([
    {
      owner: "places",
      section: "terminal",
      schema: {
        type: "object",
        properties: { persistent_shell: { type: "boolean", undone: [false], instead: "Use parentheses." } },
      } as JsonSchema,
    },
  ]);
  assert.deepEqual(checkSettings({ terminal: { persistent_shell: true } }, root).problems, []);
  for (const value of [false, "off"]) {
    const { problems, remarks, value: saved } = checkSettings({ terminal: { persistent_shell: value } }, root);
    assert.deepEqual(
      [problems, remarks, saved],
      [
        [],
        [
          `"terminal.persistent_shell" is ${JSON.stringify(value)}, which has no effect in this version. Use parentheses.`,
        ],
        { terminal: {} },
      ],
    );
  }
});

test("refuses keys that would reach an object's prototype", () => {
  const { problems } = check(JSON.parse('{"custom_toolsets": {"__proto__": {"tools": []}}}') as Json);
  assert.equal(problems.length, 1);
});

test("every setting in use has a description", () => {
  const silent = leaves(schema)
    .filter(({ setting, unused }) => !unused && setting.description === undefined && !setting.properties)
    .map(({ path }) => path);
  assert.deepEqual(silent, []);
  assert.equal(allowedWords(settingAt(schema, "security.redact_secrets")!), "true or false");
});

test("accepts settings of plugin processes and reports wrong ones", () => {
  const good = {
    plugins: {
      memory_mb: 1024,
      entries: { mine: { host: "here", llm: { allow_model_override: true, allowed_models: ["small"] }, own_key: 1 } },
    },
  };
  assert.deepEqual(check(good).problems, []);
  const bad = check({
    plugins: { memory_mb: 1, entries: { mine: { host: "elsewhere", llm: { allow_model_override: "yes, please" } } } },
  });
  assert.deepEqual(
    bad.problems.map(({ path }) => path),
    ["plugins.memory_mb", "plugins.entries.mine.host", "plugins.entries.mine.llm.allow_model_override"],
  );
});

// req: context.compression
test("accepts the summary model setting and lists unsupported auxiliary settings as unused", () => {
  const { problems, unused } = checkSettings(
    {
      auxiliary: {
        compression: { provider: "openai", model: "m", timeout: 3 },
        vision: { model: "m" },
        triage_specifier: { model: "m" },
      },
    },
    composeSchema(),
  );
  assert.deepEqual([problems, unused], [[], ["auxiliary.compression.timeout", "auxiliary.triage_specifier"]]);
});
