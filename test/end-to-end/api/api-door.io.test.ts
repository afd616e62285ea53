import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { test } from "node:test";
import { ApiScene, KEY } from "../support/api-scene.ts";
import { NewUser } from "../support/test-user.ts";
import { reachedFromHereOnly } from "../support/own-machine.ts";

const WITH_KEY = [
  "GET /v1/models",
  "GET /v1/capabilities",
  "POST /v1/chat/completions",
  "POST /v1/runs",
  "GET /v1/runs/run_x",
  "GET /v1/runs/run_x/events",
  "POST /v1/runs/run_x/approval",
  "POST /v1/runs/run_x/stop",
  "GET /nothing",
] as const;

// req: api-server.adapter
test("without the key only the health route answers", async () => {
  await using scene = await ApiScene.open([{ text: "never asked for" }]);
  for (const path of ["/health", "/v1/health"]) {
    const health = await scene.ask("GET", path, { key: null });
    assert.deepEqual(
      [health.status, Object.keys(health.json()).sort(), health.json()["status"], health.json()["platform"]],
      [200, ["platform", "status", "version"], "ok", "hermes-agent"],
      path,
    );
  }
  for (const asked of WITH_KEY) {
    const [method = "", path = ""] = asked.split(" ");
    for (const key of [null, "", "wrong", KEY.slice(0, -1), `${KEY}0`, KEY.toUpperCase()]) {
      const refused = await scene.ask(method, path, {
        key,
        body: method === "POST" ? { input: "hi", messages: [{ role: "user", content: "hi" }] } : undefined,
      });
      assert.deepEqual(
        [
          refused.status,
          refused.json<Refused>().error.code,
          refused.json<Refused>().error.type,
          refused.headers["www-authenticate"],
        ],
        [401, "invalid_api_key", "invalid_request_error", "Bearer"],
        `${asked} with ${key}`,
      );
      assert.equal(refused.text.includes(KEY), false);
    }
    assert.equal(
      (await scene.ask(method, path, { key: null, headers: { authorization: `Basic ${KEY}` } })).status,
      401,
      asked,
    );
  }
  assert.equal(scene.model.requests.length, 0);
});

interface Refused {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string;
  };
}

test("listens only on loopback, and every response has security headers", async () => {
  await using scene = await ApiScene.open([{ text: "hi" }]);
  await reachedFromHereOnly(Number(new URL(scene.url).port));
  for (const [method, path, key] of [
    ["GET", "/health", null],
    ["GET", "/v1/models", KEY],
    ["GET", "/v1/models", "wrong"],
    ["GET", "/nothing", KEY],
  ] as const) {
    const { headers } = await scene.ask(method, path, { key });
    assert.deepEqual(
      [
        headers["x-content-type-options"],
        headers["x-frame-options"],
        headers["referrer-policy"],
        headers["cache-control"],
        String(headers["content-security-policy"]).split(";")[0],
        headers["access-control-allow-origin"],
      ],
      ["nosniff", "DENY", "no-referrer", "no-store", "default-src 'none'", undefined],
      path,
    );
  }
});

test("refuses pages of other origins unless the settings list them", async () => {
  await using scene = await ApiScene.open([{ text: "hi" }], {
    env: { API_SERVER_CORS_ORIGINS: "https://chat.example.org, http://localhost:3000" },
  });
  for (const origin of [
    "https://evil.example",
    "null",
    "https://chat.example.org.evil.example",
    scene.url.slice(0, -1),
  ]) {
    for (const [method, path] of [
      ["GET", "/health"],
      ["GET", "/v1/models"],
      ["OPTIONS", "/v1/chat/completions"],
    ] as const) {
      const refused = await scene.ask(method, path, { headers: { origin } });
      assert.deepEqual(
        [refused.status, refused.json<Refused>().error.code, refused.headers["access-control-allow-origin"]],
        [403, "origin_not_allowed", undefined],
        `${origin} ${path}`,
      );
    }
  }
  const preflight = await scene.ask("OPTIONS", "/v1/chat/completions", {
    key: null,
    headers: { origin: "https://chat.example.org", "access-control-request-method": "POST" },
  });
  assert.deepEqual(
    [preflight.status, preflight.headers["access-control-allow-origin"], preflight.headers["access-control-max-age"]],
    [200, "https://chat.example.org", "600"],
  );
  assert.match(preflight.headers["access-control-allow-headers"] ?? "", /Authorization/);
  const asked = await scene.ask("GET", "/v1/models", { headers: { origin: "http://localhost:3000" } });
  assert.deepEqual(
    [asked.status, asked.headers["access-control-allow-origin"], asked.headers["vary"]],
    [200, "http://localhost:3000", "Origin"],
  );
  // It has to read why.
  assert.equal(
    (await scene.ask("GET", "/v1/models", { key: null, headers: { origin: "http://localhost:3000" } })).headers[
      "access-control-allow-origin"
    ],
    "http://localhost:3000",
  );
});

test("reports invalid JSON, large bodies and unknown routes in the OpenAI format", async () => {
  await using scene = await ApiScene.open([{ text: "hi" }]);
  const failure = async (method: string, path: string, body?: unknown): Promise<readonly unknown[]> => {
    const text = await scene.ask(method, path, body === undefined ? {} : { body });
    const { error } = text.json<Refused>();
    assert.deepEqual(Object.keys(error).sort(), ["code", "message", "param", "type"]);
    return [text.status, error.type, error.code];
  };
  assert.deepEqual(await failure("GET", "/v1/nothing"), [404, "invalid_request_error", "not_found"]);
  assert.deepEqual(await failure("DELETE", "/v1/models"), [404, "invalid_request_error", "not_found"]);
  assert.deepEqual(await failure("POST", "/v1/chat/completions", "{"), [
    400,
    "invalid_request_error",
    "invalid_request",
  ]);
  assert.deepEqual(await failure("POST", "/v1/chat/completions", ["a"]), [
    400,
    "invalid_request_error",
    "invalid_request",
  ]);
  assert.deepEqual(
    await failure("POST", "/v1/chat/completions", { messages: [{ role: "user", content: "x".repeat(10_000_000) }] }),
    [413, "invalid_request_error", "body_too_large"],
  );
  assert.equal(scene.model.requests.length, 0);
});

