import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import type { IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ToolFailure } from "../../contract/common/failure.ts";
import type { SocketOptions } from "../../contract/providers/web.ts";
import { openWorld, PUBLIC, SECRET } from "./web-fixture.ts";
import { withTimeout } from "../../testing/wait-for.ts";
import { waitFor } from "../../testing/wait-for.ts";

async function refusal(work: Promise<unknown>): Promise<ToolFailure> {
  const error = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  assert.ok(error instanceof ToolFailure, `not refused but ${String(error)}`);
  return error;
}

const accept = (incoming: IncomingMessage): string =>
  createHash("sha1")
    .update(`${incoming.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest("base64");

function agree(incoming: IncomingMessage, socket: Socket, more = ""): void {
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept(incoming)}\r\n${more}\r\n`,
  );
}

/** As a server sends it. */
function frame(first: number, body: string | Buffer): Buffer {
  const payload = Buffer.from(body);
  return Buffer.concat([
    payload.length < 126
      ? Buffer.from([first, payload.length])
      : Buffer.from([first, 126, payload.length >> 8, payload.length & 255]),
    payload,
  ]);
}

/** A client's frames, unmasked. */
function unmasked(chunk: Buffer): { readonly opcode: number; readonly body: string }[] {
  const found = [];
  for (let at = 0; at < chunk.length;) {
    const short = chunk[at + 1]! & 127;
    const head = short < 126 ? 2 : 4;
    const length = short < 126 ? short : chunk.readUInt16BE(at + 2);
    const mask = chunk.subarray(at + head, at + head + 4);
    found.push({
      opcode: chunk[at]! & 15,
      body: Buffer.from(
        chunk.subarray(at + head + 4, at + head + 4 + length).map((byte, n) => byte ^ mask[n & 3]!),
      ).toString(),
    });
    at += head + 4 + length;
  }
  return found;
}

/** Sends back each text in capitals. */
const echo = (incoming: IncomingMessage, socket: Socket): void => {
  agree(
    incoming,
    socket,
    incoming.headers["sec-websocket-protocol"] === undefined ? "" : "sec-websocket-protocol: loud\r\n",
  );
  socket.on("data", (chunk: Buffer) => {
    for (const { opcode, body } of unmasked(chunk)) if (opcode === 1) socket.write(frame(0x81, body.toUpperCase()));
  });
};

const nothing = (): void => {};

async function next(messages: AsyncIterable<string | Uint8Array>): Promise<string | Uint8Array | undefined> {
  for await (const message of messages) return message;
  return undefined;
}

// req: R-39
test("opens the WebSocket to the checked address, and resolves the name only once", async () => {
  await using world = await openWorld(nothing, { "a.example.org": [[PUBLIC], ["127.0.0.1"]] }, echo);
  using socket = await world.socket("ws://a.example.org/x?y=1", {
    headers: { "X-Mine": "words", Host: "evil.example.org", "Sec-WebSocket-Key": "mine" },
    protocols: ["loud", "soft"],
  });
  socket.send("hello");
  assert.equal(await next(socket.messages), "HELLO");
  assert.equal(socket.protocol, "loud");
  assert.deepEqual([world.dialled, world.looked.get("a.example.org")], [[`${PUBLIC}:80`], 1]);
  assert.deepEqual(
    world.requests.map(({ host, url, headers }) => [
      host,
      url,
      headers["x-mine"],
      headers["sec-websocket-key"] === "mine",
    ]),
    [["a.example.org", "/x?y=1", "words", false]],
  );
});

// req: R-39
test("a name that later resolves to a private address is never used: each connection goes to its checked address", async () => {
  await using world = await openWorld(
    nothing,
    { "a.example.org": [[PUBLIC], ["127.0.0.1"], ["10.0.0.5"], [PUBLIC, "169.254.169.254"]] },
    echo,
  );
  (await world.socket("ws://a.example.org/")).close();
  for (const place of ["127.0.0.1 (loopback)", "10.0.0.5", "169.254.169.254"]) {
    const failure = await refusal(world.socket("ws://a.example.org/"));
    assert.equal(failure.code, "blocked");
    assert.ok(failure.message.includes(place), failure.message);
  }
  assert.deepEqual(world.dialled, [`${PUBLIC}:80`]);
  assert.equal(world.requests.length, 1);
});

