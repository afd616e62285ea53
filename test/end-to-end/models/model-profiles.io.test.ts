import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startAnthropicServer } from "../../servers/anthropic.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NO_TMUX, UserTerminal } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

const python = spawnSync("python3", ["--version"]).status === 0;
const examples = join(import.meta.dirname, "../../../examples/plugins");

for (const [language, folder] of [
  ["TypeScript", "acme-provider"],
  ["Python", "acme-provider-python"],
] as const) {
  // req: plugins.model-provider-register, plugins.model-provider-python, plugins.model-provider-lazy
  test(
    `the guide's acme in ${language}: selected by name or alias, with key, URL and models, without loading its code`,
    { skip: language === "Python" && !python ? "there is no python3" : false },
    async () => {
      using user = new NewUser();
      await using server = await startOpenAiServer([{ text: "Acme answers." }]);
      cpSync(join(examples, folder), join(user.agentHome, "plugins/model-providers/acme"), { recursive: true });
      assert.match(
        (await user.run(["chat", "-q", "x", "--provider", "acme"])).err,
        /There is no model provider "acme"/,
      );
      const enabled = await user.run(["plugins", "enable", "acme-provider"]);
      assert.equal(enabled.status, 0, enabled.err);
      assert.match((await user.run(["chat", "-q", "x", "--provider", "acme"])).err, /ACME_API_KEY/);
      user.write("~/.hermes/.env", `ACME_API_KEY=key-of-acme\nACME_BASE_URL=${server.url}\n`);
      for (const name of ["acme", "acme-inference"]) {
        const { status, out, err } = await user.run(["chat", "-q", "hello", "--provider", name]);
        assert.equal(status, 0, err);
        assert.match(out, /Acme answers\./);
      }
      assert.deepEqual(
        server.requests.map(({ headers, body }) => [
          headers["authorization"],
          (JSON.parse(body) as { model: string }).model,
        ]),
        [
          ["Bearer key-of-acme", "acme-large-v3"],
          ["Bearer key-of-acme", "acme-large-v3"],
        ],
      );
      assert.equal((await user.run(["model", "acme/acme-medium-v3"])).status, 0);
      assert.equal((await user.run(["chat", "-q", "hello"])).status, 0);
      assert.equal((JSON.parse(server.requests.at(-1)!.body) as { model: string }).model, "acme-medium-v3");
      assert.match((await user.run(["plugins", "info", "acme-provider"])).out, /model_profile\/acme/);
      assert.doesNotMatch((await user.run(["logs", "--level", "DEBUG"])).out, /Started the (Python|Node) process/);
    },
  );
}

// req: plugins.model-provider-hooks
test("a profile can change messages, body and model list, on either wire", async () => {
  using user = new NewUser();
  await using chat = await startOpenAiServer([{ text: "one" }]);
  await using messages = await startAnthropicServer([{ text: "two" }]);
  const profile = (name: string, more: string): string =>
    `ctx.register_provider({ name: "${name}", env_vars: ["${name.toUpperCase()}_KEY"], fallback_models: ["${name}-1"], ${more} });`;
  user.write(
    "~/.hermes/plugins/two/plugin.yaml",
    "name: two\nversion: 1.0.0\ndescription: Two services\nkind: model-provider\n",
  );
  user.write(
    "~/.hermes/plugins/two/index.ts",
    `export const register = (ctx) => {
  ${profile("alpha", `base_url: ${JSON.stringify(chat.url)}, default_headers: { "x-team": "blue" }, prepare_messages: (messages) => messages.map((one) => (one.role === "user" ? { ...one, content: one.content + " (prepared)" } : one)), build_extra_body: ({ session_id }) => ({ routing: session_id.length > 0 }), build_api_kwargs_extras: () => [{ inner: 1 }, { top: 2 }], fetch_models: ({ api_key }) => [api_key + "-model"]`)}
  ${profile("beta", `base_url: ${JSON.stringify(messages.url)}, api_mode: "anthropic_messages", fixed_temperature: 0`)}
};`,
  );
  user.write("~/.hermes/.env", "ALPHA_KEY=a-key\nBETA_KEY=b-key\n");
  assert.equal((await user.run(["plugins", "enable", "two"])).status, 0);
  const first = await user.run(["chat", "-q", "hello", "--provider", "alpha"]);
  assert.match(first.out, /one/, first.err);
  const body = JSON.parse(chat.requests[0]!.body) as { readonly [key: string]: unknown };
  assert.deepEqual(
    [body["routing"], body["inner"], body["top"], chat.requests[0]!.headers["x-team"]],
    [true, 1, 2, "blue"],
  );
  assert.match(JSON.stringify(body["messages"]), /hello \(prepared\)/);
  assert.match((await user.run(["model", "alpha", "--list"])).out, /a-key-model/);
  const second = await user.run(["chat", "-q", "hello", "--provider", "beta"]);
  assert.match(second.out, /two/, second.err);
  assert.equal((JSON.parse(messages.requests[0]!.body) as { temperature: number }).temperature, 0);
});

