import assert from "node:assert/strict";
import { chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startAnthropicServer } from "../../servers/anthropic.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NewUser } from "../support/test-user.ts";

// req: models.fallback-chain
test("after a permanent failure tries the fallbacks in order, each with its key, on either wire", async () => {
  using user = new NewUser();
  await using first = await startOpenAiServer([{ status: 402, message: "out of credits" }]);
  await using second = await startOpenAiServer([
    { status: 404, body: { error: { message: "model not found", code: "model_not_found" } } },
  ]);
  await using third = await startAnthropicServer([{ text: "The third one answers." }]);
  user.connect(
    "custom",
    first.url,
    `fallback_providers:
  - { provider: custom, model: loopback, base_url: ${second.url}, api_key: key-of-the-second }
  - { provider: anthropic, model: claude-loopback, base_url: ${third.url}, key_env: THIRD_KEY }
  - { provider: custom, model: never, base_url: "http://127.0.0.1:9/v1" }
`,
  );
  user.write("~/.hermes/.env", "CUSTOM_API_KEY=key-of-the-first\nTHIRD_KEY=key-of-the-third\n");
  const { status, out, err } = await user.run(["chat", "-q", "hello"]);
  assert.equal(status, 0, err);
  assert.match(out, /The third one answers\./);
  assert.deepEqual(
    [first, second, third].map(({ requests }) =>
      requests.map(({ headers }) => headers["x-api-key"] ?? headers["authorization"]),
    ),
    [["Bearer key-of-the-first"], ["Bearer key-of-the-second"], ["key-of-the-third"]],
  );
  const times = [first, second, third].map(({ requests }) => requests[0]?.at ?? 0);
  assert.deepEqual(
    times,
    times.toSorted((left, right) => left - right),
  );
});

// req: models.default-key, models.inference-model
test("model.default sets the model, HERMES_INFERENCE_MODEL overrides it for one process, and a flag wins over both", async () => {
  await using server = await startOpenAiServer([{ text: "ok" }]);
  for (const [env, flags] of [
    [{}, []],
    [{ HERMES_INFERENCE_MODEL: "by-variable" }, []],
    [{ HERMES_INFERENCE_MODEL: "by-variable" }, ["-m", "by-flag"]],
  ] as const) {
    using user = new NewUser(env);
    user.connect("custom", server.url);
    const { status, err } = await user.run(["chat", "-Q", "-q", "hello", ...flags]);
    assert.equal(status, 0, err);
  }
  assert.deepEqual(
    server.requests.map(({ body }) => (JSON.parse(body) as { model: string }).model),
    ["loopback", "by-variable", "by-flag"],
  );
});

test("a key from `hermes model` is in the private .env and on the wire, not in the settings", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([{ text: "ok" }]);
  const chosen = await user.run(["model", "own-model", "--base-url", server.url, "--api-key", "key-typed-by-hand"]);
  assert.equal(chosen.status, 0, chosen.err);
  const file = (name: string): string => readFileSync(join(user.agentHome, name), "utf8");
  assert.equal(statSync(join(user.agentHome, ".env")).mode & 0o777, 0o600);
  assert.match(file(".env"), /^CUSTOM_API_KEY=key-typed-by-hand$/m);
  assert.doesNotMatch(file("config.yaml"), /key-typed-by-hand|api_key/);
  assert.equal(
    (await user.run(["config", "explain", "CUSTOM_API_KEY"])).out,
    `CUSTOM_API_KEY is set; its value is not shown\nfrom     ${join(user.agentHome, ".env")}\n`,
  );
  const { status, err } = await user.run(["chat", "-Q", "-q", "hello"]);
  assert.equal(status, 0, err);
  assert.deepEqual(
    [
      server.requests[0]?.headers["authorization"],
      (JSON.parse(server.requests[0]?.body ?? "{}") as { model?: string }).model,
    ],
    ["Bearer key-typed-by-hand", "own-model"],
  );
});

// req: models.api-timeout
test("HERMES_API_TIMEOUT (default 1800) limits the whole request, however steadily the answer arrives", async () => {
  using usual = new NewUser();
  assert.equal((await usual.run(["config", "get", "agent.api_timeout"])).out.trim(), "1800");
  using user = new NewUser({ HERMES_API_TIMEOUT: "1" });
  await using server = await startOpenAiServer([{ text: "x".repeat(400), deltaChars: 1, betweenMs: 50 }]);
  user.connect("custom", server.url, "agent:\n  api_max_retries: 0\n");
  const { status, err } = await user.run(["chat", "-Q", "-q", "hello"]);
  assert.equal(status, 1);
  assert.match(err, /did not finish its answer within 1 s\./);
});

// req: models.stream-timeouts
test("aborts a stalled answer after HERMES_STREAM_STALE_TIMEOUT and retries HERMES_STREAM_RETRIES times", async () => {
  const began = 'data: {"choices":[{"index":0,"delta":{"content":"It begins"}}]}\n\n';
  for (const retries of [0, 1]) {
    await using server = await startOpenAiServer([{ raw: [began, { waitMs: 20_000 }] }]);
    using user = new NewUser({ HERMES_STREAM_STALE_TIMEOUT: "1", HERMES_STREAM_RETRIES: String(retries) });
    user.connect("custom", server.url);
    const { status, err } = await user.run(["chat", "-Q", "-q", "hello"]);
    assert.deepEqual([status, server.requests.length], [1, 1 + retries], err);
    assert.match(err, /sent nothing more for 1 s/);
  }
});

