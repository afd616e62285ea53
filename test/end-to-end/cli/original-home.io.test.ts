import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { ended, NewUser } from "../support/test-user.ts";

/** `HERMES_ORIGINAL`: the `hermes` of a virtual environment with the Python original. */
const original = process.env["HERMES_ORIGINAL"] ?? "";
const skip = existsSync(original)
  ? false
  : "the Python original is not installed here (HERMES_ORIGINAL=/path/to/venv/bin/hermes)";

// req: config.home
test("starts without warnings in a home of the original, and uses its settings and data", async () => {
  using user = new NewUser();
  user.write("~/.hermes/config.yaml", ORIGINAL_CONFIG);
  user.write(
    "~/.hermes/.env",
    "# Keys of providers\n# OPENROUTER_API_KEY=\n\nTERMINAL_TIMEOUT=60\nTELEGRAM_BOT_TOKEN=12345:abcdefghijklmnop\nSUDO_PASSWORD=\n",
  );
  user.write("~/.hermes/auth.json", '{"version": 1, "providers": {}, "credential_pool": {}}');
  user.write("~/.hermes/SOUL.md", "You are a lighthouse keeper.\n");
  user.write("~/.hermes/skills/notes/SKILL.md", "---\nname: notes\ndescription: Keeps notes\n---\n# Notes\n");
  user.write("~/.hermes/memories/MEMORY.md", "The person likes tea.\n");
  user.write("~/.hermes/logs/agent.log", "2026-11-22 10:00:00,123 - run_agent - INFO - hello\n");
  user.write("~/.hermes/plugins/theirs/plugin.yaml", "name: theirs\nversion: 1.0.0\ndescription: A plugin in Python\n");
  user.write("~/.hermes/plugins/theirs/__init__.py", "def register(ctx):\n    pass\n");
  user.write("~/.hermes/cron/jobs.json", "[]");
  keepPrivate(user.agentHome);

  const doctor = await user.run(["doctor"]);
  assert.deepEqual(
    [doctor.status, doctor.out.split("\n").filter((line) => line.startsWith("✗"))],
    [0, []],
    doctor.out + doctor.err,
  );
  assert.match(doctor.out, /unused settings .*_config_version/);
  const chat = await user.run(["chat", "-q", "run echo $((20+3))"]);
  assert.equal(chat.status, 0, chat.err);
  assert.match(chat.out, /23/);
  assert.doesNotMatch(chat.err, /config\.yaml|auth\.json/);
  assert.match(chat.err, /^A plugin waits to be enabled: theirs$/m);
  assert.equal((await user.run(["config", "get", "agent.max_turns"])).out.trim(), "60");
  assert.equal(readFileSync(join(user.agentHome, "config.yaml"), "utf8"), ORIGINAL_CONFIG);
  const logs = await user.run(["logs"]);
  assert.equal(logs.status, 0, logs.err);
});

// req: config.home
test(
  "shares a home with the original: each finds its own sessions, and the original's store stays intact",
  { skip },
  async () => {
    await using server = await startOpenAiServer([{ text: "answer of the loopback" }]);
    using user = new NewUser();
    user.connect("custom", server.url, "  context_length: 200000\n");
    keepPrivate(user.agentHome);
    const env = {
      PATH: process.env["PATH"],
      HOME: user.home,
      TERM: "dumb",
      LANG: "C.UTF-8",
      OPENAI_API_KEY: "key-of-the-test",
    };
    const theirs = async (...args: readonly string[]): Promise<string> => {
      const run = await ended(spawn(original, args, { cwd: user.folder, env, stdio: ["ignore", "pipe", "pipe"] }));
      assert.equal(run.status, 0, run.out + run.err);
      return run.out;
    };
    await theirs("chat", "-q", "words that only the original was told");
    const listed = await theirs("sessions", "list");
    assert.match(listed, /\d{8}_\d{6}_/);
    const before = statSync(join(user.agentHome, "state.db"));

    const ours = await user.run(["chat", "-q", "words of ours"]);
    assert.equal(ours.status, 0, ours.err);
    assert.match(ours.err, /state\.db" belongs to another program/);
    assert.match(ours.out, /answer of the loopback/);
    const again = await user.run(["chat", "-q", "more of ours", "--continue"]);
    assert.equal(again.status, 0, again.err);
    assert.doesNotMatch(again.err, /another program/);
    assert.equal((await user.run(["sessions", "search", "ours"])).status, 0);
    const doctor = await user.run(["doctor"]);
    assert.deepEqual(
      doctor.out.split("\n").filter((line) => line.startsWith("✗")),
      [],
      doctor.out,
    );

    const after = statSync(join(user.agentHome, "state.db"));
    assert.deepEqual([after.ino, after.size, after.mtimeMs], [before.ino, before.size, before.mtimeMs]);
    assert.equal(await theirs("sessions", "list"), listed);

    const taken = await user.run(["sessions", "import"]);
    assert.match(taken.out, /^Imported 1 session\.$/m, taken.err);
    assert.match(
      (await user.run(["sessions", "search", "only", "the", "original"])).out,
      /words that >>>only|words that only/,
    );
    const whole = statSync(join(user.agentHome, "state.db"));
    assert.deepEqual([whole.ino, whole.size], [before.ino, before.size]);
    assert.equal(await theirs("sessions", "list"), listed);
  },
);

test("accepts every configuration key that has a default in the original", { skip }, async () => {
  using user = new NewUser();
  const dump = spawnSync(
    join(dirname(original), "python"),
    ["-c", "import yaml\nfrom hermes_cli.config import DEFAULT_CONFIG\nprint(yaml.safe_dump(DEFAULT_CONFIG))"],
    { env: { HOME: user.home, PATH: process.env["PATH"] }, encoding: "utf8" },
  );
  assert.equal(dump.status, 0, dump.stderr);
  user.write("~/.hermes/config.yaml", dump.stdout);
  keepPrivate(user.agentHome);
  const doctor = await user.run(["doctor"]);
  assert.deepEqual(
    [doctor.status, doctor.out.split("\n").filter((line) => line.startsWith("✗"))],
    [0, []],
    doctor.out + doctor.err,
  );
});

function keepPrivate(home: string): void {
  chmodSync(home, 0o700);
  if (existsSync(join(home, ".env"))) chmodSync(join(home, ".env"), 0o600);
}

/** Keys that its setup writes, and sections that users fill in. */
const ORIGINAL_CONFIG = `model:
  default: ''
  provider: auto
providers: {}
fallback_providers: []
toolsets:
- hermes-cli
agent:
  max_turns: 60
  gateway_timeout: 1800
  tool_use_enforcement: auto
  personalities:
    helpful: You are helpful.
terminal:
  backend: local
  cwd: .
  timeout: 180
  docker_image: python:3.11
  env_passthrough: []
browser:
  inactivity_timeout: 120
checkpoints:
  enabled: false
compression:
  enabled: true
  threshold: 0.5
auxiliary:
  vision:
    provider: auto
    model: ''
display:
  compact: false
  skin: default
  resume_display: full
  tool_progress: all
tts:
  provider: edge
memory:
  memory_enabled: true
  memory_char_limit: 2200
approvals:
  mode: manual
  timeout: 60
command_allowlist: []
security:
  redact_secrets: true
  tirith_enabled: true
cron:
  wrap_response: true
platform_toolsets:
  cli:
  - hermes-cli
  telegram:
  - hermes-telegram
mcp_servers: {}
_config_version: 33

# fallback_model:
#   provider: openrouter
`;
