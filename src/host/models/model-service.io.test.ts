import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { ModelEnd, ModelProvider } from "../../contract/providers/model.ts";
import type { ModelInUse } from "../../engine/ports.ts";
import registerAgents from "../../../plugins/model-acp/index.ts";
import registerOffline from "../../../plugins/model-offline/index.ts";
import { providersOf } from "../../../plugins/model-http/test/providers.ts";
import { startAnthropicServer } from "../../../test/servers/anthropic.ts";
import { startGeminiServer } from "../../../test/servers/gemini.ts";
import { startOpenAiServer } from "../../../test/servers/openai.ts";
import { startResponsesServer } from "../../../test/servers/responses.ts";
import { textOf } from "../../contract/conversation/part.ts";
import type { Plugin } from "../../contract/plugins/plugin.ts";
import type { LocalServer } from "./local-servers.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { createModelService, type ConnectingModelService } from "./model-service.ts";

type Variables = { [name: string]: string };

/** A service over the real providers, with settings and variables in memory. */
function service(
  config: { [path: string]: Json } = {},
  env: Variables = {},
  local: readonly LocalServer[] = [],
  load?: (name: string) => Promise<unknown>,
): ConnectingModelService & { readonly config: { [path: string]: Json }; readonly env: Variables } {
  const providers = [...providersOf(env, load).values(), onlyOne(registerAgents, env), onlyOne(registerOffline)];
  let past = {};
  const models = createModelService({
    config: {
      get: (path) => config[path],
      explain: (path) => ({
        value: config[path],
        source: config[path] === undefined ? "unset" : "file",
        where: config[path] === undefined ? undefined : "config.yaml",
      }),
      async edit(edits) {
        for (const edit of edits) {
          if (edit.kind === "set") config[edit.path] = edit.value;
          else delete config[edit.path];
        }
      },
    },
    environment: {
      get: (name) => env[name] || undefined,
      async set(name, value) {
        env[name] = value;
      },
      unset: (name) => Promise.resolve(delete env[name]),
    },
    slots: {
      list: () =>
        providers.map((provider) => ({
          id: provider.id,
          label: provider.label,
          data: JSON.parse(JSON.stringify(provider)) as JsonObject,
        })),
      use: (_slot, id) => Promise.resolve(providers.find((provider) => provider.id === id) ?? assert.fail(id)),
    },
    log: quietLog(),
    keysPast: { read: () => past, write: (next) => void (past = next) },
    windowsPast: { read: () => ({}), write: () => {} },
    signal: new AbortController().signal,
    installPackage: () => assert.fail("nothing is installed"),
    probe: () => ({
      env: (name) => env[name],
      config: () => undefined,
      which: (program) => Promise.resolve(program === "/its/copilot" ? program : undefined),
      prompter: false,
      surface: "cli",
    }),
    findLocal: () => Promise.resolve(local),
  });
  return Object.assign(models, { config, env });
}

/** The only provider of a plugin. */
function onlyOne(register: Plugin, env: Variables = {}): ModelProvider {
  let made: ModelProvider | undefined;
  void register({
    provide: (_slot: string, provider: ModelProvider) => (made = provider),
    env: (name: string) => env[name],
    onUnload() {},
  } as never);
  return made ?? assert.fail("no provider");
}

async function ask({ client, model }: Pick<ModelInUse, "client" | "model">): Promise<ModelEnd> {
  let end: ModelEnd | undefined;
  for await (const event of client.stream(
    {
      model,
      system: "",
      tools: [],
      messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
      sessionId: "s",
    },
    new AbortController().signal,
  ))
    if (event.type === "end") end = event;
  return end ?? assert.fail("no end");
}

async function used(
  models: ConnectingModelService,
  ...request: Parameters<ConnectingModelService["inUse"]>
): Promise<readonly [string, string]> {
  const { provider, model } = await models.inUse(...request);
  return [provider, model];
}

test("without configuration the offline model answers, and says how to connect another", async () => {
  const models = service();
  const current = await models.current();
  assert.deepEqual([current.provider, current.model, current.offline], ["offline", "rules", true]);
  assert.equal(
    current.notice,
    "No model is configured: the built-in rule-based model answers. Connect one with `hermes setup` or `hermes model`.",
  );
  assert.equal((await ask(await models.inUse())).kind, "answer");
  const found = service({}, {}, [
    { name: "Ollama", provider: "ollama", baseUrl: "http://127.0.0.1:11434/v1", models: ["llama3", "qwen3"] },
  ]);
  assert.match(
    (await found.current()).notice ?? "",
    / Found Ollama at http:\/\/127\.0\.0\.1:11434 \(2 models\): `hermes model ollama\/llama3`\.$/,
  );
  assert.deepEqual(await used(found), ["offline", "rules"], "a local server is offered, never taken");
});

