import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { send, type WireResult } from "./http.ts";
import { isLoopback, judgedLookup } from "./judged-lookup.ts";

function look(
  hostname: string,
  all: boolean,
): Promise<{ readonly error: NodeJS.ErrnoException | null; readonly found: unknown }> {
  return new Promise((resolve) => judgedLookup(hostname, { all }, (error, found) => resolve({ error, found })));
}

const ask = (url: string, proxy: { readonly [name: string]: string } = {}): Promise<WireResult> =>
  send({
    service: "The service",
    method: "GET",
    url,
    headers: {},
    connectMs: 2_000,
    signal: new AbortController().signal,
    proxy: { variables: proxy },
  });

async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

// req: R-30
test("allows private endpoints, and refuses cloud metadata by any spelling of its address and by a name that resolves to it", async () => {
  for (const url of [
    "http://169.254.169.254/v1",
    "http://0xa9fea9fe/v1",
    "http://2852039166/v1",
    "http://[fd00:ec2::254]/v1",
    "http://[::ffff:169.254.169.254]/v1",
  ]) {
    const result = await ask(url);
    assert.ok(
      result.kind === "failure" &&
        result.failure.code === "bad_request" &&
        /^Cannot use .*metadata/.test(result.failure.message),
      `${url}: ${JSON.stringify(result)}`,
    );
  }
  // A resolver returns an address unchanged, like the address of a name.
  const { error } = await look("169.254.169.254", true);
  assert.deepEqual([error?.code, /metadata/.test(error?.message ?? "")], ["ERR_REFUSED_ADDRESS", true]);
  assert.deepEqual(await look("127.0.0.1", true), { error: null, found: [{ address: "127.0.0.1", family: 4 }] });
  assert.deepEqual(await look("10.1.2.3", false), { error: null, found: "10.1.2.3" });
  assert.equal((await look("no-such-name.invalid", true)).error?.syscall, "getaddrinfo");
});

test("resolves and checks a name that starts like a loopback address", () => {
  for (const host of [
    "127.models.example",
    "127.0.0.1.models.example",
    "localhost.models.example",
    "[::2]",
    "128.0.0.1",
  ])
    assert.equal(isLoopback(host), false, host);
  for (const host of ["localhost", "127.0.0.1", "127.1.2.3", "[::1]"]) assert.equal(isLoopback(host), true, host);
});

test("behind a proxy, which resolves names itself, refuses the names of cloud metadata and look-alike names", async () => {
  const asked: string[] = [];
  const proxy = createServer((request, response) => (asked.push(request.url ?? ""), response.end("{}")));
  const way = { HTTP_PROXY: await listen(proxy) };
  try {
    for (const url of [
      "http://metadata.google.internal/v1",
      "http://169.254.169.254/v1",
      "http://xn--80ak6aa92e.com/v1",
    ]) {
      const result = await ask(url, way);
      assert.ok(
        result.kind === "failure" &&
          result.failure.code === "bad_request" &&
          result.failure.message.startsWith("Cannot use "),
        `${url}: ${JSON.stringify(result)}`,
      );
    }
    assert.deepEqual(asked, []);
    const result = await ask("http://models.invalid/v1", way);
    if (result.kind === "reply") result.reply.release(false);
    assert.deepEqual([result.kind, asked], ["reply", ["http://models.invalid/v1"]]);
  } finally {
    proxy.close();
    proxy.closeAllConnections();
  }
});

test("a retry after a closed keep-alive connection uses the proxy again", async () => {
  const asked: number[] = [];
  let connections = 0;
  const proxy = createServer((request, response) => {
    asked.push(connections);
    // The second question on the first connection finds it closed.
    if (asked.length === 2) request.socket.destroy();
    else response.end("{}");
  });
  proxy.on("connection", () => (connections += 1));
  const way = { HTTP_PROXY: await listen(proxy) };
  try {
    for (const url of ["http://models.invalid/a", "http://models.invalid/b"]) {
      const result = await ask(url, way);
      assert.equal(result.kind, "reply");
      if (result.kind !== "reply") return;
      for await (const _ of result.reply.body);
      result.reply.release(true);
      await new Promise((done) => setImmediate(done));
    }
    assert.deepEqual(asked, [1, 1, 2]);
  } finally {
    proxy.close();
    proxy.closeAllConnections();
  }
});

// field: C09
test("uses ALL_PROXY, a proxy without a scheme and a quoted one, and respects NO_PROXY with a port", async () => {
  const asked: string[] = [];
  const proxy = createServer((request, response) => (asked.push(request.url ?? ""), response.end("{}")));
  const origin = await listen(proxy);
  const { host } = new URL(origin);
  try {
    const ways: readonly { readonly [name: string]: string }[] = [
      { ALL_PROXY: origin },
      { HTTP_PROXY: host },
      { all_proxy: `"${host}"` },
      { HTTP_PROXY: origin, NO_PROXY: "models.invalid:8080" },
    ];
    for (const way of ways) {
      const result = await ask("http://models.invalid/v1", way);
      if (result.kind === "reply") result.reply.release(false);
      assert.deepEqual([result.kind, asked.splice(0)], ["reply", ["http://models.invalid/v1"]], JSON.stringify(way));
    }
    const direct = await ask("http://models.invalid:8080/v1", { HTTP_PROXY: origin, NO_PROXY: "models.invalid:8080" });
    assert.ok(direct.kind === "failure" && /cannot be found/.test(direct.failure.message), JSON.stringify(direct));
    assert.deepEqual(asked, []);
  } finally {
    proxy.close();
    proxy.closeAllConnections();
  }
});

// field: C09
test("reports an unusable proxy by its variable, and sends nothing directly", async () => {
  for (const [way, words] of [
    [{ ALL_PROXY: "socks5://u:secret@127.0.0.1:9" }, /^A SOCKS proxy is configured, which only https:.*HTTPS_PROXY/],
    [
      { HTTP_PROXY: "ftp://secret" },
      /^HTTP_PROXY names a proxy for ftp:\/\/, which Hermes cannot use, so The service /,
    ],
  ] as const) {
    const result = await ask("http://models.invalid/v1", way);
    assert.ok(result.kind === "failure", JSON.stringify(result));
    assert.match(result.failure.message, words);
    assert.doesNotMatch(JSON.stringify(result), /secret/);
  }
});
