import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { UserError } from "../../contract/common/failure.ts";
import { openEnvironment } from "../environment/environment.ts";
import { resolveHome } from "../environment/home.ts";
import { openConfig, type ConfigOptions } from "./open-config.ts";
import { withoutUndefined } from "../../testing/without-undefined.ts";

const TERMINAL = {
  owner: "terminal-local",
  section: "terminal",
  schema: {
    type: "object",
    properties: {
      backend: { type: "string", default: "local", description: "Where commands run.", "x-env": "TERMINAL_ENV" },
      env_type: { type: "string", description: "Former name." },
      timeout: { type: "integer", default: 180, minimum: 1 },
    },
  },
};

function setUp(t: { after(run: () => void): void }, files: { readonly [name: string]: string } = {}) {
  const path = mkdtempSync(join(tmpdir(), "hermes-config-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return {
    path,
    write: (text: string) => writeFileSync(join(path, "config.yaml"), text),
    read: () => readFileSync(join(path, "config.yaml"), "utf8"),
    open(options: Partial<ConfigOptions> & { readonly process?: { readonly [name: string]: string } } = {}) {
      const home = resolveHome({ env: { HERMES_HOME: path }, userHome: path });
      return openConfig({
        home,
        environment: openEnvironment({ home, process: options.process ?? {} }),
        sections: [TERMINAL],
        ...options,
      });
    },
  };
}

test("without a file the defaults apply and nothing is written", async (t) => {
  const place = setUp(t);
  const config = await place.open();
  assert.equal(config.get("agent.max_turns"), 90);
  assert.equal(config.get("approvals.mode"), "manual");
  assert.equal(config.get("model.default"), undefined);
  assert.deepEqual(config.section("terminal"), { backend: "local", timeout: 180 });
  assert.deepEqual(config.notices, []);
  assert.deepEqual(withoutUndefined(config.explain("agent.max_turns")), {
    value: 90,
    source: "default",
    description: "Maximum model requests per turn.",
    allowed: "a whole number from 1",
  });
  assert.equal(statSync(join(place.path, "cache"), { throwIfNoEntry: false }), undefined);
});

// req: terminal.env-variables, models.inference-model
test("flag, variable, config.yaml, .env and default apply in that order, and each value records its source", async (t) => {
  const place = setUp(t, {
    "config.yaml": "model:\n  default: from-file\nterminal:\n  timeout: 20\n",
    ".env": "TERMINAL_TIMEOUT=5\nTERMINAL_ENV=docker\n",
  });
  const config = await place.open({
    process: { HERMES_INFERENCE_MODEL: "from-process" },
    flags: { "agent.max_turns": 7 },
  });
  assert.equal(config.get("model.default"), "from-process");
  assert.equal(config.explain("model.default").where, "HERMES_INFERENCE_MODEL");
  assert.equal(config.get("terminal.timeout"), 20);
  assert.equal(config.explain("terminal.timeout").where, `${place.path}/config.yaml:4`);
  assert.equal(config.get("terminal.env_type"), "docker");
  assert.deepEqual(
    [config.explain("terminal.backend").source, config.explain("terminal.backend").where],
    ["environment", `TERMINAL_ENV in ${place.path}/.env`],
  );
  assert.deepEqual([config.get("agent.max_turns"), config.explain("agent.max_turns").source], [7, "flag"]);
  const overridden = await place.open({ process: { TERMINAL_TIMEOUT: "9", TERMINAL_ENV: "ssh" } });
  assert.deepEqual(overridden.section("terminal"), { backend: "ssh", timeout: 9 });
});

// req: terminal.cli-config-file
test("cli-config.yaml applies to the terminal where config.yaml sets nothing", async (t) => {
  const place = setUp(t, {
    "cli-config.yaml": "terminal:\n  env_type: docker\n  timeout: 3\nagent:\n  max_turns: 1\n",
    "config.yaml": "terminal:\n  timeout: 4\n",
  });
  const config = await place.open();
  assert.deepEqual(config.section("terminal"), { backend: "docker", timeout: 4 });
  assert.equal(config.get("agent.max_turns"), 90);
});

test("ignores an invalid variable with a notice that names it", async (t) => {
  const config = await setUp(t).open({ process: { HERMES_MAX_ITERATIONS: "many" } });
  assert.equal(config.get("agent.max_turns"), 90);
  assert.deepEqual(config.notices, [
    {
      level: "error",
      text: 'The variable HERMES_MAX_ITERATIONS cannot be "many" and is ignored.',
      hint: "Allowed: a whole number from 1.",
    },
  ]);
});

// req: models.openai-base-url
test("OPENAI_BASE_URL selects nothing, and a notice names the setting that does", async (t) => {
  const place = setUp(t);
  const config = await place.open({ process: { OPENAI_BASE_URL: "http://elsewhere/v1" } });
  assert.equal(config.get("model.base_url"), undefined);
  assert.equal(config.notices[0]?.hint, "hermes config set model.base_url URL");
  place.write("model:\n  base_url: http://mine/v1\n");
  assert.deepEqual((await place.open({ process: { OPENAI_BASE_URL: "http://elsewhere/v1" } })).notices, []);
});

// row 48 of the fault matrix
test("refuses an invalid config.yaml without a last good version, with status 78, file, line and column", async (t) => {
  const place = setUp(t, { "config.yaml": "agent:\n  max_turns: 3\n  api_max_retires: 2\n" });
  await assert.rejects(
    place.open(),
    (error) =>
      error instanceof UserError &&
      error.exitCode === 78 &&
      error.message.includes(
        `${place.path}/config.yaml:3:3: "agent.api_max_retires" is not a setting. Did you mean "agent.api_max_retries"?`,
      ),
  );
  place.write("agent:\n  max_turns: [3\n");
  await assert.rejects(place.open(), /config\.yaml:\d+:\d+: /);
});

// row 48 of the fault matrix
test("an invalid config.yaml leaves the last good configuration in force, approval policy included, and Hermes reports it", async (t) => {
  const place = setUp(t, { "config.yaml": "approvals:\n  mode: manual\nagent:\n  max_turns: 5\n" });
  assert.deepEqual((await place.open()).notices, []);
  place.write("approvals:\n  mode: off\nagent:\n  max_trns: 50\n");
  const config = await place.open();
  assert.equal(config.get("approvals.mode"), "manual");
  assert.equal(config.get("agent.max_turns"), 5);
  assert.equal(config.notices[0]?.level, "error");
  assert.match(
    config.notices[0]?.text ?? "",
    /config\.yaml:4:3: "agent\.max_trns" is not a setting\..*\nThe last valid configuration stays in force/s,
  );
  assert.match(config.explain("approvals.mode").where ?? "", /last good state/);
  // The broken file never becomes the last good one, however often it is read.
  assert.equal((await place.open()).get("approvals.mode"), "manual");
  place.write("approvals:\n  mode: off\n");
  assert.equal((await place.open()).get("approvals.mode"), "off");
});

// row 48 of the fault matrix
test("opens an invalid config.yaml for repair with its valid settings and a safe approval mode", async (t) => {
  const place = setUp(t, { "config.yaml": "approvals:\n  mode: off\n  tmeout: 3\nagent:\n  max_turns: 4\n" });
  const config = await place.open({ whenBroken: "take-sound-part" });
  assert.equal(config.get("agent.max_turns"), 4);
  assert.equal(config.get("approvals.mode"), "manual");
  assert.deepEqual(
    config.problems.map(({ path, line, column }) => [path, line, column]),
    [["approvals.tmeout", 3, 3]],
  );
});

test("expands variables when it reads the file, and never stores them expanded", async (t) => {
  const place = setUp(t, {
    "config.yaml": "model:\n  api_key: ${MY_KEY}\n  base_url: ${UNSET_ONE}/v1\n",
    ".env": "MY_KEY=sk-secret-1\n",
  });
  const config = await place.open();
  assert.equal(config.get("model.api_key"), "sk-secret-1");
  assert.equal(config.get("model.base_url"), "${UNSET_ONE}/v1");
  assert.ok(!readFileSync(join(place.path, "cache", "config.last-good.json"), "utf8").includes("sk-secret-1"));
  assert.equal(statSync(join(place.path, "cache", "config.last-good.json")).mode & 0o777, 0o600);
});

test("set keeps comments and order, validates the value, and applies at once", async (t) => {
  const place = setUp(t, {
    "config.yaml": "# mine\nagent:\n  max_turns: 5 # enough\n\n# how to ask\napprovals:\n  mode: manual\n",
  });
  const config = await place.open();
  await config.set("agent.max_turns", "12");
  await config.set("agent.verbose", "true");
  assert.equal(
    place.read(),
    "# mine\nagent:\n  max_turns: 12 # enough\n  verbose: true\n\n# how to ask\napprovals:\n  mode: manual\n",
  );
  assert.equal(config.get("agent.max_turns"), 12);
  assert.equal(statSync(config.file).mode & 0o777, 0o600);
  await assert.rejects(
    config.set("approvals.mode", "manul"),
    (error: UserError) => error.hint === "Allowed: manual, smart or off. Did you mean manual?",
  );
  await assert.rejects(
    config.set("agent.max_trns", "1"),
    (error: UserError) => error.hint === 'Did you mean "agent.max_turns"?',
  );
  assert.equal(await config.unset("agent.verbose"), true);
  assert.equal(await config.unset("agent.verbose"), false);
  assert.equal(place.read(), "# mine\nagent:\n  max_turns: 12 # enough\n\n# how to ask\napprovals:\n  mode: manual\n");
});

// req: models.default-key
test("set changes only its value in the file and matches the file's indentation and line endings", async (t) => {
  const own =
    "\uFEFF# mine\r\nagent:   # agent\r\n    # about turns\r\n    max_turns: 5   # inline\r\n\r\nmodel:   {default:  'x/y',provider: openai}\r\n";
  const place = setUp(t, { "config.yaml": own });
  const config = await place.open();
  await config.set("agent.max_turns", "8");
  assert.equal(place.read(), own.replace("5   #", "8   #"));
  await config.set("model.default", "it's, new");
  assert.equal(place.read(), own.replace("5   #", "8   #").replace("'x/y'", "'it''s, new'"));
  await config.set("agent.api_max_retries", "2");
  const edited = own.replace("5   # inline\r\n", "8   # inline\r\n    api_max_retries: 2\r\n");
  assert.equal(place.read(), edited.replace("'x/y'", "'it''s, new'"));
  assert.doesNotMatch(place.read(), /[^\r]\n/);
});

test("set creates the file, expands a short form, and writes variables to .env", async (t) => {
  const place = setUp(t);
  const config = await place.open();
  await config.set("model.default", "gpt-5");
  assert.equal(place.read(), "model:\n  default: gpt-5\n");
  place.write("model: old # short\n");
  const reopened = await place.open();
  assert.equal(reopened.get("model.default"), "old");
  await reopened.set("model.provider", "openai");
  assert.deepEqual([reopened.get("model.default"), reopened.get("model.provider")], ["old", "openai"]);
  await reopened.set("OPENAI_API_KEY", "sk-1234567890");
  assert.equal(readFileSync(join(place.path, ".env"), "utf8"), "OPENAI_API_KEY=sk-1234567890\n");
  assert.equal(statSync(join(place.path, ".env")).mode & 0o777, 0o600);
  await reopened.set("terminal.env_type", "docker");
  assert.match(place.read(), /backend: docker/);
});

test("adds only missing items to a list, also when several processes add at once", async (t) => {
  const place = setUp(t, { "config.yaml": "command_allowlist: [ls *] # quick\n" });
  const [first, second] = [await place.open(), await place.open()];
  await Promise.all([
    first.appendToList("command_allowlist", "git status"),
    second.appendToList("command_allowlist", "npm test"),
    first.appendToList("command_allowlist", "ls *"),
  ]);
  assert.deepEqual((await place.open()).get("command_allowlist"), ["ls *", "git status", "npm test"]);
});

test("set and unset can fix a file that has other mistakes", async (t) => {
  const place = setUp(t, { "config.yaml": "agent:\n  max_turns: many\n  bogus: 1\n" });
  const config = await place.open({ whenBroken: "take-sound-part" });
  await config.set("agent.max_turns", "3");
  await config.unset("agent.bogus");
  assert.deepEqual(config.problems, []);
  assert.equal(config.get("agent.max_turns"), 3);
});

test("lists unused settings with their line", async (t) => {
  const place = setUp(t, { "config.yaml": "terminal:\n  docker_image: x\nvoice:\n  auto_tts: true\n" });
  const config = await place.open();
  assert.deepEqual(config.unused, [
    `terminal.docker_image (${place.path}/config.yaml:2)`,
    `voice (${place.path}/config.yaml:3)`,
  ]);
  assert.ok(!config.keys().some(({ path }) => path.startsWith("voice")));
});

test("treats inline keys in the file as secrets, but not the names of variables", async (t) => {
  const place = setUp(t, {
    "config.yaml":
      "model:\n  api_key: sk-inline-1\ncustom_providers:\n  - name: mine\n    api_key: sk-inline-22\n    key_env: MINE_API_KEY\n",
  });
  const config = await place.open();
  assert.deepEqual(config.secretValues(), ["sk-inline-22", "sk-inline-1"]);
  assert.equal(config.shown("model.api_key"), "***");
  assert.deepEqual(config.shown("custom_providers"), [{ name: "mine", api_key: "***", key_env: "MINE_API_KEY" }]);
  assert.equal(config.shown("agent.max_turns"), 90);
});

test("a setting with a fixed set of values is not a secret, whatever its name", async (t) => {
  const place = setUp(t, { "config.yaml": "ssh:\n  host_keys: strict\n  host_token: hidden-1\n" });
  const schema = {
    type: "object",
    properties: {
      host_keys: { type: "string", enum: ["strict", "accept-new"], default: "accept-new" },
      host_token: { type: "string" },
    },
  } as const;
  const config = await place.open({ sections: [{ owner: "ssh", section: "ssh", schema }] });
  assert.deepEqual(config.secretValues(), ["hidden-1"]);
  assert.deepEqual(
    [config.shown("ssh.host_keys"), config.shown("ssh")],
    ["strict", { host_keys: "strict", host_token: "***" }],
  );
});

// row 48 of the fault matrix
test("reports the path of a configuration file that cannot be parsed or read", async (t) => {
  const place = setUp(t, { "config.yaml": "a: &a [1]\nb: [*a, *missing]\n" });
  await assert.rejects(
    place.open(),
    (error) => error instanceof UserError && /config\.yaml:\d+:\d+: /.test(error.message),
  );
  rmSync(join(place.path, "config.yaml"));
  mkdirSync(join(place.path, "config.yaml"));
  await assert.rejects(
    place.open(),
    (error) => error instanceof UserError && /config\.yaml cannot be read/.test(error.message),
  );
});

test("suggests the nearest key for an unknown one, whichever part is misspelt", async (t) => {
  const place = setUp(t);
  const config = await place.open();
  const meant: readonly (readonly [string, string])[] = [
    ["modle", "model.default"],
    ["agnet.max_turns", "agent.max_turns"],
    ["agent.max_trns", "agent.max_turns"],
    ["max_turns", "agent.max_turns"],
    ["max_trns", "agent.max_turns"],
    ["disply.streaming", "display.streaming"],
  ];
  for (const [wrong, right] of meant) {
    const isNamed = (error: unknown): boolean =>
      error instanceof UserError && error.exitCode === 2 && error.hint === `Did you mean "${right}"?`;
    await assert.rejects(config.set(wrong, "x"), isNamed, wrong);
    await assert.rejects(config.unset(wrong), isNamed, wrong);
    assert.throws(() => config.explain(wrong), isNamed, wrong);
  }
  assert.throws(
    () => config.explain("foo.bar"),
    (error: unknown) => error instanceof UserError && error.message === '"foo.bar" is not a setting.',
  );
  assert.equal(statSync(join(place.path, "config.yaml"), { throwIfNoEntry: false }), undefined, "nothing was written");
});

test("unset accepts a known key that is not set and removes an unknown key from the file", async (t) => {
  const place = setUp(t, { "config.yaml": "agent:\n  max_trns: 3 # slip\n  api_max_retries: 2\n" });
  const config = await place.open({ whenBroken: "take-sound-part" });
  assert.equal(config.explain("model.default").source, "unset");
  assert.equal(await config.unset("agent.max_turns"), false);
  assert.equal(await config.unset("agent.max_trns"), true);
  assert.equal(place.read(), "agent:\n  api_max_retries: 2\n");
  assert.deepEqual(config.problems, []);
});

test("reports that a variable is set and where, but never its value", async (t) => {
  const config = await setUp(t, { ".env": "EXAMPLE_API_KEY=sk-live-123456\n" }).open({
    process: { OTHER_TOKEN: "sk-live-654321" },
  });
  assert.match(config.explain("EXAMPLE_API_KEY").where ?? "", /\.env$/);
  assert.equal(config.explain("OTHER_TOKEN").where, "the process's environment");
  assert.equal(config.explain("NO_SUCH_KEY").source, "unset");
  assert.ok(!JSON.stringify([config.explain("EXAMPLE_API_KEY"), config.explain("OTHER_TOKEN")]).includes("sk-live"));
});

// row 48 of the fault matrix
// req: R-55
test("a running process applies an edit of config.yaml, keeps the last good settings while it is invalid, and reports both", async (t) => {
  const place = setUp(t, { "config.yaml": "agent:\n  max_turns: 5\n" });
  const config = await place.open();
  assert.deepEqual(await config.refresh(), []);
  place.write("agent:\n  max_turns: 60\n");
  assert.deepEqual(await config.refresh(), []);
  assert.equal(config.get("agent.max_turns"), 60);
  place.write("agent:\n  max_turns: 60\n  max_trns: 61\n");
  const [notice, ...more] = await config.refresh();
  assert.deepEqual(more, []);
  assert.match(
    notice?.text ?? "",
    /config\.yaml:3:3: "agent\.max_trns" is not a setting\. Did you mean "agent\.max_turns"\?.*\nThe last valid configuration stays in force/s,
  );
  assert.equal(config.get("agent.max_turns"), 60);
  assert.deepEqual(await config.refresh(), [], "said once");
  place.write("agent:\n  max_turns: 7\n");
  assert.deepEqual(await config.refresh(), [
    { level: "info", text: `${place.path}/config.yaml is valid again and in force.` },
  ]);
  assert.equal(config.get("agent.max_turns"), 7);
  rmSync(join(place.path, "cache"), { recursive: true });
  place.write("agent:\n  max_turns: none of it\n");
  assert.match(
    (await config.refresh())[0]?.text ?? "",
    /The previous configuration stays in force/,
    "the previous configuration stays even without its saved copy",
  );
  assert.equal(config.get("agent.max_turns"), 7);
});

// row 48 of the fault matrix
test("an edit of config.yaml gives a running process no further rights", async (t) => {
  const place = setUp(t, { "config.yaml": "approvals:\n  mode: manual\n  deny: [rm *]\n" });
  const config = await place.open();
  place.write(
    "approvals:\n  mode: off\ncommand_allowlist: [anything]\nsecurity:\n  redact_secrets: false\ndelegation:\n  subagent_auto_approve: true\nagent:\n  max_turns: 8\n",
  );
  await config.refresh();
  assert.deepEqual(
    [
      config.get("approvals.mode"),
      config.get("approvals.deny"),
      config.get("command_allowlist"),
      config.get("security.redact_secrets"),
      config.get("delegation.subagent_auto_approve"),
    ],
    ["manual", ["rm *"], [], true, false],
  );
  assert.equal(config.get("agent.max_turns"), 8);
  assert.equal((await place.open()).get("approvals.mode"), "off", "the next process reads the file unchanged");
});

test("reads keys in .env again that change while a process runs", async (t) => {
  const place = setUp(t, { ".env": "TERMINAL_TIMEOUT=5\n" });
  const config = await place.open();
  assert.equal(config.get("terminal.timeout"), 5);
  writeFileSync(join(place.path, ".env"), "TERMINAL_TIMEOUT=66\n");
  await config.refresh();
  assert.equal(config.get("terminal.timeout"), 66);
});

// req: config.progress-migration
test("moves display.tool_progress_overrides to display.platforms, keeps comments and saves the old file", async (t) => {
  const before =
    "# mine\nagent:\n  max_turns: 7 # few\ndisplay:\n  compact: true # tight\n  tool_progress_overrides:\n    telegram: off\n    cli: new\n  platforms:\n    cli:\n      tool_progress: verbose # newer\n";
  const place = setUp(t, { "config.yaml": before });
  const config = await place.open();
  assert.deepEqual(
    [
      config.get("display.platforms.telegram.tool_progress"),
      config.get("display.platforms.cli.tool_progress"),
      config.get("display.tool_progress_overrides"),
    ],
    ["off", "verbose", undefined],
  );
  assert.equal(
    place.read(),
    "# mine\nagent:\n  max_turns: 7 # few\ndisplay:\n  compact: true # tight\n  platforms:\n    cli:\n      tool_progress: verbose # newer\n    telegram:\n      tool_progress: off\n",
  );
  assert.match(
    config.notices[0]?.text ?? "",
    /tool_progress_overrides.*is now called .*Hermes moved the value\. The former file is .*config\.before-move\.yaml/,
  );
  assert.equal(readFileSync(join(place.path, "cache/config.before-move.yaml"), "utf8"), before);
  assert.deepEqual((await place.open()).notices, [], "once");
});

// req: config.progress-migration
test("if a former setting cannot be moved, it still applies and is still checked", async (t) => {
  const place = setUp(t, { "config.yaml": "display:\n  tool_progress_overrides:\n    cli: off\n" });
  mkdirSync(join(place.path, "cache/config.before-move.yaml"), { recursive: true });
  const config = await place.open();
  assert.equal(config.get("display.platforms.cli.tool_progress"), "off");
  assert.match(config.notices[0]?.text ?? "", /It still works, but the value could not be moved/);
  place.write("display:\n  tool_progress_overrides:\n    cli: loud\n");
  assert.match(JSON.stringify(await config.refresh()), /config\.yaml:3:5.*cannot be .*loud/);
});

test("an unknown time zone is an error that names the nearest", async (t) => {
  const place = setUp(t);
  const config = await place.open();
  await assert.rejects(
    config.set("timezone", "Europe/Berln"),
    (error: unknown) =>
      error instanceof UserError &&
      error.hint === "Allowed: the name of a time zone, like Europe/Berlin, or empty. Did you mean Europe/Berlin?",
  );
  await config.set("timezone", "Europe/Berlin");
  assert.equal(config.get("timezone"), "Europe/Berlin");
  assert.equal((await place.open({ process: { HERMES_TIMEZONE: "Asia/Tokyo" } })).get("timezone"), "Asia/Tokyo");
});

test("opening for inspection reads a former setting at its new key without changing the file", async (t) => {
  const text = "display:\n  tool_progress_overrides:\n    telegram: off\n";
  const place = setUp(t, { "config.yaml": text });
  const config = await place.open({ whenBroken: "take-sound-part" });
  assert.equal(config.get("display.platforms.telegram.tool_progress"), "off");
  assert.equal(place.read(), text);
});

test("an alias inside its own value is a file error, and the last good state stays in use", async (t) => {
  const place = setUp(t, { "config.yaml": "agent:\n  max_turns: 7\n" });
  await place.open();
  place.write("agent: &agent\n  max_turns: 8\n  again: *agent\n");
  const config = await place.open();
  assert.equal(config.get("agent.max_turns"), 7);
  assert.deepEqual(
    config.problems.map(({ line, text }) => [line, text]),
    [[1, "An alias (*name) is inside the value that it names."]],
  );
});
