import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { ToolFailure } from "../../contract/common/failure.ts";
import type { Json } from "../../contract/common/json.ts";
import type { FetchOptions } from "../../contract/providers/web.ts";
import { configuredServer } from "./configured-server.ts";
import { createFetch } from "./guarded-fetch.ts";
import { openWorld, PUBLIC, SECRET } from "./web-fixture.ts";
import { Stopwatch } from "../../testing/stopwatch.ts";
import { waitFor, withTimeout } from "../../testing/wait-for.ts";

async function refusal(work: Promise<unknown>): Promise<ToolFailure> {
  const error = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  assert.ok(error instanceof ToolFailure, `not refused but ${String(error)}`);
  return error;
}

test("connects to the address that was checked, and resolves the name only once", async () => {
  await using world = await openWorld((_, reply) => reply.end("hello"), { "a.example.org": [[PUBLIC], ["127.0.0.1"]] });
  const reply = await world.fetch("http://a.example.org/x?y=1");
  assert.equal(await reply.text(), "hello");
  assert.deepEqual([reply.status, reply.url, reply.redirected], [200, "http://a.example.org/x?y=1", false]);
  assert.deepEqual([world.dialled, world.looked.get("a.example.org")], [[`${PUBLIC}:80`], 1]);
  assert.deepEqual(
    world.requests.map(({ host, url }) => `${host}${url}`),
    ["a.example.org/x?y=1"],
  );
});

test("refuses a redirect to a name that now resolves to this machine, without connecting", async () => {
  await using world = await openWorld((_, reply) => void reply.writeHead(302, { location: "/again" }).end(), {
    "a.example.org": [[PUBLIC], ["127.0.0.1"]],
  });
  const failure = await refusal(world.fetch("http://a.example.org/"));
  assert.equal(failure.code, "blocked");
  assert.match(failure.message, /redirected by a\.example\.org.*127\.0\.0\.1 \(loopback\)/);
  assert.deepEqual(world.dialled, [`${PUBLIC}:80`]);
});