test("lists one model, and only the capabilities it serves", async () => {
  await using scene = await ApiScene.open([{ text: "hi" }], { env: { API_SERVER_MODEL_NAME: "house-agent" } });
  const { object, data } = (await scene.ask("GET", "/v1/models")).json<{
    readonly object: string;
    readonly data: readonly { readonly [key: string]: unknown }[];
  }>();
  assert.equal(object, "list");
  assert.deepEqual(
    data.map(({ id, object: kind, owned_by, created }) => [id, kind, owned_by, typeof created]),
    [["house-agent", "model", "hermes", "number"]],
  );
  const capabilities = (await scene.ask("GET", "/v1/capabilities")).json<{
    readonly object: string;
    readonly model: string;
    readonly auth: unknown;
    readonly features: { readonly [name: string]: unknown };
    readonly endpoints: { readonly [name: string]: { readonly method: string; readonly path: string } };
  }>();
  assert.deepEqual(
    [capabilities.object, capabilities.model, capabilities.auth],
    ["hermes.api_server.capabilities", "house-agent", { type: "bearer", required: true }],
  );
  for (const [name, { method, path }] of Object.entries(capabilities.endpoints)) {
    const text = await scene.ask(method, path.replace(/\{\w+\}/, "run_x"), method === "POST" ? { body: {} } : {});
    assert.notEqual(text.json<Partial<Refused>>().error?.code, "not_found", name);
  }
  assert.deepEqual(
    [capabilities.features["responses_api"], capabilities.features["jobs_admin"], capabilities.features["cors"]],
    [false, false, false],
  );
});

test("stays off without a key, with a short one or a placeholder, and says why", async () => {
  for (const [env, why] of [
    [{ API_SERVER_ENABLED: "true" }, /API_SERVER_KEY is not set; create one with `openssl rand -hex 32`/],
    [{ API_SERVER_KEY: "short" }, /API_SERVER_KEY has 5 characters; the minimum is 16/],
    [{ API_SERVER_KEY: "your-secret-key-here" }, /API_SERVER_KEY is a placeholder from an example/],
    [{ API_SERVER_KEY: "****************" }, /API_SERVER_KEY is a placeholder from an example/],
    [{ API_SERVER_KEY: KEY, API_SERVER_PORT: "many" }, /its port must be a whole number from 0 to 65535, not "many"/],
    [{ API_SERVER_KEY: KEY, API_SERVER_CORS_ORIGINS: "chat.example.org" }, /"chat\.example\.org" is not an origin/],
  ] as const) {
    using user = new NewUser(env);
    const refused = await user.run(["gateway"]);
    assert.equal(refused.status, 78, refused.err);
    assert.match(refused.err, why);
    assert.match(refused.err, /API server is not served: .*\nError: No chat platform is set up\./);
    assert.match(
      (await user.run(["gateway", "status"])).out,
      new RegExp(`✗ API server \\(api_server\\): partly set up — ${why.source}`),
    );
  }
});

test("API_SERVER_ENABLED=false keeps it off although the key is set, and status shows it", async () => {
  using user = new NewUser({ API_SERVER_KEY: KEY });
  assert.match((await user.run(["gateway", "status"])).out, /✓ API server \(api_server\): ready/);
  assert.match(
    (await user.run(["gateway", "status"], undefined, { API_SERVER_ENABLED: "false" })).out,
    /○ API server \(api_server\): switched off/,
  );
  user.write("~/.hermes/config.yaml", "platforms:\n  api_server:\n    enabled: false\n");
  assert.match((await user.run(["gateway", "status"])).out, /○ API server \(api_server\): switched off/);
  assert.equal((await user.run(["gateway"])).status, 78);
  using other = new NewUser();
  assert.match((await other.run(["gateway", "status"])).out, /○ API server \(api_server\): not set up/);
});

test("config.yaml works like the variables, and status shows the server of the running gateway", async () => {
  await using scene = await ApiScene.open([{ text: "hi" }], {
    env: { API_SERVER_KEY: "" },
    config: `platforms:\n  api_server:\n    token: ${KEY}\n    enabled: true\n    extra:\n      model_name: of-the-file\n`,
  });
  assert.equal(
    (await scene.ask("GET", "/v1/models")).json<{ readonly data: readonly { readonly id: string }[] }>().data[0]?.id,
    "of-the-file",
  );
  assert.match(
    (await scene.prompter.run(["gateway", "status"])).out,
    /The gateway is running \(process \d+, running\)\.[^]*✓ API server \(api_server\): connected/,
  );
  assert.equal(await scene.end("SIGTERM"), 0);
});

test("reports a port in use, and ends a gateway that serves nothing else", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const port = String((taken.address() as AddressInfo).port);
  try {
    using user = new NewUser({ API_SERVER_KEY: KEY, API_SERVER_PORT: port });
    const refused = await user.run(["gateway"]);
    assert.equal(refused.status, 1);
    assert.equal(
      refused.err,
      `Error: Port ${port} of 127.0.0.1 is in use by another program or the gateway of another home.\nChoose another port with API_SERVER_PORT.\n`,
    );
  } finally {
    taken.close();
  }
});