// req: plugins.model-provider-override
test("a user's profile replaces a bundled service of the same name", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([{ text: "Mine." }]);
  user.write(
    "~/.hermes/plugins/openai-mine/plugin.yaml",
    "name: openai-mine\nversion: 1.0.0\ndescription: Mine\nkind: model-provider\n",
  );
  user.write(
    "~/.hermes/plugins/openai-mine/index.ts",
    `export const register = (ctx) => ctx.register_provider({ name: "deepseek", display_name: "Mine", env_vars: ["MINE_KEY"], base_url: ${JSON.stringify(server.url)}, fallback_models: ["mine-1"] });`,
  );
  user.write("~/.hermes/.env", "MINE_KEY=key-of-mine\n");
  assert.equal((await user.run(["plugins", "enable", "openai-mine"])).status, 0);
  const { out, err } = await user.run(["chat", "-q", "hello", "--provider", "deepseek"]);
  assert.match(out, /Mine\./, err);
  assert.equal(server.requests[0]!.headers["authorization"], "Bearer key-of-mine");
  assert.match(
    (await user.run(["logs", "--level", "WARNING"])).out,
    /"deepseek" comes from the plugin "openai-mine" and replaces the bundled one/,
  );
});

// req: plugins.model-provider-wiring
test("a profile without further setup appears in setup, lists and doctor, and works", { skip: NO_TMUX }, async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([{ text: "Acme answers." }]);
  cpSync(join(examples, "acme-provider"), join(user.agentHome, "plugins/model-providers/acme"), {
    recursive: true,
  });
  assert.equal((await user.run(["plugins", "enable", "acme-provider"])).status, 0);
  user.write("~/.hermes/.env", `ACME_BASE_URL=${server.url}\n`);
  await using terminal = await UserTerminal.open(user, ["setup", "model"]);
  await terminal.until(/type to filter/);
  await terminal.say("acme");
  await terminal.until(/ACME_API_KEY \(stored in \.env, input hidden/);
  await terminal.type("key-of-acme");
  await terminal.press("Enter");
  await terminal.until(/1\. loopback-large/);
  await terminal.say("1");
  await terminal.until(/✓ model {4}loopback-large by acme\n[^]*\[ended 0\]/);
  assert.equal(
    (await user.run(["model"])).out,
    `loopback-large by acme at ${server.url}  (${join(user.agentHome, "config.yaml")}:5)\n`,
  );
  assert.equal((await user.run(["model", "--list", "acme"])).out, "loopback-large\nloopback-small\n");
  assert.match((await user.run(["doctor"])).out, /✓ model +loopback-large of acme \(.*\); the service answers\n/);
  assert.match((await user.run(["chat", "-q", "hello"])).out, /Acme answers\./);
  assert.deepEqual(
    server.requests.map(({ headers }) => headers["authorization"]),
    ["Bearer key-of-acme", "Bearer key-of-acme"],
  );
  await server.close();
  const silent = await user.run(["doctor"]);
  assert.equal(silent.status, 1);
  assert.match(
    silent.out,
    /✗ model +loopback-large of acme \(.*\): Nothing answers at 127\.0\.0\.1:\d+ .*\n +hermes model connects another/,
  );
});
