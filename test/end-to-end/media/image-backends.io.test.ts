import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { test } from "node:test";
import type { JsonObject } from "../../../src/contract/common/json.ts";
import { openApp } from "../../../src/host/app/open-app.ts";
import { sendJson, startWebService } from "../../servers/web-service.ts";
import { NewUser } from "../support/test-user.ts";

const PNG = Buffer.from("\x89PNG\r\n\x1a\npicture", "latin1").toString("base64");

/** Calls `image_generate` as the user, in a home with these variables. */
async function drawer(user: NewUser, variables: { readonly [name: string]: string }, settings = "") {
  user.write("~/.hermes/config.yaml", `security:\n  allow_private_urls: true\n${settings}`);
  user.write(
    "~/.hermes/.env",
    Object.entries(variables)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
  const app = await openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
  const session = await app.openSession({ surface: "cli", cwd: user.folder });
  return {
    app,
    async draw(args: JsonObject): Promise<JsonObject> {
      const outcome = await session.call("image_generate", args);
      return outcome.kind === "ok"
        ? (outcome.value as JsonObject)
        : outcome.kind === "failed"
          ? { ...outcome.data, error: outcome.message }
          : { kind: outcome.kind };
    },
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
    },
  };
}

const events = (reply: ServerResponse, ...all: readonly unknown[]): void =>
  void reply
    .writeHead(200, { "content-type": "text/event-stream" })
    .end(`${all.map((event) => `event: x\ndata: ${JSON.stringify(event)}\n\n`).join("")}data: [DONE]\n\n`);

const BACKENDS = [
  {
    name: "openai",
    key: "OPENAI_API_KEY",
    base: "OPENAI_BASE_URL",
    url: "/v1/images/generations",
    made: (reply: ServerResponse) => sendJson(reply, { data: [{ b64_json: PNG, revised_prompt: "a very red cat" }] }),
    body: { model: "gpt-image-2", prompt: "a red cat", size: "1024x1536", n: 1, quality: "high" },
    model: "gpt-image-2-high",
    extra: { revised_prompt: "a very red cat" },
  },
  {
    name: "xai",
    key: "XAI_API_KEY",
    base: "XAI_BASE_URL",
    url: "/v1/images/generations",
    made: (reply: ServerResponse) => sendJson(reply, { data: [{ b64_json: PNG }] }),
    body: { model: "grok-imagine-image-quality", prompt: "a red cat", aspect_ratio: "9:16", resolution: "1k" },
    model: "grok-imagine-image-quality",
    extra: {},
  },
  {
    name: "openai-codex",
    key: "CODEX_ACCESS_TOKEN",
    base: "HERMES_CODEX_BASE_URL",
    url: "/v1/responses",
    made: (reply: ServerResponse) =>
      events(
        reply,
        { type: "response.image_generation_call.partial_image", partial_image_b64: "cGFydA==" },
        { type: "response.output_item.done", item: { type: "image_generation_call", result: PNG } },
        { type: "response.completed", response: { output: [] } },
      ),
    body: undefined,
    model: "gpt-image-2-low",
    extra: {},
  },
] as const;

for (const { name, key, base, url, made, body, model, extra } of BACKENDS) {
  // req: plugins.image-gen-examples, tool-image.generate
  test(`image_generate by image_gen/${name}: sends the prompt unchanged with the key, and saves the image in the home`, async () => {
    await using service = await startWebService((_, reply) => made(reply));
    using user = new NewUser();
    await using drawn = await drawer(
      user,
      { [key]: "key-of-the-test-123", [base]: `${service.url}/v1` },
      `image_gen:\n  provider: ${name}\n  model: ${model}\n`,
    );
    const { image, ...message } = await drawn.draw({ prompt: "a red cat", aspect_ratio: "portrait" });
    assert.deepEqual(message, {
      success: true,
      provider: name,
      model,
      prompt: "a red cat",
      aspect_ratio: "portrait",
      modality: "text",
      ...extra,
    });
    assert.match(String(image), new RegExp(`/\\.hermes/cache/images/\\d{8}_\\d{6}_[0-9a-f]{8}_${name}\\.png$`));
    assert.equal(readFileSync(String(image)).toString("base64"), PNG);
    const asked = service.sent[0]!;
    assert.deepEqual(
      [service.sent.length, asked.method, asked.url, asked.headers.authorization],
      [1, "POST", url, "Bearer key-of-the-test-123"],
    );
    const sent = JSON.parse(asked.body) as JsonObject;
    if (body !== undefined) assert.deepEqual(sent, body);
    else
      assert.deepEqual(
        [sent["input"], (sent["tools"] as readonly JsonObject[])[0]?.["quality"]],
        [[{ type: "message", role: "user", content: [{ type: "input_text", text: "a red cat" }] }], "low"],
      );
    const { models, preferred, env } = await drawn.app.media.look("image_gen", name);
    assert.deepEqual(
      [models.some(({ id }) => id === model), preferred, env.map((need) => need.name)],
      [true, models[0]?.id, [key]],
    );
  });
}