// req: R-39
test("without a proxy, opens no WebSocket to this machine except to a configured address", async () => {
  await using world = await openWorld(nothing, { "a.example.org": [["127.0.0.1"]] }, echo);
  const direct = { proxy: () => undefined };
  const here = world.here().replace("http", "ws");
  const { port } = new URL(here);
  for (const url of [
    here,
    `ws://a.example.org:${port}/`,
    `ws://localhost:${port}/`,
    `ws://2130706433:${port}/`,
    `ws://[::ffff:127.0.0.1]:${port}/`,
  ])
    assert.equal((await refusal(world.socket(url, {}, direct))).code, "blocked", url);
  for (const url of [world.here(), "file:///etc/passwd", "no address", `wss://user:word@a.example.org/`])
    assert.equal((await refusal(world.socket(url, {}, direct))).code, "blocked", url);
  assert.deepEqual(world.requests, []);
  // With a proxy as without: it would find itself there.
  for (const ports of [direct, {}]) {
    using socket = await world.socket(here, { own: true }, ports);
    socket.send(SECRET);
    assert.equal(await next(socket.messages), SECRET.toUpperCase());
  }
  assert.deepEqual(world.dialled, []);
  assert.equal((await refusal(world.socket("ws://169.254.169.254/latest", { own: true }, direct))).code, "blocked");
  assert.equal((await refusal(world.socket("ws://b.example.org/", { hosts: ["a.example.org"] }))).code, "blocked");
});

// req: R-39
test("sends no stored secret in the address, a header or a message, except in its owner's header", async () => {
  await using world = await openWorld(nothing, undefined, echo);
  const tries: readonly (readonly [string, SocketOptions])[] = [
    [`ws://a.example.org/?q=${SECRET}`, {}],
    ["ws://a.example.org/", { headers: { "x-note": `it is ${SECRET}` } }],
    ["ws://a.example.org/", { sending: `it is ${SECRET}` }],
    ["ws://a.example.org/", { protocols: ["chat", `key.${SECRET}`] }],
  ];
  for (const [url, options] of tries)
    assert.equal((await refusal(world.socket(url, options))).data?.["blocked_by"], "secret", url);
  assert.deepEqual(world.dialled, []);
  using socket = await world.socket(
    "ws://a.example.org/",
    { headers: { authorization: SECRET } },
    { own: () => [{ value: SECRET }] },
  );
  for (const message of [`it is ${SECRET}`, Buffer.from(SECRET), Buffer.from(SECRET).toString("base64")]) {
    assert.throws(
      () => socket.send(message),
      (cause) =>
        cause instanceof ToolFailure && cause.data?.["blocked_by"] === "secret" && !cause.message.includes("swordfish"),
    );
  }
  socket.send("still open");
  assert.equal(await next(socket.messages), "STILL OPEN");
  assert.equal(world.requests[0]!.headers.authorization, SECRET);
});

// req: R-39
test("a session address may hold only its own and its provider's keys, and close reasons do not leak them", async () => {
  const key = "sk-proj-Zk3bQ9vT7xW2mN8pL5rD4cF6";
  let reason = "session expired";
  await using world = await openWorld(
    nothing,
    { "a.example.org": [[PUBLIC]], "b.example.org": [["10.0.0.5"]], [`${key.toLowerCase()}.example.org`]: [[PUBLIC]] },
    (incoming, socket) => {
      agree(incoming, socket);
      socket.end(frame(0x88, Buffer.concat([Buffer.from([3, 0xe8]), Buffer.from(reason)])));
    },
  );
  const signed = { slot: "browser", provider: "rented" } as const;
  const theirs = {
    secrets: () => [SECRET, "key-of-the-service", "key-for-their-own-host"],
    ofProvider: (from: typeof signed | SocketOptions["signed"]) =>
      from?.provider === "rented"
        ? [{ value: "key-of-the-service" }, { value: "key-for-their-own-host", hosts: ["c.example.org"] }]
        : [],
  };
  const address = (query: string, host = "a.example.org") => `ws://${host}/${key}?q=${query}`;
  const ended = async (text: string) => {
    reason = text;
    const socket = await world.socket(address("key-of-the-service"), { signed }, theirs);
    assert.equal(await next(socket.messages), undefined);
    assert.equal(socket.closeCode, 1000);
    return socket.closeReason;
  };
  assert.deepEqual(
    [
      await ended("session expired"),
      await ended(""),
      await ended(`no ${key} here`),
      await ended("no key-of-the-service"),
    ],
    ["session expired", undefined, undefined, undefined],
  );
  assert.equal(world.requests.at(-1)!.url, `/${key}?q=key-of-the-service`);
  const opened = world.requests.length;
  const tries: readonly (readonly [string, SocketOptions])[] = [
    [address("x"), {}],
    [address(SECRET), { signed }],
    [address(Buffer.from(SECRET).toString("base64")), { signed }],
    [address("key-for-their-own-host"), { signed }],
    [address("key-of-the-service"), { signed: { slot: "browser", provider: "another" } }],
    [address("x", `${key.toLowerCase()}.example.org`), { signed }],
  ];
  for (const [url, options] of tries)
    assert.equal((await refusal(world.socket(url, options, theirs))).data?.["blocked_by"], "secret", url);
  for (const [url, options, by] of [
    [address("x", "b.example.org"), { signed }, "private address"],
    [address("x", "u:p@a.example.org"), { signed }, "user info"],
    [address("x"), { signed, hosts: ["c.example.org"] }, "host list"],
  ] as const) {
    const failure = await refusal(world.socket(url, options, theirs));
    assert.deepEqual([failure.data?.["blocked_by"], failure.message.includes(key)], [by, false], url);
  }
  assert.equal(world.requests.length, opened);
});

