import assert from "node:assert/strict";
import { cpSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NO_TMUX, UserTerminal } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

const skip = NO_TMUX;
const WEATHER = join(import.meta.dirname, "../../../examples/plugins/weather");

/** The smart home tools, which need a key, are off. */
async function withoutHome(user: NewUser): Promise<void> {
  assert.equal((await user.run(["tools", "disable", "homeassistant"])).status, 0);
}

/** The weather plugin is enabled and needs a key. */
async function withWeather(user: NewUser): Promise<void> {
  await withoutHome(user);
  cpSync(WEATHER, join(user.agentHome, "plugins/weather"), { recursive: true });
  await user.run(["plugins", "enable", "weather"]);
}

// req: setup.optional-env-vars, setup.password-hidden, setup.tools-mapping
test(
  "setup tools asks for enabled tools' keys without echo, saves them in .env and lists what is ready",
  { skip },
  async () => {
    using user = new NewUser();
    await withWeather(user);
    await using terminal = await UserTerminal.open(user, ["setup", "tools"]);
    await terminal.until(/❯ Continue\n/);
    await terminal.press("Enter");
    const asked = await terminal.until(/WEATHER_API_KEY \(Enter skips it\):/);
    assert.match(
      asked,
      /Key for weatherapi\.com\n +for weather · required · https:\/\/www\.weatherapi\.com\/signup\.aspx/,
    );
    await terminal.type("wk-live-0123456789");
    await terminal.press("Enter");
    await terminal.until(/WEATHER_BASE_URL \(Enter skips it\):/);
    await terminal.press("Enter");
    const end = await terminal.until(/\[ended 1\]\nicanon echo/); // No model is connected.
    assert.match(end, /✓ Available now: weather/);
    assert.match(end, /✓ WEATHER_API_KEY {2}\*\*\* \(weather\)/);
    assert.ok(!(await terminal.screen({ scrollback: true })).includes("wk-live"), "the key was never on the screen");
    assert.equal(readFileSync(join(user.agentHome, ".env"), "utf8"), "WEATHER_API_KEY=wk-live-0123456789\n");
    assert.equal(statSync(join(user.agentHome, ".env")).mode & 0o777, 0o600);
  },
);

/** The guide's platform, with the line breaks that copying removed. */
const MYPLATFORM = {
  "plugin.yaml": `name: myplatform-platform
label: MyPlatform
kind: platform
version: 1.0.0
description: MyPlatform gateway adapter
requires_env:
  - name: MYPLATFORM_TOKEN
    description: "Bot token from the MyPlatform console"
    password: true
optional_env:
  - name: MYPLATFORM_HOME_CHANNEL
    description: "Default channel for cron delivery"
    password: false
`,
  "__init__.py": `def register(ctx):
    ctx.register_platform(name="myplatform", label="MyPlatform", adapter_factory=lambda cfg: None, check_fn=lambda: True, required_env=["MYPLATFORM_TOKEN"])
`,
};

// req: plugins.platform-same-gates
test(
  "setup gateway asks for the variables of a plugin's platform, and reports when it is ready",
  { skip },
  async () => {
    using user = new NewUser();
    cpSync(
      join(import.meta.dirname, "../../../examples/plugins/loopback-chat"),
      join(user.agentHome, "plugins/loopback-chat"),
      { recursive: true },
    );
    await user.run(["plugins", "enable", "loopback-chat"]);
    await using terminal = await UserTerminal.open(user, ["setup", "gateway"]);
    const before = await terminal.until(/❯ Continue\n/);
    assert.match(before, /loopback-chat: Loopback chat \(not set up: LOOPBACK_CHAT_PORT is not set\)/);
    await terminal.type("loopback");
    await terminal.press("Enter");
    await terminal.until(/LOOPBACK_CHAT_PORT \(Enter skips it\):/);
    await terminal.type("7070");
    await terminal.press("Enter");
    await terminal.until(/LOOPBACK_CHAT_HOME_CHANNEL \(Enter skips it\):/);
    await terminal.press("Enter");
    await terminal.until(/loopback-chat: Loopback chat \(ready\)/);
    assert.equal(readFileSync(join(user.agentHome, ".env"), "utf8"), "LOOPBACK_CHAT_PORT=7070\n");
  },
);

// req: plugins.platform-manifest, setup.password-hidden
test(
  "asks for a platform's variables with their descriptions, hides a password, and lets Enter skip one",
  { skip },
  async () => {
    using user = new NewUser();
    for (const [file, text] of Object.entries(MYPLATFORM))
      user.write(`~/.hermes/plugins/platforms/myplatform/${file}`, text);
    await withoutHome(user);
    await user.run(["plugins", "enable", "platforms/myplatform"]);
    await using terminal = await UserTerminal.open(user, ["setup", "tools"]);
    await terminal.until(/❯ Continue\n/);
    await terminal.press("Enter");
    const asked = await terminal.until(/MYPLATFORM_TOKEN \(Enter skips it\):/);
    assert.match(asked, /MYPLATFORM_TOKEN\n +Bot token from the MyPlatform console\n +for the plugin · required/);
    await terminal.type("mp-live-0123456789");
    await terminal.press("Enter");
    assert.match(
      await terminal.until(/MYPLATFORM_HOME_CHANNEL \(Enter skips it\):/),
      /Default channel for cron delivery\n +for the plugin · optional/,
    );
    await terminal.press("Enter");
    await terminal.until(/\[ended 1\]/); // No model is connected.
    assert.ok(!(await terminal.screen({ scrollback: true })).includes("mp-live"));
    assert.equal(readFileSync(join(user.agentHome, ".env"), "utf8"), "MYPLATFORM_TOKEN=mp-live-0123456789\n");
    assert.match((await user.run(["plugins", "list", "--user"])).out, /✓ platforms\/myplatform +enabled/);
  },
);