const FAL: { readonly [model: string]: JsonObject } = {
  "fal-ai/flux-2/klein/9b": { image_size: "portrait_16_9" },
  "fal-ai/flux-2-pro": { image_size: "portrait_16_9" },
  "fal-ai/gpt-image-1.5": { image_size: "1024x1536", quality: "medium" },
  "fal-ai/gpt-image-2": { image_size: "portrait_4_3", quality: "medium" },
  "fal-ai/nano-banana-pro": { aspect_ratio: "9:16" },
  "fal-ai/ideogram/v3": { image_size: "portrait_16_9" },
  "fal-ai/recraft/v4/pro/text-to-image": { image_size: "portrait_16_9" },
  "fal-ai/qwen-image": { image_size: "portrait_16_9" },
  "fal-ai/z-image/turbo": { image_size: "portrait_16_9" },
};

// req: tool-image.nine-models, tool-image.generate
test("sends each of FAL's nine models its own path and aspect ratio names with the key, and downloads the image without it", async () => {
  await using pictures = await startWebService((_, reply) => reply.end(Buffer.from(PNG, "base64")));
  let answer = (reply: ServerResponse): void => sendJson(reply, { images: [{ url: `${pictures.url}/cat.png` }] });
  await using service = await startWebService((_, reply) => answer(reply));
  using user = new NewUser();
  await using drawn = await drawer(
    user,
    { FAL_KEY: "key-of-the-test-123" },
    `image_gen:\n  provider: fal\n  fal:\n    base_url: ${service.url}/\n`,
  );
  const { models, preferred, env } = await drawn.app.media.look("image_gen", "fal");
  assert.deepEqual(
    [models.map(({ id }) => id), preferred, env.map(({ name }) => name)],
    [Object.keys(FAL), "fal-ai/flux-2/klein/9b", ["FAL_KEY"]],
  );
  for (const [model, shape] of Object.entries(FAL)) {
    await drawn.app.config.set("image_gen.model", model);
    const made = await drawn.draw({ prompt: "a red cat", aspect_ratio: "portrait" });
    assert.deepEqual(
      [made["success"], made["provider"], made["model"], readFileSync(String(made["image"])).toString("base64")],
      [true, "fal", model, PNG],
      JSON.stringify(made),
    );
    const asked = service.sent.at(-1)!;
    assert.deepEqual(
      [asked.url, asked.headers.authorization, JSON.parse(asked.body)],
      [`/${model}`, "Key key-of-the-test-123", { prompt: "a red cat", ...shape }],
    );
  }
  assert.ok(pictures.sent.every(({ headers }) => headers.authorization === undefined));
  answer = (reply) => sendJson(reply, { detail: "No such key." }, 401);
  const refused = await drawn.draw({ prompt: "a red cat" });
  assert.deepEqual([refused["error_type"], refused["error"]], ["auth_error", "FAL: it answered 401: No such key."]);
  answer = (reply) => sendJson(reply, { images: [] });
  assert.equal((await drawn.draw({ prompt: "a red cat" }))["error_type"], "empty_response");
});

test("offers image_generate only if the settings name a backend, even with a key; a backend without a key says so", async () => {
  using user = new NewUser();
  await using drawn = await drawer(user, { OPENAI_API_KEY: "key-of-the-test-123" });
  const offered = async () =>
    (await drawn.app.tools.list({ surface: "cli", prompter: true })).find(
      ({ declaration }) => declaration.name === "image_generate",
    )?.availability.ok;
  const reasons = async () =>
    (await drawn.app.plugins.list()).filter(({ key }) => key.startsWith("image_gen/")).map(({ reason }) => reason);
  const off = (name: string): string => `Plugin ${name} disabled (image_gen.provider does not name it)`;
  assert.deepEqual(
    [await offered(), await reasons()],
    [false, [off("fal"), off("openai"), off("openai-codex"), off("xai")]],
  );
  await drawn.app.config.set("image_gen.provider", "xai");
  await drawn.app.plugins.reload();
  assert.deepEqual(
    [await offered(), await reasons()],
    [false, [off("fal"), off("openai"), off("openai-codex"), "Plugin xai disabled (missing: XAI_API_KEY)"]],
  );
  await drawn.app.config.set("image_gen.provider", "openai");
  await drawn.app.plugins.reload();
  assert.equal(await offered(), true);
});