test("a key selects its provider: OpenRouter, Anthropic and OpenAI first, then the others in order", async () => {
  const keys = {
    DEEPSEEK_API_KEY: "sk-deep",
    OPENAI_API_KEY: "sk-open",
    ANTHROPIC_API_KEY: "sk-ant",
    OPENROUTER_API_KEY: "sk-or-1",
  };
  const order: string[] = [];
  const left: Variables = { ...keys };
  while (Object.keys(left).length > 0) {
    const { provider, source } = await service({}, { ...left }).current();
    order.push(provider);
    delete left[source];
  }
  assert.deepEqual(order, ["openrouter", "anthropic", "openai", "deepseek"]);
  assert.deepEqual((await used(service({}, { OPENAI_API_KEY: "changeme" })))[0], "offline", "a placeholder is no key");
  assert.deepEqual(await used(service({ "model.default": "anthropic/claude-x" }, { ANTHROPIC_API_KEY: "sk-ant" })), [
    "anthropic",
    "claude-x",
  ]);
});

// req: models.inference-model
test("flags win over variables, then the session's choice, then the file", async () => {
  const config = { "model.provider": "deepseek", "model.default": "from-file" };
  const env: Variables = {
    DEEPSEEK_API_KEY: "sk-deep",
    OPENROUTER_API_KEY: "sk-or-1",
    HERMES_INFERENCE_MODEL: "from-variable",
  };
  const session = { provider: "deepseek", model: "from-session" };
  assert.deepEqual(await used(service(config, env), { name: "from-flag" }, session), ["deepseek", "from-flag"]);
  assert.deepEqual(await used(service(config, env), undefined, session), ["deepseek", "from-variable"]);
  const { HERMES_INFERENCE_MODEL: _, ...without } = env;
  assert.deepEqual(await used(service(config, without), undefined, session), ["deepseek", "from-session"]);
  assert.deepEqual(await used(service(config, without)), ["deepseek", "from-file"]);
  assert.deepEqual(
    await used(service(config, without), { provider: "openrouter" }, session),
    ["openrouter", "anthropic/claude-sonnet-4.5"],
    "another provider does not take over a model chosen for this one",
  );
  assert.deepEqual(config, { "model.provider": "deepseek", "model.default": "from-file" });
});

test("a model may name its provider; a slash belongs to the name unless a local server precedes it", async () => {
  const env = { OPENROUTER_API_KEY: "sk-or-1", DEEPSEEK_API_KEY: "sk-deep" };
  assert.deepEqual(await used(service({}, env), { name: "deepseek:deepseek-chat" }), ["deepseek", "deepseek-chat"]);
  assert.deepEqual(await used(service({}, env), { name: "meta/llama-4" }), ["openrouter", "meta/llama-4"]);
  assert.deepEqual(await used(service({}, env), { name: "ollama/llama3:8b" }), ["ollama", "llama3:8b"]);
  const endpoint = { providers: { lab: { base_url: "http://127.0.0.1:1/v1" } } };
  for (const name of ["lab/fake", "lab:fake", "custom:lab:fake"])
    assert.deepEqual(await used(service(endpoint, env), { name }), ["custom:lab", "fake"]);
  assert.deepEqual(await used(service({ "model.provider": "ollama" }), { name: "llama3:8b" }), ["ollama", "llama3:8b"]);
});

// req: models.no-fictional-aliases
test("an alias selects its provider, and an unknown name is an error with the nearest one", async () => {
  assert.deepEqual(await used(service({ "model.provider": "kimi" }, { KIMI_API_KEY: "sk-kimi" })), [
    "kimi-coding",
    "kimi-k2-thinking",
  ]);
  await assert.rejects(service({ "model.provider": "dashscope" }).inUse(), {
    message: 'There is no model provider "dashscope".',
    hint: /^Did you mean "alibaba"\?/,
  });
  await assert.rejects(service({}).inUse({ provider: "qwen" }), { message: 'There is no model provider "qwen".' });
  await assert.rejects(service({ "model.provider": "anthropc" }).inUse(), { hint: /^Did you mean "anthropic"\?/ });
});

test("reports an unset variable in the model settings instead of sending its name", async () => {
  const named = [
    service({ "model.default": "${LAB_MODEL}", "model.provider": "ollama" }),
    service({ "model.provider": "custom", "model.default": "x", "model.base_url": "${env:LAB_MODEL}" }),
  ];
  for (const models of named) {
    await assert.rejects(models.inUse(), {
      message: "The model settings use the variable LAB_MODEL (config.yaml), but it is not set.",
      hint: "Set it for this process, or store it in .env: hermes config set LAB_MODEL VALUE",
      exitCode: 78,
    });
  }
});