test("closes a connection that does not answer a ping, but not one whose reader is slow", async () => {
  let answers = false;
  let floods = false;
  const pings: number[] = [];
  const often = Promise.withResolvers<void>();
  await using world = await openWorld(nothing, undefined, (incoming, socket) => {
    agree(incoming, socket);
    const connection = pings.push(0) - 1;
    if (floods) socket.write(Buffer.concat(Array.from({ length: 200 }, () => frame(0x82, Buffer.alloc(60_000)))));
    socket.on("data", (chunk: Buffer) => {
      for (const { opcode } of unmasked(chunk)) {
        if (opcode !== 9) continue;
        pings[connection]! += 1;
        if (connection === 1 && pings[connection] === 6) often.resolve();
        if (answers) socket.write(frame(0x8a, ""));
      }
    });
  });
  const silent = await world.socket("ws://a.example.org/", { keepAliveMs: 50 });
  assert.match((await refusal(next(silent.messages))).message, /a\.example\.org stopped answering/);
  assert.deepEqual(pings, [2]);
  assert.throws(() => silent.send("more"), /stopped answering/);
  answers = true;
  const stop = new AbortController();
  const alive = await world.socket("ws://a.example.org/", { keepAliveMs: 50, signal: stop.signal });
  const reading = next(alive.messages);
  await Promise.race([often.promise, reading]);
  stop.abort(new Error("enough"));
  await assert.rejects(reading, /enough/);
  [answers, floods] = [false, true];
  const unread = await world.socket("ws://a.example.org/", { keepAliveMs: 50 });
  await new Promise((resolve) => setTimeout(resolve, 600));
  unread.send("still there");
  unread.close();
  floods = false;
  // By default a socket asks nothing.
  using quiet = await world.socket("ws://a.example.org/");
  await new Promise((resolve) => setTimeout(resolve, 300));
  quiet.send("still there");
  assert.equal(pings[3], 0);
});

test("reports an answer that is not a WebSocket, such as a redirect, and leaves no connection open", async () => {
  let does = (_: IncomingMessage, socket: Socket): void =>
    void socket.end("HTTP/1.1 302 Found\r\nlocation: ws://127.0.0.1/\r\ncontent-length: 0\r\n\r\n");
  await using world = await openWorld(
    (_, reply) => void reply.writeHead(403).end("no"),
    undefined,
    (incoming, socket) => does(incoming, socket),
  );
  assert.match(
    (await refusal(world.socket("ws://a.example.org/"))).message,
    /a\.example\.org answered 302 instead of opening a WebSocket/,
  );
  const wrong: readonly string[] = [
    "sec-websocket-accept: AAAA\r\n",
    "sec-websocket-extensions: permessage-deflate\r\n",
    "sec-websocket-protocol: other\r\n",
  ];
  for (const header of wrong) {
    does = (incoming, socket) =>
      header.includes("accept")
        ? void socket.write(`HTTP/1.1 101 X\r\nupgrade: websocket\r\nconnection: Upgrade\r\n${header}\r\n`)
        : agree(incoming, socket, header);
    assert.match(
      (await refusal(world.socket("ws://a.example.org/"))).message,
      /did not accept the WebSocket as requested/,
      header,
    );
  }
  does = (_, socket) => void socket.destroy();
  assert.equal((await refusal(world.socket("ws://a.example.org/"))).code, "unreachable");
  does = () => undefined;
  assert.equal((await refusal(world.socket("ws://a.example.org/", { timeoutMs: 300 }))).code, "timeout");
  await waitFor(() => world.tunnels() === 0);
});

test("the signal aborts a connection attempt and an open connection, and readers receive its reason", async () => {
  let asked = Promise.withResolvers<void>();
  let does: (incoming: IncomingMessage, socket: Socket) => void = () => undefined;
  await using world = await openWorld(
    nothing,
    undefined,
    (incoming, socket) => (does(incoming, socket), asked.resolve()),
  );
  const first = new AbortController();
  const attempt = world.socket("ws://a.example.org/", { signal: first.signal });
  await withTimeout(asked.promise, { what: "the question is asked" });
  first.abort(new Error("the user stopped it"));
  await assert.rejects(attempt, /the user stopped it/);
  await assert.rejects(world.socket("ws://a.example.org/", { signal: first.signal }), /the user stopped it/);
  asked = Promise.withResolvers();
  does = agree;
  const second = new AbortController();
  const socket = await world.socket("ws://a.example.org/", { signal: second.signal });
  const reading = next(socket.messages);
  second.abort(new Error("enough"));
  await assert.rejects(reading, /enough/);
  assert.throws(() => socket.send("more"), /enough/);
  await waitFor(() => world.tunnels() === 0);
});