// req: plugins.image-gen-examples
test("a user's plugin with the same name replaces the bundled one", async () => {
  using user = new NewUser();
  await using service = await startWebService((_, reply) => sendJson(reply, {}, 500));
  user.write(
    "~/.hermes/plugins/image_gen/openai/plugin.yaml",
    "name: openai\nversion: 2.0.0\nkind: backend\ndescription: Mine\n",
  );
  user.write(
    "~/.hermes/plugins/image_gen/openai/index.mjs",
    `export default (ctx) => ctx.register_image_gen_provider({ name: "openai", generate: () => ({ success: true, b64: "${PNG}", model: "mine" }) });`,
  );
  await using drawn = await drawer(
    user,
    { OPENAI_API_KEY: "key-of-the-test-123", OPENAI_BASE_URL: `${service.url}/v1` },
    "plugins:\n  enabled: [image_gen/openai]\nimage_gen:\n  provider: openai\n",
  );
  const made = await drawn.draw({ prompt: "a red cat" });
  assert.deepEqual([made["success"], made["model"], service.sent.length], [true, "mine", 0], JSON.stringify(made));
  assert.deepEqual(
    (await drawn.app.plugins.list())
      .filter(({ key }) => key === "image_gen/openai")
      .map(({ source, state }) => [source, state]),
    [
      ["bundled", "shadowed"],
      ["user", "enabled"],
    ],
  );
});

// req: plugins.image-gen-responses
test("reports a service that refuses, disconnects, sends invalid data or redirects, and sends the key nowhere else", async () => {
  using user = new NewUser();
  await using elsewhere = await startWebService((_, reply) => reply.end(Buffer.from(PNG, "base64")));
  let answer: (reply: ServerResponse, request: IncomingMessage) => void = () => {};
  await using service = await startWebService((_, reply, request) => answer(reply, request));
  await using drawn = await drawer(
    user,
    { OPENAI_API_KEY: "key-of-the-test-123", OPENAI_BASE_URL: `${service.url}/v1/` },
    "image_gen:\n  provider: openai\n",
  );
  const cases: readonly (readonly [typeof answer, string, RegExp])[] = [
    [
      (reply) => sendJson(reply, { error: { message: "Your prompt\nwas rejected.", code: "moderation" } }, 400),
      "api_error",
      /^OpenAI: it answered 400: Your prompt was rejected\.$/,
    ],
    [
      (reply) => sendJson(reply, { error: { message: "Incorrect API key" } }, 401),
      "auth_error",
      /401: Incorrect API key/,
    ],
    [
      (reply) => void reply.writeHead(502, { "content-type": "text/html" }).end("<html>Bad gateway</html>"),
      "api_error",
      /^OpenAI: it answered 502\.$/,
    ],
    [(reply) => void reply.writeHead(200).end("not json"), "unreachable", /JSON/],
    [(reply) => sendJson(reply, { data: [] }), "empty_response", /sent no image/],
    [
      (reply) => sendJson(reply, { data: [{ revised_prompt: "x" }] }),
      "empty_response",
      /neither an image nor an image URL/,
    ],
    [
      (reply) => sendJson(reply, { data: [{ b64_json: Buffer.from("<html>sorry</html>").toString("base64") }] }),
      "invalid_response",
      /invalid image data/,
    ],
    [(reply) => sendJson(reply, []), "empty_response", /sent no image/],
    [(reply) => void reply.writeHead(307, { location: elsewhere.url }).end(), "api_error", /answered 307/],
    [
      (reply, request) => (
        reply.writeHead(200, { "content-length": "1000" }),
        void reply.write("{", () => request.socket.destroy())
      ),
      "unreachable",
      /./,
    ],
  ];
  for (const [does, type, words] of cases) {
    answer = does;
    const message = await drawn.draw({ prompt: "a red cat" });
    assert.deepEqual(
      [message["success"], message["image"], message["error_type"]],
      [false, null, type],
      JSON.stringify(message),
    );
    assert.match(String(message["error"]), words);
    assert.doesNotMatch(JSON.stringify(message), /key-of-the-test/);
  }
  assert.equal(elsewhere.sent.length, 0);

  answer = (reply) => sendJson(reply, { data: [{ url: `${elsewhere.url}/v1/cat.png` }] });
  assert.equal((await drawn.draw({ prompt: "a red cat" }))["success"], true);
  assert.deepEqual(
    elsewhere.sent.map(({ method, url, headers }) => [method, url, headers.authorization]),
    [["GET", "/v1/cat.png", undefined]],
  );
  const asked = service.sent.length;
  assert.match(
    String((await drawn.draw({ prompt: "bluer", image_url: "https://pictures.example/cat.png" }))["error"]),
    /"openai" supports only text prompts, not source pictures\./,
  );
  assert.match(String((await drawn.draw({ prompt: "  " }))["error"]), /prompt is empty/);
  assert.equal(service.sent.length, asked);
});