test("without a proxy no loopback server is reachable by address, name or redirect", async () => {
  await using world = await openWorld((_, reply) => reply.end("secret page"), { "a.example.org": [["127.0.0.1"]] });
  const port = new URL(world.here()).port;
  for (const url of [
    world.here(),
    `http://a.example.org:${port}/`,
    `http://localhost:${port}/`,
    `http://2130706433:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
  ]) {
    assert.equal((await refusal(world.fetch(url, {}, { proxy: () => undefined }))).code, "blocked", url);
  }
  assert.deepEqual(world.requests, []);
  const allowed = await world.fetch(
    world.here(),
    {},
    { proxy: () => undefined, policy: () => ({ allowPrivate: true }) },
  );
  assert.equal(await allowed.text(), "secret page");
});

test("allows a local server from the settings with its own secret, but no other, not even by redirect", async () => {
  let location = "";
  await using world = await openWorld(
    (incoming, reply) =>
      void (location === "" || incoming.url === "/end" ? reply.end("mine") : reply.writeHead(302, { location }).end()),
  );
  await using other = await openWorld((_, reply) => reply.end("not mine"));
  const settings: { readonly [path: string]: Json } = {
    "servers.mine.url": `${world.here()}/mcp`,
    "servers.mine": { url: `${world.here()}/mcp`, headers: { Authorization: `Bearer ${SECRET}` } },
    "servers.other": { url: "http://a.example.org" },
  };
  const server = configuredServer(
    { config: (path) => settings[path], secrets: () => [SECRET, "another-secret-of-the-person"] },
    "servers.mine.url",
  )!;
  assert.deepEqual(server, { origin: world.here(), own: [{ value: SECRET, hosts: ["127.0.0.1"] }] });
  assert.equal(
    configuredServer({ config: (path) => settings[path], secrets: () => [SECRET] }, "servers.none.url"),
    undefined,
  );
  const ports = {
    proxy: () => undefined,
    privateOrigin: server.origin,
    own: () => server.own,
    secrets: () => [SECRET, "another-secret-of-the-person"],
  };
  const headers = { authorization: `Bearer ${SECRET}` };
  assert.equal(await (await world.fetch(`${world.here()}/mcp`, { headers }, ports)).text(), "mine");
  assert.equal(
    (await refusal(world.fetch(`${world.here()}/mcp`, { headers: { "x-key": "another-secret-of-the-person" } }, ports)))
      .code,
    "blocked",
  );
  assert.equal((await refusal(world.fetch(`${other.here()}/mcp`, {}, ports))).code, "blocked");
  for (location of ["/end", `${world.here()}/end`])
    assert.equal(await (await world.fetch(`${world.here()}/mcp`, {}, ports)).text(), "mine", location);
  for (location of [other.here(), `${other.here()}/end`])
    assert.equal((await refusal(world.fetch(`${world.here()}/mcp`, {}, ports))).code, "blocked", location);
  assert.deepEqual(other.requests, []);
});

test("refuses redirects to this machine, to files, to other protocols and in circles", async () => {
  let location = "";
  await using world = await openWorld((_, reply) => void reply.writeHead(302, { location }).end());
  for (location of [
    world.here(),
    "file:///etc/passwd",
    "gopher://b.example.org/",
    "http://169.254.169.254/latest",
    "http://user@b.example.org/",
    "//localhost/",
    "http://b.example.org/",
  ]) {
    assert.equal((await refusal(world.fetch("http://a.example.org/"))).code, "blocked", location);
  }
  assert.ok(world.dialled.every((place) => place === `${PUBLIC}:80` || place === "8.8.8.8:80"));
  location = "http://b.example.org/";
  const handed = await world.fetch("http://a.example.org/", { maxRedirects: 0 });
  assert.deepEqual([handed.status, handed.headers["location"]], [302, location]);
  await handed.bytes();
});

test("sends no credentials to another origin, no body after a changed method, and no body to unintended hosts", async () => {
  await using world = await openWorld((incoming, reply) => {
    if (incoming.headers.host === "b.example.org") return void reply.end("there");
    reply
      .writeHead(incoming.url === "/keep" ? 307 : 302, {
        location: incoming.url === "/same" ? "/end" : "http://b.example.org/",
      })
      .end();
  });
  const headers = {
    Authorization: "Bearer mine",
    Cookie: "a=b",
    "X-Api-Key": "k",
    "X-Custom": "c",
    Accept: "text/plain",
    Host: "evil.example.org",
  };
  const reply = await world.fetch("http://a.example.org/", { headers, body: "words" });
  assert.equal(await reply.text(), "there");
  const [first, second] = world.requests;
  assert.deepEqual(
    [first!.method, first!.host, first!.headers.authorization],
    ["POST", "a.example.org", "Bearer mine"],
  );
  assert.deepEqual(
    [
      second!.method,
      second!.headers.authorization,
      second!.headers.cookie,
      second!.headers["x-api-key"],
      second!.headers["x-custom"],
      second!.headers.accept,
      second!.headers["content-length"],
    ],
    ["GET", undefined, undefined, undefined, undefined, "text/plain", undefined],
  );
  assert.match(
    (await refusal(world.fetch("http://a.example.org/keep", { body: "words" }))).message,
    /redirects the request's body to/,
  );
});

// req: R-39
test("sends a stored secret in no URL, header or body, except to its own service", async () => {
  await using world = await openWorld((_, reply) => reply.end("ok"));
  const base64 = Buffer.from(`x${SECRET}`).toString("base64");
  const tries: readonly (readonly [string, FetchOptions])[] = [
    [`http://a.example.org/?q=${SECRET}`, {}],
    ["http://a.example.org/", { headers: { "x-note": `it is ${SECRET}` } }],
    ["http://a.example.org/", { body: `{"a":"${base64}"}` }],
    ["http://a.example.org/", { body: Buffer.from(`a=${encodeURIComponent(SECRET)}`) }],
  ];
  for (const [url, options] of tries) {
    const failure = await refusal(world.fetch(url, options));
    assert.equal(failure.data?.["blocked_by"], "secret", url);
    assert.ok(!failure.message.includes("swordfish"));
  }
  assert.deepEqual(world.dialled, []);
  const mine = { own: () => [{ value: SECRET, hosts: ["a.example.org"] }] };
  await (
    await world.fetch("http://a.example.org/", { headers: { authorization: SECRET }, body: SECRET }, mine)
  ).bytes();
  assert.equal(
    (await refusal(world.fetch("http://b.example.org/", { headers: { authorization: SECRET } }, mine))).data?.[
      "blocked_by"
    ],
    "secret",
  );
  assert.equal((await world.fetch(`http://a.example.org/bot${SECRET}/send`, {}, mine)).status, 200);
  for (const elsewhere of [`http://b.example.org/bot${SECRET}/send`, `http://a.example.org.b.example.org/${SECRET}`])
    assert.equal((await refusal(world.fetch(elsewhere, {}, mine))).data?.["blocked_by"], "secret");
  assert.equal(
    (await refusal(world.fetch(`http://a.example.org/${SECRET}`, {}, { own: () => [{ value: SECRET }] }))).data?.[
      "blocked_by"
    ],
    "secret",
  );
  assert.equal(
    (await refusal(world.fetch("http://a.example.org/", { body: SECRET }, { own: () => [{ value: SECRET }] }))).data?.[
      "blocked_by"
    ],
    "secret",
  );
});

test("aborts a body that is too slow, never ends, or unpacks beyond the limit", async () => {
  await using world = await openWorld((incoming, reply) => {
    if (incoming.url === "/drip") {
      reply.writeHead(200).write("x");
      const drip = setInterval(() => reply.write("x"), 20);
      reply.once("close", () => clearInterval(drip));
    } else if (incoming.url === "/endless") {
      const more = (): void => {
        while (!reply.destroyed && reply.write(Buffer.alloc(65_536)));
      };
      reply.on("drain", more).writeHead(200);
      more();
    } else if (incoming.url === "/bomb")
      reply.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(50_000_000)));
    else if (incoming.url === "/twice")
      reply.writeHead(200, { "content-encoding": "gzip, gzip" }).end(gzipSync(gzipSync("x")));
    else if (incoming.url === "/broken") reply.writeHead(200, { "content-encoding": "gzip" }).end("this is not gzip");
    else if (incoming.url === "/announced") reply.writeHead(200, { "content-length": "99999999" }).write("x");
    else if (incoming.url === "/torn") reply.writeHead(200, { "content-length": "10" }).end("x", () => reply.destroy());
    else if (incoming.url === "/heads") reply.writeHead(200, { "x-big": "y".repeat(100_000) }).end();
    else if (incoming.url === "/fine")
      reply
        .writeHead(200, { "content-encoding": "gzip", "content-type": "text/plain; charset=iso-8859-1" })
        .end(gzipSync(Buffer.from("gr\xfc\xdfe", "latin1")));
    // "/silent" never answers.
  });
  const url = (path: string) => `http://a.example.org/${path}`;
  const watch = new Stopwatch();
  for (const path of ["drip", "silent"])
    assert.equal(
      (await refusal(world.fetch(url(path), { timeoutMs: 300 }).then((reply) => reply.bytes()))).code,
      "timeout",
      path,
    );
  watch.assertWithin(3_000, "twice 0.3 s");
  for (const path of ["endless", "bomb", "announced"])
    assert.match(
      (await refusal(world.fetch(url(path), { maxBytes: 1_000_000 }).then((reply) => reply.bytes()))).message,
      /longer than 1000000 bytes/,
      path,
    );
  for (const path of ["twice", "broken", "torn", "heads"])
    assert.equal((await refusal(world.fetch(url(path)).then((reply) => reply.bytes()))).code, "unreachable", path);
  assert.equal(await (await world.fetch(url("fine"))).text(), "grüße");
});

