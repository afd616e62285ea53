import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import type { Json } from "../../contract/common/json.ts";
import type { FetchOptions } from "../../contract/providers/web.ts";
import { ToolFailure } from "../../contract/common/failure.ts";
import { openWeb } from "./open-web.ts";

async function startServer(answer: (request: IncomingMessage, reply: ServerResponse) => void) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The network access of the plugin `search`, which declares SEARXNG_URL and the secret SEARCH_KEY. */
function webOf(variables: { readonly [name: string]: string }, settings: { readonly [path: string]: Json } = {}) {
  const web = openWeb({
    home: "/nowhere",
    config: (path) => settings[path],
    env: (name) => variables[name],
    secrets: () => [],
    declaredEnv: (owner) => (owner === "search" ? [{ name: "SEARXNG_URL", description: "" }] : []),
    section: (owner) => owner,
    providedBy: () => undefined,
  });
  return async (owner: string, url: string, options: FetchOptions) => {
    try {
      return await (await web(owner)(url, options)).text();
    } catch (cause) {
      return cause instanceof ToolFailure ? cause.code : Promise.reject(cause);
    }
  };
}

// field: C05
test("a declared variable may contain a private server address, for its owner and that origin only", async () => {
  await using server = await startServer((_, reply) => void reply.end("found"));
  await using other = await startServer((_, reply) => void reply.end("not asked for"));
  const configured = "SEARXNG_URL";
  for (const written of [server.url, `${server.url}/`, ` ${server.url}/search `]) {
    const get = webOf({ SEARXNG_URL: written });
    assert.equal(await get("search", `${server.url}/search?q=tea`, { configured }), "found", written);
    // Another origin, another owner, no claim, and the same host under another name or scheme.
    assert.equal(await get("search", other.url, { configured }), "blocked");
    assert.equal(await get("else", server.url, { configured }), "blocked");
    assert.equal(await get("search", server.url, {}), "blocked");
    assert.equal(await get("search", server.url.replace("127.0.0.1", "localhost"), { configured }), "blocked");
    assert.equal(await get("search", server.url.replace("http:", "https:"), { configured }), "blocked");
  }
});

// field: C05
test("a variable that is missing, undeclared or no web address allows nothing", async () => {
  await using server = await startServer((_, reply) => void reply.end("found"));
  for (const [variables, configured] of [
    [{}, "SEARXNG_URL"],
    [{ SEARXNG_URL: "" }, "SEARXNG_URL"],
    [{ SEARXNG_URL: "http://" }, "SEARXNG_URL"],
    [{ SEARXNG_URL: server.url.replace("http", "ftp") }, "SEARXNG_URL"],
    [{ OTHER_URL: server.url }, "OTHER_URL"],
    [{ SEARXNG_URL: "http://169.254.169.254" }, "SEARXNG_URL"],
  ] as const)
    assert.equal(await webOf(variables)("search", server.url, { configured }), "blocked", JSON.stringify(variables));
  const metadata = webOf({ SEARXNG_URL: "http://169.254.169.254" });
  assert.equal(await metadata("search", "http://169.254.169.254/", { configured: "SEARXNG_URL" }), "blocked");
});

// field: C05
test("a configured server may redirect to itself, but to no other private address", async () => {
  let location = "/end";
  await using other = await startServer((_, reply) => void reply.end("internal"));
  await using server = await startServer(
    ({ url }, reply) => void (url === "/end" ? reply.end("found") : reply.writeHead(302, { location }).end()),
  );
  const get = webOf({}, { "tts.openai.base_url": `${server.url}/v1` });
  const configured = "tts.openai.base_url";
  assert.equal(await get("speech", `${server.url}/v1/audio`, { configured }), "found");
  for (location of [other.url, other.url.replace("127.0.0.1", "localhost"), "http://192.168.0.1/"])
    assert.equal(await get("speech", `${server.url}/v1/audio`, { configured }), "blocked", location);
});
