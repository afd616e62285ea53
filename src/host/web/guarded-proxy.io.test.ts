import assert from "node:assert/strict";
import { createServer as listen, connect, type AddressInfo, type Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { ToolFailure } from "../../contract/common/failure.ts";
import type { ProxyOptions } from "../../contract/providers/web.ts";
import { createProxy } from "./guarded-proxy.ts";
import type { FetchPorts } from "./fetch-ports.ts";
import { openWorld, PUBLIC, SECRET } from "./web-fixture.ts";

type World = Awaited<ReturnType<typeof openWorld>>;

/** The proxy on a port, spoken to byte by byte. */
async function openGuard(world: World, more: Partial<FetchPorts> = {}, options: ProxyOptions = {}) {
  const refused: string[] = [];
  const guard = createProxy({ ...world.ports, ...more }, { ...options, refused: (words) => refused.push(words) });
  const port = listen((socket) => guard.serve(socket));
  await new Promise<void>((resolve) => port.listen(0, "127.0.0.1", resolve));
  const dial = () => connect((port.address() as AddressInfo).port, "127.0.0.1");
  return {
    refused,
    guard,
    dial,
    /** Sends a text and gives everything that comes until the end. */
    async ask(...texts: readonly (string | Uint8Array)[]): Promise<string> {
      const socket: Socket = dial();
      const closed = new Promise((resolve) => socket.once("close", resolve));
      let message = "";
      socket.on("data", (bytes: Buffer) => (message += bytes.toString("latin1"))).on("error", () => {});
      for (const text of texts) {
        socket.write(text);
        await wait(texts.length > 1 ? 60 : 0);
      }
      await closed;
      return message;
    },
    async [Symbol.asyncDispose]() {
      guard[Symbol.dispose]();
      await new Promise((resolve) => port.close(resolve));
    },
  };
}

const get = (url: string, headers = "", method = "GET"): string =>
  `${method} ${url} HTTP/1.1\r\nhost: somewhere.else\r\nconnection: close\r\n${headers}\r\n`;
const CLOSE = { connection: "close" };

// req: R-43
test("forwards an http request to the checked address with its host name, without proxy headers", async () => {
  await using world = await openWorld((_, reply) => void reply.writeHead(200, CLOSE).end("hello"), {
    "a.example.org": [[PUBLIC], ["127.0.0.1"]],
  });
  await using guard = await openGuard(world);
  const message = await guard.ask(get("http://a.example.org/x?y=1", "proxy-authorization: Basic eA==\r\nx-own: 1\r\n"));
  assert.match(message, /^HTTP\/1.1 200 OK\r\n[^]*hello/);
  assert.deepEqual([world.dialled, world.looked.get("a.example.org")], [[`${PUBLIC}:80`], 1]);
  assert.deepEqual(
    world.requests.map(({ host, url, headers }) => [host, url, headers["x-own"], headers["proxy-authorization"]]),
    [["a.example.org", "/x?y=1", "1", undefined]],
  );
  assert.match(
    await guard.ask(get("http://a.example.org/again")),
    /^HTTP\/1.1 403 [^]*127.0.0.1/,
    "a changed DNS answer is checked again",
  );
  assert.deepEqual(guard.refused.length, 1);
});

test("forwards a body, and returns a redirect to the client", async () => {
  const bodies: string[] = [];
  await using world = await openWorld((incoming, reply) => {
    incoming
      .setEncoding("utf8")
      .on("data", (text: string) => bodies.push(text))
      .on("end", () => void reply.writeHead(302, { ...CLOSE, location: "http://127.0.0.1/" }).end());
  });
  await using guard = await openGuard(world);
  assert.match(
    await guard.ask(get("http://a.example.org/", "content-length: 4\r\n", "POST") + "body"),
    /^HTTP\/1.1 302 Found\r\n[^]*location: http:\/\/127.0.0.1\//,
  );
  assert.deepEqual(bodies, ["body"]);
});

test("opens a tunnel only to the checked address", async () => {
  await using world = await openWorld((_, reply) => void reply.writeHead(200, CLOSE).end("hello"), {
    "a.example.org": [[PUBLIC], ["10.0.0.1"]],
  });
  await using guard = await openGuard(world);
  const message = await guard.ask(
    "CONNECT a.example.org:443 HTTP/1.1\r\n\r\n",
    "GET / HTTP/1.1\r\nhost: 169.254.169.254\r\nconnection: close\r\n\r\n",
  );
  assert.match(message, /^HTTP\/1.1 200 Connection established\r\n\r\nHTTP\/1.1 200 OK[^]*hello/);
  assert.deepEqual(world.dialled, [`${PUBLIC}:443`]);
  assert.match(
    await guard.ask("CONNECT a.example.org:443 HTTP/1.1\r\n\r\n"),
    /^HTTP\/1.1 403 Refused by the sandbox\r\n[^]*10.0.0.1/,
  );
});

test("refuses every spelling of a non-public address without opening a connection", async () => {
  await using world = await openWorld((_, reply) => reply.end("reached"), {
    "mixed.example.org": [[PUBLIC, "127.0.0.1"]],
    "inner.example.org": [["192.168.1.1"]],
    "a.example.org": [[PUBLIC]],
  });
  await using guard = await openGuard(world);
  const places = [
    "169.254.169.254:80",
    "169.254.169.254:443",
    "2852039166:80",
    "0xa9fea9fe:80",
    "[::ffff:169.254.169.254]:80",
    "[fd00:ec2::254]:80",
    "metadata.google.internal:80",
    "100.100.100.200:80",
    "127.0.0.1:8080",
    "127.1:8080",
    "localhost:8080",
    "localhost.:8080",
    "[::1]:8080",
    "0.0.0.0:8080",
    "[::]:8080",
    "10.1.2.3:443",
    "172.16.0.1:443",
    "127.0.0.1.nip.io:443",
    "mixed.example.org:443",
    "inner.example.org:443",
    "a.example.org:22",
    "a.example.org:6379",
    "router:80",
  ];
  for (const place of places)
    assert.match(await guard.ask(`CONNECT ${place} HTTP/1.1\r\n\r\n`), /^HTTP\/1.1 403 /, place);
  assert.equal(guard.refused.length, places.length);
  for (const place of places) assert.match(await guard.ask(get(`http://${place}/`)), /^HTTP\/1.1 403 /, place);
  for (const odd of [
    "a.example.org",
    "a.example.org:443/x",
    "me@a.example.org:443",
    "a.example.org:443:80",
    "a.example.org\\:80",
    "[a]:443",
  ])
    assert.match(await guard.ask(`CONNECT ${odd} HTTP/1.1\r\n\r\n`), /^(HTTP\/1.1 40[03] |$)/, odd);
  for (const odd of ["/", "https://a.example.org/", "ftp://a.example.org/"])
    assert.match(await guard.ask(get(odd)), /^HTTP\/1.1 400 /, odd);
  assert.match(await guard.ask(get("http://me:word@a.example.org/")), /^HTTP\/1.1 403 /);
  assert.match(
    await guard.ask(
      get("http://a.example.org/", "upgrade: websocket\r\n").replace("connection: close", "connection: upgrade"),
    ),
    /^HTTP\/1.1 400 /,
  );
  assert.deepEqual([world.dialled, world.requests], [[], []]);
});

test("applies the blocklist and the allowed hosts, and refuses everything if a check fails", async () => {
  await using world = await openWorld((_, reply) => void reply.writeHead(200, CLOSE).end("hello"));
  await using blocked = await openGuard(world, { policy: () => ({ blocklist: ["example.org"] }) });
  assert.match(await blocked.ask("CONNECT a.example.org:443 HTTP/1.1\r\n\r\n"), /403 [^]*blocklist/);
  await using only = await openGuard(world, {}, { hosts: () => ["a.example.org"] });
  assert.match(await only.ask(get("http://a.example.org/")), /^HTTP\/1.1 200/);
  assert.match(await only.ask(get("http://b.example.org/")), /403 [^]*not one of the allowed hosts/);
  await using broken = await openGuard(world, {
    policy: () => Promise.reject(new ToolFailure("blocked", "The list cannot be read.")),
  });
  assert.match(await broken.ask(get("http://a.example.org/")), /^HTTP\/1.1 403 [^]*The list cannot be read/);
  await using worse = await openGuard(world, {
    secrets: () => {
      throw new Error("broken");
    },
  });
  assert.match(await worse.ask(get("http://a.example.org/")), /^HTTP\/1.1 403 [^]*could not be checked/);
  assert.deepEqual(
    world.requests.map(({ host }) => host),
    ["a.example.org"],
  );
});

test("the setting for private addresses opens them here too, but not metadata addresses", async () => {
  await using world = await openWorld((_, reply) => void reply.writeHead(200, CLOSE).end("private"));
  await using guard = await openGuard(world, { policy: () => ({ allowPrivate: true }), proxy: () => undefined });
  assert.match(await guard.ask(get(`${world.here()}/`)), /^HTTP\/1.1 200 [^]*private/);
  assert.match(await guard.ask(get("http://169.254.169.254/")), /^HTTP\/1.1 403/);
});

test("sends no stored secret in an address, header, body or open tunnel, and refusals do not repeat it", async () => {
  const bodies: string[] = [];
  await using world = await openWorld((incoming, reply) => {
    incoming.setEncoding("utf8").on("data", (text: string) => bodies.push(text));
    incoming.on("end", () => void reply.writeHead(200, CLOSE).end("hello"));
  });
  await using guard = await openGuard(world);
  const encoded = Buffer.from(SECRET).toString("base64");
  const long = "x".repeat(100_000);
  for (const text of [get(`http://a.example.org/?k=${SECRET}`), get("http://a.example.org/", `x-key: ${encoded}\r\n`)])
    assert.match(await guard.ask(text), /^HTTP\/1.1 403 /);
  await guard.ask(
    get("http://a.example.org/", `content-length: ${long.length + SECRET.length}\r\n`, "POST"),
    long,
    SECRET,
  );
  await guard.ask(
    "CONNECT a.example.org:80 HTTP/1.1\r\n\r\n",
    get("/", `content-length: ${SECRET.length}\r\n`, "POST"),
    SECRET.slice(0, 9),
    SECRET.slice(9),
  );
  assert.equal(guard.refused.length, 4);
  assert.doesNotMatch(`${JSON.stringify(world.requests)}${bodies.join("")}`, new RegExp(`${SECRET}|${encoded}`));
  assert.doesNotMatch(guard.refused.join(), new RegExp(SECRET));
});

test("tunnels encrypted bytes unchanged both ways, and disposing the proxy closes its connections", async () => {
  await using world = await openWorld((_, reply) => reply.end());
  const received: Buffer[] = [];
  const echo = listen(
    (socket) =>
      void socket.on("error", () => {}).on("data", (bytes: Buffer) => (received.push(bytes), socket.write(bytes))),
  );
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
  await using guard = await openGuard(world, { policy: () => ({ allowPrivate: true }), proxy: () => undefined });
  const socket = guard.dial();
  const next = () => new Promise<Buffer>((resolve) => socket.once("data", resolve));
  socket.write(`CONNECT 127.0.0.1:${(echo.address() as AddressInfo).port} HTTP/1.1\r\n\r\n`);
  assert.match(String(await next()), /^HTTP\/1.1 200/);
  const sealed = Buffer.concat([Buffer.from([0x16, 0x03, 0x01]), Buffer.from(SECRET)]);
  socket.write(sealed);
  assert.deepEqual(await next(), sealed);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  guard.guard[Symbol.dispose]();
  await closed;
  await new Promise((resolve) => echo.close(resolve));
});

test("reports an unreachable or unresolvable host as an error, not as a refusal", async () => {
  await using world = await openWorld((_, reply) => reply.end());
  await using guard = await openGuard(world, { policy: () => ({ allowPrivate: true }), proxy: () => undefined });
  assert.match(
    await guard.ask(`CONNECT 127.0.0.1:${await closedPort()} HTTP/1.1\r\n\r\n`),
    /^HTTP\/1.1 502 Not done\r\n[^]*ECONNREFUSED/,
  );
  assert.match(await guard.ask(get("http://nowhere.example.org/")), /^HTTP\/1.1 (502|403) /);
  assert.deepEqual(
    guard.refused.filter((words) => words.includes("127.0.0.1")),
    [],
  );
});

test("checks an address before connecting, by its text and by what its name resolves to", async () => {
  await using world = await openWorld((_, reply) => reply.end(), { "inside.example.org": [["10.0.0.1"]] });
  await using guard = await openGuard(world);
  const judge = (url: string, options?: { sent?: string; lookUp?: boolean }) => guard.guard.judge(url, options);
  assert.equal(await judge("https://a.example.org/x"), undefined);
  assert.equal(await judge("https://inside.example.org/"), undefined);
  assert.match((await judge("https://inside.example.org/", { lookUp: true }))!, /10\.0\.0\.1/);
  assert.match((await judge(`https://a.example.org/?q=${SECRET}`))!, /secret/);
  assert.match((await judge("https://a.example.org/", { sent: `{"q":"${SECRET}"}` }))!, /stored secret/);
  assert.match((await judge("http://127.0.0.1/"))!, /only public addresses/);
  await using open = await openGuard(world, {}, { allowPrivate: () => true });
  assert.equal(await open.guard.judge("http://127.0.0.1/"), undefined);
  assert.match((await open.guard.judge("http://169.254.169.254/"))!, /metadata/);
  await using broken = await openGuard(world, {
    policy: () => Promise.reject(new ToolFailure("blocked", "The website blocklist cannot be read.")),
  });
  assert.equal(await broken.guard.judge("https://a.example.org/"), "The website blocklist cannot be read.");
});

/** A port that was in use a moment ago. */
async function closedPort(): Promise<number> {
  const server = listen();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