test("cancelling a request stops it at once: in the resolver, before the answer and in the body", async () => {
  await using world = await openWorld(
    (incoming, reply) => void (incoming.url === "/body" && reply.writeHead(200).write("x")),
  );
  for (const [path, more] of [
    ["/", { lookup: () => new Promise<never>(() => {}) }],
    ["/", {}],
    ["/body", {}],
  ] as const) {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("stopped by the user")), 50);
    await assert.rejects(
      world.fetch(`http://a.example.org${path}`, { signal: stop.signal }, more).then((reply) => reply.bytes()),
      /stopped by the user/,
    );
  }
});

test("fetches nothing if the policy is unreadable, the resolver fails or the proxy is down", async () => {
  await using world = await openWorld((_, reply) => reply.end("ok"));
  await assert.rejects(
    world.fetch(
      "http://a.example.org/",
      {},
      { policy: () => Promise.reject(new ToolFailure("blocked", "the list is gone")) },
    ),
    /the list is gone/,
  );
  assert.match(
    (
      await refusal(
        world.fetch(
          "http://a.example.org/",
          {},
          { lookup: () => Promise.reject(Object.assign(new Error("x"), { code: "ENOTFOUND" })) },
        ),
      )
    ).message,
    /ENOTFOUND/,
  );
  assert.match(
    (await refusal(world.fetch("http://a.example.org/", {}, { proxy: () => "http://127.0.0.1:1" }))).message,
    /proxy 127\.0\.0\.1:1 cannot be reached/,
  );
  assert.match(
    (await refusal(world.fetch("http://a.example.org/", {}, { proxy: () => "ftp://127.0.0.1:1" }))).message,
    /names a proxy for ftp:\/\/, which Hermes cannot use, so nothing is fetched/,
  );
  assert.deepEqual(world.requests, []);
});