test("naming a provider without a key is an error that lists its variables", async () => {
  await assert.rejects(service({}).inUse({ name: "gpt-5" }), {
    message: 'The model "gpt-5" is selected (--model), but no provider that could serve it has a key.',
  });
  await assert.rejects(service({}).inUse({ name: "gemni/flash" }), {
    hint: /^Did you mean "gemini\/flash"\? Run `hermes setup`/,
  });
  await assert.rejects(service({ "model.provider": "gemini" }).inUse(), {
    message: "Google Gemini needs a key, but GOOGLE_API_KEY or GEMINI_API_KEY is not set.",
    exitCode: 78,
  });
  await assert.rejects(service({ "model.provider": "gemini" }, { GEMINI_API_KEY: "your_api_key" }).inUse(), {
    message:
      'Google Gemini needs a key, but the value of GEMINI_API_KEY is not a key: "your_api_key" is a placeholder.',
  });
});

// field: M22
test("reports a rejected key by the setting or variable it came from", async () => {
  await using server = await startOpenAiServer(() => ({ status: 401, message: "no such key" }));
  const advice = async (config: { [path: string]: Json }, env: Variables = {}) => {
    const end = await ask(await service({ "model.default": "m", ...config }, env).inUse());
    return end.kind === "failure" ? end.failure.message.slice(end.failure.message.indexOf("no such key")) : undefined;
  };
  const custom = { "model.provider": "custom", "model.base_url": server.url };
  const lab = { "model.provider": "lab", providers: { lab: { base_url: server.url } } };
  assert.equal(
    await advice({ ...custom, "model.api_key": "key-of-config" }),
    "no such key. Check model.api_key in config.yaml (`hermes setup`).",
  );
  assert.equal(
    await advice(custom, { CUSTOM_API_KEY: "key-of-env" }),
    "no such key. Check CUSTOM_API_KEY (`hermes setup`).",
  );
  assert.equal(await advice(lab, { LAB_API_KEY: "key-of-lab" }), "no such key. Check LAB_API_KEY (`hermes setup`).");
  assert.equal(
    await advice({ ...lab, providers: { lab: { base_url: server.url, api_key: "key-of-lab" } } }),
    "no such key. Check api_key of providers.lab in config.yaml (`hermes setup`).",
  );
  assert.equal(
    await advice({ ...lab, providers: { lab: { base_url: server.url, key_env: "OTHER" } } }, { OTHER: "key-of-other" }),
    "no such key. Check OTHER (`hermes setup`).",
  );
  assert.equal(
    await advice(lab, { LAB_API_KEY: "xyz" }),
    "no such key. No key was sent, because the value of LAB_API_KEY is not a key: it has 3 characters, and a key has at least 4. Set it with `hermes setup`.",
  );
});

// field: P20
test("reports a value that is not accepted as a key, with the reason", async () => {
  const refused = async (value: string) => {
    const { message } = await service({ "model.provider": "gemini" }, { GEMINI_API_KEY: value })
      .inUse()
      .then(
        () => assert.fail("the invalid key was accepted"),
        (cause: Error) => cause,
      );
    return message.replace("Google Gemini needs a key, but the value of GEMINI_API_KEY is not a key: ", "");
  };
  assert.equal(await refused("abc"), "it has 3 characters, and a key has at least 4.");
  assert.equal(await refused(" x "), "it has 1 character, and a key has at least 4.");
  assert.equal(await refused("ChangeMe"), '"ChangeMe" is a placeholder.');
  assert.equal(await refused("  "), "it is empty.");
  await assert.rejects(service({}, { OPENAI_API_KEY: "none" }).inUse({ name: "gpt-5" }), {
    message:
      'The model "gpt-5" is selected (--model), but no provider that could serve it has a key; the value of OPENAI_API_KEY is not a key: "none" is a placeholder.',
  });
});