test("receives whole messages in order; a too long, broken or invalid one ends the connection with a reason", async () => {
  let does: (socket: Socket) => void = () => undefined;
  const text: Buffer[] = [];
  await using world = await openWorld(nothing, undefined, (incoming, socket) => {
    agree(incoming, socket);
    socket.on("data", (chunk: Buffer) => text.push(chunk));
    does(socket);
  });
  const all = async (options: SocketOptions = {}) => {
    const found: (string | Uint8Array)[] = [];
    const socket = await world.socket("ws://a.example.org/", options);
    for await (const message of socket.messages) found.push(message);
    return found;
  };
  does = (socket) =>
    void socket.write(
      Buffer.concat([
        frame(0x81, "one"),
        frame(0x89, "are you there"),
        frame(0x01, "t"),
        frame(0x80, "wo"),
        frame(0x82, Buffer.from([1, 2])),
        frame(0x88, Buffer.from([3, 0xe8])),
      ]),
    );
  assert.deepEqual(await all(), ["one", "two", Buffer.from([1, 2])]);
  await waitFor(() => unmasked(Buffer.concat(text)).length >= 2);
  assert.deepEqual(
    unmasked(Buffer.concat(text))
      .map(({ opcode, body }) => [opcode, body])
      .slice(0, 2),
    [
      [10, "are you there"],
      [8, ""],
    ],
  );
  const breaks: readonly (readonly [(socket: Socket) => void, RegExp])[] = [
    [(socket) => void socket.write(frame(0x82, Buffer.alloc(200))), /longer than 100 bytes/],
    [(socket) => void socket.write("HTTP/1.1 200 OK\r\n\r\n"), /was closed: /],
    [(socket) => void socket.end(), /closed the connection/],
    [(socket) => void socket.resetAndDestroy(), /closed the connection|broke/],
    [(socket) => void socket.write(frame(0x88, Buffer.from([3, 0xf3]))), /closed the connection with the code 1011/],
  ];
  for (const [breaking, words] of breaks) {
    does = breaking;
    assert.match((await refusal(all({ maxMessageBytes: 100 }))).message, words);
  }
});

test("a fast sender waits for the reader, and leaving the loop closes the connection", async () => {
  let sent = 0;
  const over = new AbortController();
  await using world = await openWorld(nothing, undefined, (incoming, socket) => {
    agree(incoming, socket);
    const one = frame(0x82, Buffer.alloc(60_000));
    const more = (): void => {
      while (!over.signal.aborted && socket.writable && (sent += 60_000) > 0 && socket.write(one));
    };
    socket.on("drain", more).once("close", () => over.abort());
    more();
  });
  const socket = await world.socket("ws://a.example.org/");
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.ok(sent < 60_000_000, `${sent} bytes were taken in without a reader`);
  assert.equal((await next(socket.messages))?.length, 60_000);
  await waitFor(() => over.signal.aborted);
});

const openssl = spawnSync("openssl", ["version"]).status === 0;

test(
  "a wss:// connection uses the host name and requires a valid certificate for it",
  { skip: !openssl && "openssl is not here" },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "hermes-certificate-"));
    t.after(() => rmSync(folder, { recursive: true }));
    execFileSync(
      "openssl",
      [
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "1",
        "-subj",
        "/CN=a.example.org",
        "-keyout",
        join(folder, "key"),
        "-out",
        join(folder, "certificate"),
      ],
      { stdio: "ignore" },
    );
    const [key, cert] = ["key", "certificate"].map((name) => readFileSync(join(folder, name)));
    const asked: string[] = [];
    const server = createTlsServer({ key, cert, SNICallback: (name, done) => (asked.push(name), done(null)) });
    let upgrades = 0;
    server.on("upgrade", () => void upgrades++).on("tlsClientError", () => undefined);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await using world = await openWorld(nothing, { "a.example.org": [["127.0.0.1"]] });
    const { port } = server.address() as AddressInfo;
    const failure = await refusal(
      world.socket(`wss://a.example.org:${port}/`, { own: true }, { proxy: () => undefined }),
    );
    assert.match(failure.message, /The certificate of a\.example\.org:\d+ is not trusted/);
    assert.deepEqual([asked, upgrades], [["a.example.org"], 0]);
    await new Promise((resolve) => server.close(resolve));
  },
);