test("reports a header that cannot be sent and leaves no tunnel open", async () => {
  await using world = await openWorld((_, reply) => void reply.end("hello"));
  await assert.rejects(
    world.fetch("http://a.example.org/", { headers: { "x-name": "caf\u0113" } }),
    /characters that cannot be sent/,
  );
  await waitFor(() => world.tunnels() === 0);
  assert.equal(world.tunnels(), 0);
});

/** Answers with headers and the beginning of a body that never ends. */
async function endless() {
  const left = Promise.withResolvers<void>();
  const server = createServer((_, reply) => {
    reply.on("close", left.resolve);
    reply.writeHead(404, { "content-type": "text/html" }).write("It is not here");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    left: left.promise,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("an unread response does not keep the process running", async () => {
  await using server = await endless();
  const script = `import { createFetch } from ${JSON.stringify(join(import.meta.dirname, "guarded-fetch.ts"))};
const fetch = createFetch({ policy: async () => ({ allowPrivate: true }), secrets: () => [], proxy: () => undefined });
console.log((await fetch(${JSON.stringify(server.url)}, { timeoutMs: 600_000 })).status);`;
  const child = spawn(
    process.execPath,
    ["--conditions=hermes-source", "--input-type=module-typescript", "--eval", script],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const stuck = setTimeout(() => child.kill("SIGKILL"), 10_000);
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const [code, signal] = (await withTimeout(once(child, "close"), { what: "the process ends" })) as [
    number | null,
    NodeJS.Signals | null,
  ];
  clearTimeout(stuck);
  assert.deepEqual([text, code, signal], ["404\n", 0, null]);
});

test("cancelling a body before its first chunk closes the connection", async () => {
  await using server = await endless();
  const fetch = createFetch({
    policy: async () => ({ allowPrivate: true }),
    secrets: () => [],
    proxy: () => undefined,
  });
  const reply = await fetch(server.url, { timeoutMs: Infinity });
  await ReadableStream.from(reply.body).cancel();
  assert.equal(reply.status, 404);
  await withTimeout(server.left, { what: "the client closes the connection" });
});
