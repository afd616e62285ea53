import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect, createServer as createTcpServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ToolFailure } from "../../contract/common/failure.ts";
import { startSocks, type SocksOptions } from "../../../test/servers/socks.ts";
import type { FetchPorts } from "./fetch-ports.ts";
import { createFetch } from "./guarded-fetch.ts";
import { openTunnel, proxyFor } from "./proxy.ts";

const PUBLIC = "93.184.216.34";

async function startSite() {
  const server = createServer((_, reply) => reply.end("the page"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The page, or the reason why there is none, by way of these variables. `site.example` is a public name. */
async function get(variables: { readonly [name: string]: string }, url: string, more: Partial<FetchPorts> = {}) {
  const fetch = createFetch({
    policy: () => ({}),
    secrets: () => [],
    proxy: (name) => variables[name],
    lookup: async (host) =>
      host === "site.example" ? [PUBLIC] : Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" })),
    ...more,
  });
  try {
    return await (await fetch(url, { timeoutMs: 5_000 })).text();
  } catch (cause) {
    return cause instanceof ToolFailure ? `${cause.code}: ${cause.message}` : Promise.reject(cause);
  }
}

// field: C09
test("a SOCKS proxy gets the checked address; socks5h and socks4a get the name, which is not looked up here", async () => {
  await using site = await startSite();
  for (const slowly of [false, true]) {
    await using proxy = await startSocks({ to: site.port, slowly });
    const url = "http://site.example:8080/";
    const nowhere = "http://only-the-proxy-knows.example/";
    for (const scheme of ["socks", "socks5", "socks4", "socks5h", "socks4a"]) {
      const variables = { ALL_PROXY: `${scheme}://${proxy.place}` };
      assert.equal(await get(variables, url), "the page", scheme);
      const named = /[ha]$/.test(scheme);
      assert.deepEqual(proxy.asked.pop(), {
        version: scheme.startsWith("socks4") ? 4 : 5,
        host: named ? "site.example" : PUBLIC,
        port: 8080,
      });
      if (named) assert.equal(await get(variables, nowhere), "the page");
      else assert.match(await get(variables, nowhere), /ENOTFOUND.*security\.proxy_resolves_names.*socks5h:/);
    }
    const six = { lookup: async () => ["2606:2800:220:1::1"] };
    assert.equal(await get({ ALL_PROXY: `socks5://${proxy.place}` }, url, six), "the page");
    assert.equal(proxy.asked.at(-1)!.host, "2606:2800:220:1::1");
    assert.match(await get({ ALL_PROXY: `socks4://${proxy.place}` }, url, six), /SOCKS4, which has no IPv6/);
    assert.deepEqual(proxy.wrong, []);
  }
});

// field: C09
test("names and addresses that the guard refuses never reach a proxy that resolves names", async () => {
  await using site = await startSite();
  await using proxy = await startSocks({ to: site.port });
  for (const url of [
    "http://169.254.169.254/",
    "http://metadata.google.internal/",
    "http://192.168.1.1/",
    "http://router.lan/",
    "http://10.0.0.1.nip.io/",
    "http://xn--80ak6aa92e.com/",
  ])
    assert.match(await get({ ALL_PROXY: `socks5h://${proxy.place}` }, url), /^blocked: /, url);
  assert.deepEqual(proxy.asked, []);
});

// field: C09
test("signs in to a SOCKS proxy, and reports the reason of a refusal", async () => {
  await using site = await startSite();
  const answer = async (options: Partial<SocksOptions>, scheme: string, user = "") => {
    await using proxy = await startSocks({ to: site.port, ...options });
    const text = await get({ ALL_PROXY: `${scheme}://${user}${proxy.place}` }, "http://site.example/");
    return { text: text.replace(proxy.place, "PROXY"), asked: proxy.asked };
  };
  assert.deepEqual(await answer({ password: "p@ss" }, "socks5", "me:p%40ss@"), {
    text: "the page",
    asked: [{ version: 5, host: PUBLIC, port: 80, user: "me" }],
  });
  assert.equal((await answer({}, "socks5", "me:p%40ss@")).text, "the page");
  assert.deepEqual((await answer({}, "socks4", "me@")).asked, [{ version: 4, host: PUBLIC, port: 80, user: "me" }]);
  for (const [options, scheme, user, words] of [
    [{ password: "x" }, "socks5", "", "wants a user name and a password; write them into its address."],
    [{ password: "x" }, "socks5", "me:wrong@", "rejected the user name or the password in its address."],
    [{ refuses: 2 }, "socks5", "", `refused a tunnel to ${PUBLIC}:80 (not allowed by its rules).`],
    [{ refuses: 5 }, "socks5h", "", "refused a tunnel to site.example:80 (connection refused)."],
    [{ refuses: 91 }, "socks4", "", `refused a tunnel to ${PUBLIC}:80 (code 91).`],
    [{ says: "HTTP/1.1 400 Bad Request\r\n\r\n" }, "socks5", "", "is not a SOCKS5 proxy."],
    [{ says: "HTTP/1.1 400 Bad Request\r\n\r\n" }, "socks4", "", "is not a SOCKS4 proxy."],
    [{ says: "" }, "socks5", "", "closed the connection."],
  ] as const)
    assert.equal((await answer(options, scheme, user)).text, `unreachable: The proxy PROXY ${words}`);
  assert.match(
    await get({ ALL_PROXY: "socks5://127.0.0.1:1" }, "http://site.example/"),
    /^unreachable: The proxy 127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)\.$/,
  );
});

// field: C09
test("a CONNECT proxy gets the address, or with security.proxy_resolves_names the name", async () => {
  await using site = await startSite();
  const asked: string[] = [];
  const proxy = createServer().on("connect", (request, socket) => {
    asked.push(request.url ?? "");
    const onward = connect(site.port, "127.0.0.1");
    socket.on("error", () => onward.destroy()).write("HTTP/1.1 200 OK\r\n\r\n");
    onward.on("error", () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const place = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  try {
    for (const value of [place, `http://${place}`, `"${place}"`, `'http://${place}/'`])
      assert.equal(await get({ HTTP_PROXY: value }, "http://site.example/"), "the page", value);
    assert.deepEqual(asked.splice(0), Array(4).fill(`${PUBLIC}:80`));
    const names = { policy: () => ({ proxyResolvesNames: true }) };
    assert.equal(await get({ ALL_PROXY: place }, "http://only-the-proxy-knows.example/", names), "the page");
    assert.deepEqual(asked.splice(0), ["only-the-proxy-knows.example:80"]);
    assert.match(
      await get({ HTTPS_PROXY: "ftp://u:secret@p" }, "https://site.example/"),
      /^unreachable: HTTPS_PROXY names a proxy for ftp:\/\/, which Hermes cannot use, so nothing is fetched\.$/,
    );
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
});

/** The page through a tunnel to this machine, which `fetch` would not ask a proxy for. */
async function through(variables: { readonly [name: string]: string }, host: string, port: number): Promise<string> {
  const proxy = proxyFor(new URL("http://site.example/"), (name) => variables[name])!;
  const signal = AbortSignal.timeout(5_000);
  const socket = await openTunnel(proxy, host, port, signal).catch((cause: Error) => cause.message);
  if (typeof socket === "string") return socket;
  socket.write("GET / HTTP/1.0\r\nHost: site.example\r\n\r\n");
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return text.slice(text.indexOf("\r\n\r\n") + 4);
}

async function freePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Resolves once the program accepts connections; `undefined` if it is not installed. */
async function startProgram(program: string, args: readonly string[], port: number) {
  const child = spawn(program, args, { stdio: "ignore" });
  const missing = { seen: false };
  child.once("error", () => (missing.seen = true));
  const ended = once(child, "close").catch(() => undefined);
  for (let tries = 0; tries < 100 && !missing.seen; tries++) {
    const socket = connect(port, "127.0.0.1");
    const up = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (up) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return missing.seen
    ? undefined
    : {
        async [Symbol.asyncDispose]() {
          child.kill();
          await ended;
        },
      };
}

// field: C09
test("works with real proxies: tinyproxy and microsocks", async (t) => {
  await using site = await startSite();
  const folder = mkdtempSync(join(tmpdir(), "hermes-proxy-"));
  try {
    const port = await freePort();
    const file = join(folder, "tinyproxy.conf");
    writeFileSync(file, `Port ${port}\nListen 127.0.0.1\nTimeout 20\nBasicAuth me secret\n`);
    await t.test("tinyproxy", async (own) => {
      await using proxy = await startProgram("tinyproxy", ["-d", "-c", file], port);
      if (proxy === undefined) return own.skip("tinyproxy is not installed");
      assert.equal(await through({ HTTP_PROXY: `me:secret@127.0.0.1:${port}` }, "127.0.0.1", site.port), "the page");
      assert.match(
        await through({ HTTP_PROXY: `127.0.0.1:${port}` }, "127.0.0.1", site.port),
        /wants a user name and a password \(407\)/,
      );
    });
    const socksPort = await freePort();
    await t.test("microsocks", async (own) => {
      const args = ["-i", "127.0.0.1", "-p", String(socksPort), "-u", "me", "-P", "secret"];
      await using proxy = await startProgram("microsocks", args, socksPort);
      if (proxy === undefined) return own.skip("microsocks is not installed");
      const place = `127.0.0.1:${socksPort}`;
      for (const host of ["127.0.0.1", "localhost"])
        assert.equal(await through({ ALL_PROXY: `socks5h://me:secret@${place}` }, host, site.port), "the page");
      assert.match(
        await through({ ALL_PROXY: `socks5://me:no@${place}` }, "127.0.0.1", site.port),
        /rejected the user name/,
      );
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