// req: models.fallback-providers-six, models.gemini
test("each of the original's providers resolves to its address and key, and a turn against a fake server works", async () => {
  const expected: readonly (readonly [id: string, key: string, address: string | undefined])[] = [
    ["lmstudio", "LM_API_KEY", "http://127.0.0.1:1234/v1"],
    ["kimi-coding-cn", "KIMI_CN_API_KEY", "https://api.moonshot.cn/v1"],
    ["stepfun", "STEPFUN_API_KEY", "https://api.stepfun.ai/step_plan/v1"],
    ["alibaba-coding-plan", "ALIBABA_CODING_PLAN_API_KEY", "https://coding-intl.dashscope.aliyuncs.com/v1"],
    ["tencent-tokenhub", "TOKENHUB_API_KEY", "https://tokenhub.tencentmaas.com/v1"],
    ["azure-foundry", "AZURE_FOUNDRY_API_KEY", undefined],
    ["gemini", "GOOGLE_API_KEY", "https://generativelanguage.googleapis.com/v1beta/openai"],
    ["gemini", "GEMINI_API_KEY", "https://generativelanguage.googleapis.com/v1beta/openai"],
    ["deepseek", "DEEPSEEK_API_KEY", "https://api.deepseek.com/v1"],
    ["alibaba", "DASHSCOPE_API_KEY", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1"],
    ["huggingface", "HF_TOKEN", "https://router.huggingface.co/v1"],
    ["kilocode", "KILOCODE_API_KEY", "https://api.kilo.ai/api/gateway"],
    ["opencode-zen", "OPENCODE_ZEN_API_KEY", "https://opencode.ai/zen/v1"],
    ["opencode-go", "OPENCODE_GO_API_KEY", "https://opencode.ai/zen/go/v1"],
  ];
  await using server = await startOpenAiServer([{ text: "here" }]);
  for (const [id, variable, address] of expected) {
    const key = `key-of-${id}`;
    assert.equal(
      (await service({ "model.provider": id, "model.default": "m" }, { [variable]: key }).current()).baseUrl,
      address,
      id,
    );
    const primary = service(
      { "model.provider": id, "model.default": "m", "model.base_url": server.url },
      { [variable]: key },
    );
    assert.equal((await ask(await primary.inUse())).kind, "answer", id);
    const asFallback = service({ "model.provider": "offline", fallback_providers: [] }, { [variable]: key });
    asFallback.config["model.provider"] = "custom";
    asFallback.config["model.base_url"] = server.url;
    asFallback.config["model.default"] = "main";
    asFallback.config["fallback_providers"] = [{ provider: id, model: "m", base_url: server.url }];
    const [fallback] = (await asFallback.inUse()).fallbacks;
    assert.equal((await ask(fallback ?? assert.fail(id))).kind, "answer", id);
    const { headers } = server.requests.at(-1)!;
    assert.ok(
      [headers["authorization"], headers["api-key"]].includes(id === "azure-foundry" ? key : `Bearer ${key}`),
      id,
    );
  }
  const byVariable = service(
    { "model.provider": "gemini" },
    { GEMINI_API_KEY: "key-of-gemini", GEMINI_BASE_URL: server.url },
  );
  assert.equal((await byVariable.current()).baseUrl, server.url);
  assert.equal((await ask(await byVariable.inUse())).kind, "answer");
});

// req: models.runtime-providers
test("each of the seven families resolves by ID and aliases, and is listed with what it lacks", async () => {
  const families: readonly (readonly [id: string, variable: string | undefined, ...aliases: string[]])[] = [
    ["copilot", "COPILOT_GITHUB_TOKEN", "github-copilot"],
    ["copilot-acp", undefined, "github-copilot-acp", "copilot-acp-agent"],
    ["gemini", "GEMINI_API_KEY", "google"],
    ["alibaba", "DASHSCOPE_API_KEY"],
    ["deepseek", "DEEPSEEK_API_KEY"],
    ["kilocode", "KILOCODE_API_KEY", "kilo"],
    ["huggingface", "HF_TOKEN", "hf"],
    ["opencode-zen", "OPENCODE_ZEN_API_KEY", "zen"],
    ["opencode-go", "OPENCODE_GO_API_KEY", "go"],
  ];
  const env: Variables = {
    HERMES_COPILOT_ACP_COMMAND: "/its/copilot",
    ...Object.fromEntries(
      families.flatMap(([id, variable]) => (variable === undefined ? [] : [[variable, `key-of-${id}`]])),
    ),
  };
  const without = await service().providers();
  const listed = await service({}, env).providers();
  for (const [id, variable, ...aliases] of families) {
    for (const name of [id, ...aliases])
      assert.deepEqual(await used(service({ "model.provider": name, "model.default": "m" }, env)), [id, "m"]);
    assert.equal(listed.find((one) => one.id === id)?.ready, true, id);
    assert.match(
      without.find((one) => one.id === id)?.reason ?? "",
      variable === undefined
        ? /needs the program "copilot", which is not installed\. Install GitHub Copilot CLI/
        : new RegExp(`${variable}.* is not set`),
      id,
    );
  }
  const { baseUrl, model } = await service({ "model.provider": "copilot-acp" }).current();
  assert.deepEqual([baseUrl, model], ["acp://copilot", "copilot-acp"]);
  assert.deepEqual(await used(service({ "model.base_url": "acp://copilot" })), ["copilot-acp", "copilot-acp"]);
});

// req: models.openai-base-url
test("OPENAI_BASE_URL does not choose an endpoint", async () => {
  assert.equal(
    (await service({}, { OPENAI_API_KEY: "sk-open", OPENAI_BASE_URL: "http://127.0.0.1:9/v1" }).current()).baseUrl,
    "https://api.openai.com/v1",
  );
});

test("a base URL alone is a custom endpoint or its known provider; a key is sent only to its own service", async () => {
  await using server = await startOpenAiServer([{ text: "here" }]);
  const env = { OPENAI_API_KEY: "sk-open", OPENROUTER_API_KEY: "sk-or-1", ACME_API_KEY: "sk-acme" };
  assert.deepEqual(await used(service({ "model.base_url": server.url, "model.default": "m" }, env)), ["custom", "m"]);
  assert.deepEqual(
    await used(service({ "model.base_url": "https://openrouter.ai/api/v1", "model.default": "m" }, env)),
    ["openrouter", "m"],
  );
  const keySent = async (config: { [path: string]: Json }): Promise<unknown> => {
    await ask(await service({ "model.default": "m", ...config }, env).inUse());
    return server.requests.at(-1)?.headers["authorization"];
  };
  assert.equal(await keySent({ "model.base_url": server.url }), "Bearer sk-open");
  assert.equal(await keySent({ "model.base_url": server.url, "model.api_key": "own-key" }), "Bearer own-key");
  assert.equal(
    await keySent({ "model.provider": "work", providers: { work: { base_url: server.url, key_env: "ACME_API_KEY" } } }),
    "Bearer sk-acme",
  );
});

test("a server with one model needs no model name; with several, asks and lists them", async () => {
  await using server = await startOpenAiServer([{ text: "here" }]);
  await assert.rejects(service({ "model.provider": "custom", "model.base_url": server.url }).inUse(), {
    message: "No model of Custom endpoint is selected.",
    hint: /^Available: loopback-large, loopback-small\. /,
  });
});

test("named endpoints use their configured wire format", async () => {
  await using server = await startAnthropicServer([{ text: "here" }]);
  const models = service({
    "model.provider": "my_claude",
    custom_providers: [
      {
        name: "My Claude",
        base_url: server.url,
        api_mode: "anthropic_messages",
        model: "claude-x",
        extra_headers: { "x-team": "blue" },
      },
    ],
  });
  const inUse = await models.inUse({ provider: "My Claude" });
  assert.deepEqual([inUse.provider, inUse.model, (await ask(inUse)).kind], ["custom:my-claude", "claude-x", "answer"]);
  assert.equal(server.requests[0]?.headers["x-team"], "blue");
  assert.deepEqual(await used(service({ ...models.config, "model.provider": "custom:my-claude" })), [
    "custom:my-claude",
    "claude-x",
  ]);
  await assert.rejects(
    service({ "model.base_url": "http://h/v1", "model.api_mode": "bedrock_converse", "model.default": "m" }).inUse(),
    {
      message: 'model.api_mode "bedrock_converse" is not supported by this version.',
      hint: /Amazon Bedrock serves some of its models with chat_completions: set model\.base_url to https:.*codex_responses/,
    },
  );
});

test("fallbacks are the usable rows, each once, never the model itself", async () => {
  const config = {
    "model.provider": "deepseek",
    "model.default": "deepseek-chat",
    fallback_providers: [
      { provider: "deepseek", model: "deepseek-chat" },
      { provider: "openrouter", model: "a/b" },
      { provider: "openrouter", model: "a/b" },
      { provider: "nobody", model: "x" },
      { provider: "xai", model: "grok-4" },
      { provider: "groq" },
      { provider: "custom", model: "own", base_url: "http://127.0.0.1:9/v1" },
      { provider: "custom", model: "own", base_url: "http://127.0.0.1:10/v1" },
    ],
    fallback_model: { provider: "anthropic", model: "claude-x", key_env: "OTHER_KEY" },
  };
  const models = service(config, { DEEPSEEK_API_KEY: "sk-deep", OPENROUTER_API_KEY: "sk-or-1", OTHER_KEY: "sk-other" });
  const { fallbacks } = await models.inUse();
  assert.deepEqual(
    fallbacks.map(({ provider, model }) => `${provider} ${model}`),
    ["openrouter a/b", "custom own", "custom own", "anthropic claude-x"],
  );
  // Unavailable fallbacks appear where the user looks, since no turn reports them.
  assert.deepEqual(
    (await models.fallbacks()).flatMap(({ provider, lack }) => (lack === undefined ? [] : [`${provider}: ${lack}`])),
    [
      'nobody: There is no model provider "nobody".',
      "xai: xAI needs a key, but XAI_API_KEY is not set.",
      "groq: An entry of `fallback_providers` needs `provider` and `model`.",
    ],
  );
});

// req: models.default-key
test("saves the choice, with the key in the environment file and never in the settings", async () => {
  const models = service({
    "model.base_url": "http://old/v1",
    "model.api_key": "old-key",
    custom_providers: [
      { name: "The Lab", base_url: "http://lab/v1" },
      { name: "moonshot", base_url: "http://other/v1" },
      { name: "work", base_url: "http://work/v1", key_env: "ACME_KEY" },
    ],
  });
  const saved = async (choice: Parameters<typeof models.choose>[0]) => {
    await models.choose(choice);
    return [
      Object.fromEntries(Object.entries(models.config).filter(([path]) => path !== "custom_providers")),
      { ...models.env },
    ];
  };
  const env = { OPENROUTER_API_KEY: "sk-or-2" };
  assert.deepEqual(await saved({ provider: "openrouter", model: "a/b", apiKey: " sk-or-2 " }), [
    { "model.provider": "openrouter", "model.default": "a/b" },
    env,
  ]);
  const custom = { "model.provider": "custom", "model.default": "m", "model.base_url": "http://127.0.0.1:9/v1" };
  assert.deepEqual(
    await saved({ provider: "custom", model: "m", baseUrl: "http://127.0.0.1:9/v1", apiKey: "own-key" }),
    [custom, { ...env, CUSTOM_API_KEY: "own-key" }],
  );
  assert.deepEqual(
    await saved({ provider: "custom", model: "m2" }),
    [
      { ...custom, "model.default": "m2" },
      { ...env, CUSTOM_API_KEY: "own-key" },
    ],
    "another model of the same server",
  );
  assert.deepEqual(
    await saved({ provider: "custom", model: "m", baseUrl: "http://elsewhere/v1" }),
    [{ ...custom, "model.base_url": "http://elsewhere/v1" }, env],
    "the key of the old address does not reach the new one",
  );
  for (const [provider, variable] of [
    ["The Lab", "THE_LAB_API_KEY"],
    ["custom:the-lab", "THE_LAB_API_KEY"],
    ["moonshot", "CUSTOM_MOONSHOT_API_KEY"],
    ["work", "ACME_KEY"],
    ["ollama", "CUSTOM_OLLAMA_API_KEY"],
  ] as const) {
    await models.choose({ provider, model: "m", apiKey: `key-of-${variable}` });
    assert.equal(models.env[variable], `key-of-${variable}`, provider);
    delete models.env[variable];
  }
  assert.ok(!JSON.stringify(models.config).includes("key-of-"));
  await assert.rejects(models.choose({ provider: "nobody", model: "x" }), {
    message: 'There is no model provider "nobody".',
  });
  await assert.rejects(service().choose({ provider: "custom", model: "x" }), {
    message: 'The provider "custom" has no base URL.',
  });
});

test("uses an inline key from the settings until the user chooses a new key", async () => {
  await using server = await startOpenAiServer([{ text: "here" }]);
  const models = service({ "model.provider": "custom", "model.base_url": server.url, "model.api_key": "written-key" });
  await models.choose({ provider: "custom", model: "m" });
  await ask(await models.inUse());
  assert.deepEqual(
    [models.config["model.api_key"], server.requests[0]?.headers["authorization"]],
    ["written-key", "Bearer written-key"],
  );
  await models.choose({ provider: "custom", model: "m", apiKey: "new-key" });
  await ask(await models.inUse());
  assert.deepEqual(
    [models.config["model.api_key"], models.env["CUSTOM_API_KEY"], server.requests[1]?.headers["authorization"]],
    [undefined, "new-key", "Bearer new-key"],
  );
});

test("never sends a custom endpoint's key to another address, neither through a flag nor a fallback", async () => {
  await using server = await startOpenAiServer([{ text: "here" }]);
  const other = { provider: "custom", model: "m", base_url: server.url };
  for (const [config, env] of [
    [{ "model.api_key": "written-key" }, {}],
    [{}, { CUSTOM_API_KEY: "variable-key" }],
  ] as const) {
    const models = service(
      {
        "model.provider": "custom",
        "model.default": "m",
        "model.base_url": "http://127.0.0.1:9/v1",
        ...config,
        fallback_providers: [other, { ...other, model: "m2", api_key: "row-key" }],
      },
      { ...env },
    );
    await ask(await models.inUse({ baseUrl: server.url }));
    const [without, withKey] = (await models.inUse()).fallbacks;
    await ask(without ?? assert.fail("no fallback"));
    await ask(withKey ?? assert.fail("no second fallback"));
  }
  assert.deepEqual(
    server.requests.map(({ headers }) => headers["authorization"]),
    [undefined, undefined, "Bearer row-key", undefined, undefined, "Bearer row-key"],
  );
});

test("a named endpoint finds the variable with its name", async () => {
  await using server = await startOpenAiServer([{ text: "here" }]);
  await ask(
    await service(
      { "model.provider": "lab", "model.default": "m", providers: { lab: { base_url: server.url } } },
      { LAB_API_KEY: "lab-key" },
    ).inUse(),
  );
  assert.equal(server.requests[0]?.headers["authorization"], "Bearer lab-key");
});

test("reports an unset key variable instead of sending its name", async () => {
  const set = {
    "model.provider": "custom",
    "model.default": "m",
    "model.base_url": "http://127.0.0.1:1/v1",
    "model.api_key": "${LAB_KEY}",
  };
  await assert.rejects(service(set).inUse(), {
    name: "UserError",
    message: "The configuration reads the key from LAB_KEY, but LAB_KEY is not set.",
    exitCode: 78,
  });
  await assert.rejects(
    service({ providers: { lab: { base_url: "http://127.0.0.1:1/v1", api_key: "${env:LAB_KEY}" } } }).inUse({
      name: "lab:m",
    }),
    /LAB_KEY is not set/,
  );
});

test("the turn's settings are passed with the model", async () => {
  const { contextTokens, reasoningEffort, maxOutputTokens } = await service(
    {
      "model.provider": "anthropic",
      "model.default": "claude-sonnet-4-5",
      "model.context_length": 90_000,
      "model.max_tokens": 500,
      "agent.reasoning_effort": "high",
    },
    { ANTHROPIC_API_KEY: "sk-ant" },
  ).inUse();
  assert.deepEqual([contextTokens, reasoningEffort, maxOutputTokens], [90_000, "high", 500]);
  const plain = await service({}, { ANTHROPIC_API_KEY: "sk-ant" }).inUse();
  assert.deepEqual(
    [plain.contextTokens, plain.reasoningEffort, plain.maxOutputTokens],
    [200_000, undefined, undefined],
  );
});

test("a model's timeouts win over its entry's timeouts", async () => {
  const lab = {
    base_url: "http://127.0.0.1:1/v1",
    request_timeout_seconds: 600,
    stale_timeout_seconds: 300,
    models: { big: { timeout_seconds: 3600 }, odd: { stale_timeout_seconds: 5 } },
  };
  const limits = async (model: string) =>
    (
      await service(
        { providers: { lab, anthropic: { stale_timeout_seconds: 20 } } },
        { ANTHROPIC_API_KEY: "sk-ant" },
      ).inUse({ name: model })
    ).limits;
  assert.deepEqual(await limits("lab:small"), { totalMs: 600_000, firstEventMs: 300_000, betweenEventsMs: 300_000 });
  assert.deepEqual(await limits("lab:big"), { totalMs: 3_600_000, firstEventMs: 300_000, betweenEventsMs: 300_000 });
  assert.deepEqual(await limits("lab:odd"), { totalMs: 600_000, firstEventMs: 5_000, betweenEventsMs: 5_000 });
  assert.deepEqual(await limits("anthropic:claude-sonnet-4-5"), { firstEventMs: 20_000, betweenEventsMs: 20_000 });
  assert.equal((await service({}, { ANTHROPIC_API_KEY: "sk-ant" }).inUse()).limits, undefined);
});

test("allows a local server 15 minutes of silence unless the settings set a limit", async () => {
  const silence = async (base_url: string, config: { [path: string]: Json } = {}) => {
    const { firstEventMs, betweenEventsMs } =
      (
        await service({
          "model.provider": "custom",
          "model.default": "m",
          "model.base_url": base_url,
          ...config,
        }).inUse()
      ).limits ?? {};
    return [firstEventMs, betweenEventsMs];
  };
  for (const host of ["127.0.0.1:1234", "localhost:8080", "192.168.1.7", "[fd00::1]:8000", "gpu.lan", "ollama:11434"])
    assert.deepEqual(await silence(`http://${host}/v1`), [900_000, 900_000], host);
  for (const host of ["api.lab.example", "8.8.8.8"])
    assert.deepEqual(await silence(`https://${host}/v1`), [undefined, undefined], host);
  assert.deepEqual(await silence("http://127.0.0.1/v1", { "agent.local_stream_stale_timeout": 60 }), [60_000, 60_000]);
  assert.deepEqual(await silence("http://127.0.0.1/v1", { "agent.stream_read_timeout": 5 }), [undefined, 900_000]);
  assert.deepEqual((await service({ "model.provider": "ollama", "model.default": "m" }).inUse()).limits, {
    firstEventMs: 900_000,
    betweenEventsMs: 900_000,
  });
});

test("lists providers with what they lack, and requests their models", async () => {
  await using server = await startOpenAiServer([]);
  const models = service(
    { "model.provider": "custom", "model.base_url": server.url, providers: { work: { base_url: server.url } } },
    { OPENAI_API_KEY: "sk-open" },
  );
  const listed = new Map((await models.providers()).map((provider) => [provider.id, provider]));
  assert.deepEqual(
    [listed.get("openai")?.ready, listed.get("anthropic")?.reason, listed.get("custom:work")?.ready],
    [
      true,
      "Anthropic needs a key, but ANTHROPIC_API_KEY or ANTHROPIC_TOKEN or CLAUDE_CODE_OAUTH_TOKEN is not set.",
      true,
    ],
  );
  assert.deepEqual(await models.list("custom", new AbortController().signal), ["loopback-large", "loopback-small"]);
  assert.deepEqual(await models.list("custom:work", new AbortController().signal), [
    "loopback-large",
    "loopback-small",
  ]);
});

test("model.client and model.package choose the client; a missing package is an error with advice before the first request", async () => {
  await using server = await startOpenAiServer([{ text: "ok" }, { text: "ok" }]);
  const wanted: string[] = [];
  const load = (name: string) => (
    wanted.push(name),
    Promise.reject(Object.assign(new Error("It is not installed."), { hint: "Install it." }))
  );
  const models = service({ "model.base_url": server.url, "model.default": "m" }, {}, [], load);
  assert.equal((await ask(await models.inUse())).kind, "answer");
  assert.deepEqual(wanted, []);
  models.config["model.client"] = "package";
  assert.equal((await ask(await models.inUse())).kind, "answer");
  assert.deepEqual(wanted, []);
  models.config["model.package"] = "@lab/provider";
  await assert.rejects(models.inUse(), { name: "UserError", message: "It is not installed.", hint: "Install it." });
  assert.deepEqual(wanted, ["@lab/provider"]);
});

// field: M18
test("lists the packages of the model, fallbacks, endpoints and side tasks, with the reason that one cannot be loaded", async () => {
  const load = (name: string) =>
    name === "@lab/there"
      ? Promise.resolve({})
      : Promise.reject(Object.assign(new Error(`${name} is not installed.`), { hint: `Install ${name}.` }));
  const models = service(
    {
      "model.package": "@lab/there",
      model: { package: "@lab/there" },
      fallback_providers: [
        { provider: "a", model: "m" },
        { provider: "b", model: "m", package: "@lab/gone" },
      ],
      providers: { lab: { base_url: "http://127.0.0.1:9/v1", package: "@lab/gone" }, plain: {} },
      custom_providers: [{ name: "x", package: "@lab/there" }],
      auxiliary: { vision: { package: "@lab/other" }, title: {} },
      delegation: { package: "@ai-sdk/google" },
    },
    {},
    [],
    load,
  );
  assert.deepEqual(
    (await models.packages()).map(({ name, settings, lack, hint }) => [name, settings, lack, hint]),
    [
      ["@lab/there", ["model.package", "custom_providers.0.package"], undefined, undefined],
      ["@ai-sdk/google", ["delegation.package"], undefined, undefined],
      [
        "@lab/gone",
        ["fallback_providers.1.package", "providers.lab.package"],
        "@lab/gone is not installed.",
        "Install @lab/gone.",
      ],
      ["@lab/other", ["auxiliary.vision.package"], "@lab/other is not installed.", "Install @lab/other."],
    ],
  );
});

test("api_mode sets the wire format of a provider, an endpoint and a fallback separately", async () => {
  await using responses = await startResponsesServer([{ text: "by responses" }]);
  await using gemini = await startGeminiServer([{ text: "by gemini" }]);
  const words = async (one: Pick<ModelInUse, "client" | "model">) => {
    const end = await ask(one);
    return end.kind === "answer" ? textOf(end.parts) : end.failure.message;
  };
  const models = service(
    {
      "model.provider": "openai",
      "model.default": "gpt-5",
      "model.base_url": responses.url,
      "model.api_mode": "codex_responses",
      fallback_providers: [
        { provider: "gemini", model: "gemini-2.5-pro", base_url: gemini.url, api_mode: "gemini_generate_content" },
      ],
    },
    { OPENAI_API_KEY: "key-of-openai", GEMINI_API_KEY: "key-of-google" },
  );
  const { fallbacks, ...first } = await models.inUse();
  assert.deepEqual([await words(first), await words(fallbacks[0]!)], ["by responses", "by gemini"]);
  models.config["providers"] = { lab: { base_url: gemini.url, api_mode: "gemini_generate_content", model: "m" } };
  assert.equal(await words(await models.inUse({ provider: "lab" })), "by gemini");
  assert.equal(gemini.requests.length, 2);
});
