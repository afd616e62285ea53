import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { test } from "node:test";
import { openApp } from "../../../src/host/app/open-app.ts";
import { ApiLine } from "../../../src/surfaces/gateway/platforms/api-line.ts";
import { apiPlan } from "../../../src/surfaces/shared/gateway/api-plan.ts";
import { openApiServer } from "../../../src/surfaces/api/http/api-server.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { KEY } from "../support/api-scene.ts";
import { NewUser } from "../support/test-user.ts";

test("an idle stream sends keep-alive comments", async () => {
  await using model = await startOpenAiServer([{ text: "At last.", firstAfterMs: 500 }]);
  using user = new NewUser();
  user.connect("custom", model.url);
  await using app = await openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
  const server = await openApiServer({
    app,
    service: await app.gateway(),
    cwd: user.folder,
    keepAliveMs: 50,
    settings: { host: "127.0.0.1", port: 0, key: KEY, origins: [], model: "m", maxRuns: 1 },
  });
  try {
    const response = await fetch(new URL("/v1/chat/completions", server.url), {
      method: "POST",
      headers: { authorization: `Bearer ${KEY}` },
      body: JSON.stringify({ stream: true, messages: [{ role: "user", content: "hi" }] }),
    });
    const text = await response.text();
    assert.match(text, /^data: [^\n]*"role":"assistant"[^\n]*\n\n(: keepalive\n\n){2,}data: /);
    assert.match(text, /data: \[DONE\]\n\n$/);
  } finally {
    await server.stop(0);
  }
});

test("a port in use is a problem of the API server only; the platforms are served", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  using user = new NewUser();
  try {
    await using app = await openApp({
      version: "0",
      env: { HOME: user.home, PATH: process.env["PATH"], API_SERVER_KEY: KEY, API_SERVER_PORT: String(port) },
      signal: new AbortController().signal,
    });
    const service = await app.gateway();
    const line = new ApiLine(apiPlan(app, service), openApiServer);
    await line.start({ app, service, cwd: user.folder }, false);
    assert.deepEqual(
      [line.state, line.url, line.problem],
      [
        "stopped",
        undefined,
        `Port ${port} of 127.0.0.1 is in use by another program or the gateway of another home. Choose another port with API_SERVER_PORT.`,
      ],
    );
    await line.stop(0);
  } finally {
    taken.close();
  }
});

test("continues a session of the owner from any surface, but not one of another chat user", async () => {
  await using model = await startOpenAiServer([{ text: "hi" }]);
  using user = new NewUser();
  user.connect("custom", model.url);
  await using app = await openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
  for (const [sessionId, whose] of [
    ["mine", {}],
    ["theirs", { whose: "irc:eve" }],
  ] as const) {
    await using session = await app.openSession({ surface: "irc", cwd: user.folder, sessionId, ...whose });
    await session.send("hello");
  }
  const server = await openApiServer({
    app,
    service: await app.gateway(),
    cwd: user.folder,
    settings: { host: "127.0.0.1", port: 0, key: KEY, origins: [], model: "m", maxRuns: 0 },
  });
  try {
    for (const [sessionId, status] of [
      ["mine", 200],
      ["theirs", 409],
    ] as const) {
      const response = await fetch(new URL("/v1/chat/completions", server.url), {
        method: "POST",
        headers: { authorization: `Bearer ${KEY}`, "x-hermes-session-id": sessionId },
        body: JSON.stringify({ messages: [{ role: "user", content: "and now?" }] }),
      });
      assert.equal(response.status, status, await response.text());
    }
    // In use elsewhere it is not taken away.
    await using busy = await app.openSession({ surface: "cli", cwd: user.folder });
    await busy.send("hello");
    const refused = await fetch(new URL("/v1/runs", server.url), {
      method: "POST",
      headers: { authorization: `Bearer ${KEY}` },
      body: JSON.stringify({ input: "hi", session_id: busy.id }),
    });
    assert.deepEqual(
      [refused.status, ((await refused.json()) as { readonly error: { readonly code: string } }).error.code],
      [409, "session_unavailable"],
    );
  } finally {
    await server.stop(0);
  }
});
