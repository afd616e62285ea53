import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import type { ModelServer } from "../../servers/script.ts";
import { NO_TMUX, UserTerminal } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

const KEY = "sk-or-0123456789";

/** A service that takes one key and knows one model beside the recommended one. */
function startService(key = KEY): Promise<ModelServer> {
  return startOpenAiServer((request) =>
    request.headers["authorization"] !== `Bearer ${key}`
      ? { status: 401, message: "Incorrect API key provided" }
      : request.body.includes('"loopback-large"')
        ? { status: 404, message: "The model does not exist" }
        : { text: "Hello, newcomer." },
  );
}

const saved = (user: NewUser, file: string): string => {
  const path = join(user.agentHome, file);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};

// field: C11
test(
  "setup asks a new user for provider, key and model, sends a test request and opens a chat, at 80×24",
  { skip: NO_TMUX },
  async () => {
    using user = new NewUser();
    await using service = await startService();
    const env = { OPENROUTER_BASE_URL: service.url };
    await using terminal = await UserTerminal.open(user, ["setup"], { columns: 80, rows: 24, env });
    const first = await terminal.until(/type to filter/);
    assert.match(first, /^Hermes setup\n/);
    for (const [at, label] of [
      "OpenRouter",
      "Anthropic",
      "OpenAI",
      "Google Gemini",
      "Nous Research",
      "Ollama",
    ].entries())
      assert.match(first, new RegExp(`^[❯ ] +${at + 1}\\. ${label}`, "m"));
    await terminal.press("Down");
    await terminal.until(/❯ +2\. Anthropic/);
    await terminal.press("Up");
    await terminal.until(/❯ +1\. OpenRouter/);
    await terminal.press("Enter");

    // A key that is refused is not saved.
    await terminal.until(/Get a key at https:\/\/openrouter\.ai\/keys\nOPENROUTER_API_KEY .*input hidden/);
    await terminal.type("sk-or-wrong-key");
    await terminal.press("Enter");
    await terminal.until(/❯ +1\. loopback-large/);
    await terminal.press("Enter");
    await terminal.until(/✗ OpenRouter answered 401: Incorrect API key[^]*❯ +1\. Enter another key/);
    assert.deepEqual([saved(user, ".env"), saved(user, "config.yaml")], ["", ""]);
    await terminal.press("Enter");
    await terminal.until(/Enter another key\nGet a key at [^]*input hidden/);
    await terminal.type(KEY);
    await terminal.press("Enter");

    // Nor is a model that the provider does not have; the nearest is offered.
    await terminal.until(/✗ OpenRouter answered 404[^]*❯ +1\. Use loopback-small/);
    assert.deepEqual([saved(user, ".env"), saved(user, "config.yaml")], ["", ""]);
    await terminal.press("Enter");
    const end = await terminal.until(/Start chatting now\? \[Y\/n\]/);
    assert.match(end, /✓ loopback-small by openrouter answers from the next turn on\./);
    assert.match(end, /Saved: the model in .*config\.yaml\n +OPENROUTER_API_KEY in .*\.env\n/);
    assert.match(end, /hermes setup tools +web search[^]*hermes doctor +check everything/);
    assert.ok(end.split("\n").every((line) => line.length <= 80));
    assert.equal(saved(user, ".env"), `OPENROUTER_API_KEY=${KEY}\n`);
    assert.equal(saved(user, "config.yaml"), "model:\n  provider: openrouter\n  default: loopback-small\n");

    await terminal.press("Enter");
    await terminal.until(/Ctrl-D exits/);
    await terminal.say("good morning");
    await terminal.until(/Hello, newcomer\./);
    assert.doesNotMatch(await terminal.screen({ scrollback: true }), /sk-or-/);
  },
);

// field: C11
test(
  "setup uses a key from the environment and lists its provider first; Escape changes nothing",
  { skip: NO_TMUX },
  async () => {
    using user = new NewUser();
    await using service = await startService("sk-of-the-shell");
    const env = { NOUS_API_KEY: "sk-of-the-shell" };
    user.write("~/.hermes/config.yaml", `providers:\n  nous:\n    base_url: ${service.url}\n`);
    await using terminal = await UserTerminal.open(user, ["setup"], { env });
    await terminal.until(/❯ +1\. Nous Research \(Hermes and others; its key is set\)\n +2\. OpenRouter/);
    await terminal.press("Enter");
    // Setup asks for no key.
    await terminal.until(/Using NOUS_API_KEY from the process's environment\.[^]*❯ +1\. loopback-large/);
    await terminal.say("2");
    await terminal.until(/✓ loopback-small by nous answers[^]*Start chatting now/);
    await terminal.say("n");
    await terminal.until(/\[ended 0\]/);
    assert.equal(saved(user, ".env"), "");

    await using again = await UserTerminal.open(user, ["setup"], { env });
    await again.until(/Current: loopback-small by nous[^]*Esc: no change/);
    await again.press("Escape");
    await again.until(/Start chatting now/);
    await again.press("C-c");
    await again.until(/\[ended (130|0)\]\nicanon echo/);
    assert.match(saved(user, "config.yaml"), /default: loopback-small/);
  },
);

// field: C11
test("setup reads numbers and lines from a pipe, and shows a numbered list on a terminal without cursor control", async () => {
  using user = new NewUser();
  await using service = await startService();
  const env = { OPENROUTER_BASE_URL: service.url };
  const answers = ["openrouter", KEY, "2"];
  const piped = await user.run(["setup"], `${answers.join("\n")}\n`, env);
  assert.equal(piped.status, 0, piped.err);
  assert.match(piped.err, /1\. OpenRouter[^]*Number or part of the name \(Enter: leave\):[^]*2\. loopback-small/);
  assert.match(piped.err, /✓ loopback-small by openrouter answers[^]*hermes setup gateway/);
  assert.doesNotMatch(piped.err + piped.out, /Start chatting|\x1b|sk-or-/);
  assert.equal(saved(user, ".env"), `OPENROUTER_API_KEY=${KEY}\n`);
  // The pipe ends before the last answer.
  using other = new NewUser();
  const cut = await other.run(["setup"], "openrouter\n", env);
  assert.deepEqual([cut.status, saved(other, ".env"), saved(other, "config.yaml")], [130, "", ""], cut.err);
});