// req: models.stream-timeouts
test("HERMES_STREAM_READ_TIMEOUT limits the wait for the first event, HERMES_STREAM_STALE_TIMEOUT the silence after it", async () => {
  const began = 'data: {"choices":[{"index":0,"delta":{"content":"It begins"}}]}\n\n';
  await using server = await startOpenAiServer([
    { text: "late", firstAfterMs: 20_000 },
    { raw: [began, { waitMs: 20_000 }] },
  ]);
  for (const [env, text] of [
    [{ HERMES_STREAM_READ_TIMEOUT: "1" }, /sent nothing for 1 s/],
    [{ HERMES_STREAM_READ_TIMEOUT: "120", HERMES_STREAM_STALE_TIMEOUT: "1" }, /sent nothing more for 1 s/],
  ] as const) {
    using user = new NewUser(env);
    user.connect("custom", server.url, "agent:\n  api_max_retries: 0\n");
    const { status, err } = await user.run(["chat", "-Q", "-q", "hello"]);
    assert.equal(status, 1);
    assert.match(err, text);
  }
  assert.equal(server.requests.length, 2);
});

// req: models.credential-pool
test("two keys of a provider alternate with round_robin, a refused one pauses, and a strategy in auth.json is ignored", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer(({ headers }) =>
    headers["authorization"] === "Bearer key-the-third" ? { status: 401, message: "no such key" } : { text: "Hello." },
  );
  user.connect("custom", server.url, "");
  user.write("~/.hermes/.env", "CUSTOM_API_KEY=key-the-first\nCUSTOM_API_KEY_2=key-the-second\n");
  user.write("~/.hermes/auth.json", '{"version": 1, "credential_pool_strategies": {"custom": "round_robin"}}');
  const ask = async (times: number): Promise<string> => {
    const from = server.requests.length;
    for (let n = 0; n < times; n++) {
      const { status, out, err } = await user.run(["chat", "-Q", "-q", "hello"]);
      assert.deepEqual([status, out], [0, "Hello.\n"], err);
    }
    return server.requests
      .slice(from)
      .map(({ headers }) => String(headers["authorization"]).replace("Bearer key-the-", ""))
      .join(" ");
  };
  assert.equal(await ask(2), "first first");
  assert.equal((await user.run(["config", "set", "credential_pool_strategies.custom", "round_robin"])).status, 0);
  assert.equal(await ask(3), "second first second");
  user.write("~/.hermes/.env", "CUSTOM_API_KEY=key-the-third\nCUSTOM_API_KEY_2=key-the-second\n");
  assert.equal(await ask(2), "third second second");
  assert.match(
    (await user.run(["logs", "--level", "WARNING"])).out,
    /Key CUSTOM_API_KEY of .* is suspended for 300 s \(auth\); continuing with CUSTOM_API_KEY_2\./,
  );
  const wrong = await user.run(["config", "set", "credential_pool_strategies.custom", "robin"]);
  assert.match(wrong.err, /fill_first, round_robin, least_used or random/);
});

test("with model.client: package a turn with calls works through the provider packages, on either wire", async () => {
  for (const [provider, start] of [
    ["custom", startOpenAiServer],
    ["anthropic", startAnthropicServer],
  ] as const) {
    using user = new NewUser();
    await using server = await start([
      {
        thinking: "Two at once.",
        calls: ["one", "two"].map((word) => ({ tool: "terminal", args: { command: `echo ${word}` } })),
      },
      { text: "Both ran." },
    ]);
    user.connect(provider, server.url, "  client: package\n");
    const { status, out, err } = await user.run(["chat", "-Q", "-q", "run both"]);
    assert.deepEqual([status, out.trim()], [0, "Both ran."], err);
    const { messages } = JSON.parse(server.requests[1]!.body) as { readonly messages: readonly unknown[] };
    assert.match(JSON.stringify(messages.slice(-2)), /one.*two/s, provider);
  }
});

// field: M18
test("a user's own package is not installed without a question, and chat, doctor and setup name it until then", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([{ text: "never" }]);
  user.connect("custom", server.url, '  package: "lab-provider"\n');
  const { status, out, err } = await user.run(["chat", "-Q", "-q", "hello"]);
  assert.deepEqual([status, out, server.requests.length], [1, "", 0]);
  assert.match(err, /lab-provider is not part of a plugin, and is not installed.*hermes model install lab-provider/s);
  const doctor = await user.run(["doctor"]);
  assert.match(doctor.out, /model package +model\.package: The package lab-provider is not part of a/);
  assert.match(doctor.out.replaceAll(/\s+/g, " "), /run: hermes model install lab-provider/);

  // npm installs from a folder of its cache instead of a registry.
  user.write(
    "~/bin/npm",
    `#!/bin/sh\nwhile [ $# -gt 1 ]; do [ "$1" = --prefix ] && to=$2; shift; done\nmkdir -p "$to/node_modules/$1"\ncp "$HOME"/made/* "$to/node_modules/$1/"\n`,
  );
  chmodSync(join(user.home, "bin/npm"), 0o755);
  user.write("~/made/package.json", '{"name":"lab-provider","version":"1.0.0","main":"index.js"}');
  user.write("~/made/index.js", "exports.createLab = () => () => ({ specificationVersion: 'v4' });");
  const path = `${join(user.home, "bin")}:${process.env["PATH"]}`;
  const installed = await user.run(["setup", "--yes"], undefined, { PATH: path });
  assert.match(installed.out, /Installed lab-provider\./, installed.err);
  assert.match((await user.run(["doctor"])).out, /✓ model package +lab-provider is installed \(model\.package\)/);
  assert.match((await user.run(["model", "install"])).out, /need no package/);
  const bad = await user.run(["model", "install", "https://packages.example/x.tgz"]);
  assert.deepEqual([bad.status, /is not the name of a package/.test(bad.err)], [2, true]);
  const wrong = await user.run(["config", "set", "model.client", "packages"]);
  assert.equal(wrong.status, 2);
  assert.match(wrong.err, /own.*package/);
});