// field: C07
test(
  "setup tools shows which toolsets are on, partly on or off, and saving one does not change others",
  { skip },
  async () => {
    using user = new NewUser();
    await withoutHome(user);
    const enabled = async (): Promise<readonly string[]> =>
      (
        JSON.parse((await user.run(["tools", "list", "--json"])).out) as readonly { name: string; enabled: boolean }[]
      ).flatMap((tool) => (tool.enabled ? [tool.name] : []));
    const before = await enabled();
    assert.ok(before.includes("text_to_speech") && before.includes("skill_view"));
    await using terminal = await UserTerminal.open(user, ["setup", "tools"], { columns: 140, rows: 60 });
    const screen = await terminal.until(/❯ Continue\n/);
    assert.match(screen, /✓ terminal: process, terminal\n/);
    assert.match(screen, /◐ skills: skill_manage, skill_view, skills_list \(off: skills_categories\)\n/);
    assert.match(screen, /○ homeassistant: ha_call_service/);
    await terminal.type("skills");
    await terminal.press("Enter");
    await terminal.until(/❯ +\d+\. ✓ skills: skill_manage, skill_view, skills_categories, skills_list\n/);
    await terminal.press("Enter");
    await terminal.until(/❯ +\d+\. ○ skills: /);
    await terminal.type("todo");
    await terminal.press("Enter");
    await terminal.until(/❯ +\d+\. ○ todo: todo/);
    await terminal.press("Escape");
    await terminal.until(/\[ended/);
    const changed = ["skill_manage", "skill_view", "skills_list", "todo"];
    assert.deepEqual(
      await enabled(),
      before.filter((name) => !changed.includes(name)),
    );

    // What `tools list` advises for an unchanged tool still works.
    const listed = (await user.run(["tools", "list"])).out;
    assert.match(listed, /✗ .*text_to_speech.*Run `hermes config set tts\.provider edge`/);
    await user.run(["config", "set", "tts.provider", "edge"]);
    assert.match((await user.run(["tools", "list"])).out, /✓ .*text_to_speech/);
    await user.run(["tools", "enable", "skills"]);
    assert.deepEqual(
      before.filter((name) => name !== "todo" && name.startsWith("skill")),
      (await enabled()).filter((name) => name.startsWith("skill") && name !== "skills_categories"),
    );
  },
);

// req: setup.tools-mapping
test("does not ask for a disabled tool's key, and Enter keeps an existing value", { skip }, async () => {
  using user = new NewUser({ WEATHER_API_KEY: "wk-live-0123456789" });
  await withWeather(user);
  await user.run(["tools", "disable", "weather"]);
  await using terminal = await UserTerminal.open(user, ["setup", "tools"], {
    columns: 40,
    rows: 60,
    env: { WEATHER_API_KEY: "wk-live-0123456789", NO_COLOR: "1" },
  });
  await terminal.until(/○ weather: weather/);
  await terminal.press("Enter");
  const end = await terminal.until(/\[ended 1\]/);
  assert.match(end, /No enabled tool needs a key\./);
  assert.ok(!end.includes("WEATHER_API_KEY"));
});

test("setup terminal offers the available backends", { skip: NO_TMUX }, async () => {
  using user = new NewUser();
  await using terminal = await UserTerminal.open(user, ["setup", "terminal"]);
  await terminal.until(/local: this machine \(now\)[^]*type to filter/);
  await terminal.type("nowhere");
  await terminal.until(/Filter: nowhere[^]*No choice matches/);
  await terminal.press("Escape");
  await terminal.until(/❯ No change/);
  await terminal.say("another host");
  await terminal.until(
    /Default timeout for foreground commands, in seconds\.\nterminal\.timeout: a whole number from 1\ncurrent 180, new:/,
  );
  await terminal.press("Enter");
  await terminal.until(/\[ended 1\]/);
  assert.equal((await user.run(["config", "get", "terminal.backend"])).out, "ssh\n");
});

test(
  "hermes model lists providers, reads the key without echo, and offers the provider's models",
  { skip },
  async () => {
    using user = new NewUser();
    await using server = await startOpenAiServer([{ text: "Hello." }]);
    user.write("~/.hermes/.env", `OPENROUTER_BASE_URL=${server.url}\n`);
    await using terminal = await UserTerminal.open(user, ["model"]);
    await terminal.until(/❯ +1\. OpenRouter/);
    await terminal.say("openrouter");
    await terminal.until(
      /Get a key at https:\/\/openrouter\.ai\/keys\nOPENROUTER_API_KEY \(stored in \.env, input hidden/,
    );
    await terminal.type("sk-or-0123456789");
    await terminal.press("Enter");
    await terminal.until(/Model\n❯ +1\. loopback-large\n +2\. loopback-small\n +3\. Another name…/);
    await terminal.say("small");
    const end = await terminal.until(
      /Testing loopback-small by openrouter with one small request…\n✓ loopback-small by openrouter answers from the next turn on\.\n +Saved: the model in .*config\.yaml\n +OPENROUTER_API_KEY in .*\.env\n\[ended 0\]/,
    );
    assert.ok(!end.includes("sk-or-0123"));
    assert.match(readFileSync(join(user.agentHome, ".env"), "utf8"), /^OPENROUTER_API_KEY=sk-or-0123456789$/m);
    assert.match(
      readFileSync(join(user.agentHome, "config.yaml"), "utf8"),
      /provider: openrouter\n +default: loopback-small/,
    );
  },
);

test("Ctrl-C exits setup with status 130 and restores the terminal", { skip }, async () => {
  using user = new NewUser();
  await using terminal = await UserTerminal.open(user, ["setup", "agent"]);
  await terminal.until(/approvals\.mode: manual/);
  await terminal.say("dockr");
  await terminal.until(/cannot be "dockr"\. Allowed: manual, smart or off\./);
  await terminal.press("C-c");
  const screen = await terminal.until(
    /You exited before the last question\. Your earlier answers are saved\.\n\[ended 130\]\nicanon echo/,
  );
  assert.doesNotMatch(screen.slice(screen.indexOf("You exited")), /approvals\.mode/, "no question follows");
});

test("setup --non-interactive reports missing settings and how to set them, and prints no key", async () => {
  using user = new NewUser();
  await withWeather(user);
  const missing = await user.run(["setup", "--non-interactive"]);
  assert.equal(missing.status, 1);
  assert.match(
    missing.out,
    /✗ model {4}none.*\n(?:.*\n)*✗ WEATHER_API_KEY {2}missing \(weather\)\. Set it: hermes config set WEATHER_API_KEY VALUE/,
  );
  await user.run(["config", "set", "WEATHER_API_KEY", "wk-live-0123456789"]);
  user.connect("custom", "http://127.0.0.1:9/v1");
  await user.run(["config", "set", "WEATHER_API_KEY", "wk-live-0123456789"]);
  const ready = await user.run(["setup", "--non-interactive"]);
  assert.equal(ready.status, 0);
  assert.match(ready.out, /✓ model {4}loopback at http:\/\/127\.0\.0\.1:9\/v1$/m);
  assert.ok(!ready.out.includes("wk-live"));
  const asked = await user.run(["setup"]);
  assert.deepEqual([asked.status, /there is no terminal/.test(asked.err)], [1, true]);
  const wrong = await user.run(["setup", "modle"]);
  assert.deepEqual([wrong.status, /Did you mean model\?/.test(wrong.err)], [2, true]);
});

// req: cli.fallback
test("hermes fallback lists, adds, removes and clears fallback providers", async () => {
  using user = new NewUser();
  assert.match((await user.run(["--help"])).out, /fallback/);
  const config = (): string => readFileSync(join(user.agentHome, "config.yaml"), "utf8");
  assert.equal(
    (await user.run(["fallback", "add", "openrouter/meta/llama"])).out,
    "openrouter/meta/llama is now fallback 1.\n",
  );
  await user.run(["fallback", "add", "anthropic/claude-haiku-4-5"]);
  user.write("~/.hermes/.env", "OPENROUTER_API_KEY=sk-or-0123456789abcdef\n");
  assert.equal(
    (await user.run(["fallback"])).out,
    "1. openrouter/meta/llama\n2. anthropic/claude-haiku-4-5\n   ✗ not available: Anthropic needs a key, but ANTHROPIC_API_KEY or ANTHROPIC_TOKEN or CLAUDE_CODE_OAUTH_TOKEN is not set.\n",
  );
  assert.match(config(), /fallback_providers:\n +- provider: openrouter\n +model: meta\/llama\n/);
  const twice = await user.run(["fallback", "add", "openrouter/meta/llama"]);
  assert.deepEqual([twice.status, /is already a fallback model/.test(twice.err)], [1, true]);
  const unknown = await user.run(["fallback", "add", "nobody/x"]);
  assert.deepEqual([unknown.status, /does not name a provider/.test(unknown.err)], [2, true]);
  assert.equal((await user.run(["fallback", "remove", "7"])).status, 2);
  assert.equal((await user.run(["fallback", "rm", "1"])).out, "openrouter/meta/llama is no longer a fallback.\n");
  assert.deepEqual(JSON.parse((await user.run(["fallback", "list", "--json"])).out), [
    { provider: "anthropic", model: "claude-haiku-4-5" },
  ]);
  await user.run(["fallback", "clear"]);
  assert.ok(!config().includes("fallback"));
});
