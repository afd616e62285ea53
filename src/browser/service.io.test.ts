import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { ToolFailure } from "../contract/common/failure.ts";
import type { GuardedFetch, OpenSocket } from "../contract/providers/web.ts";
import { createSocket } from "../host/web/guarded-socket.ts";
import { connectToService } from "./service.ts";
import { definedFields } from "../contract/common/defined-fields.ts";

const SECRET = "a-stored-secret-0123456789";
const SERVICE_KEY = "key-of-the-service-0123456789";
const noFetch: GuardedFetch = () => Promise.reject(new ToolFailure("unreachable", "Nothing is fetched here."));

/** The guard as plugins use it. `lookup` returns the addresses of names, one answer after the other. */
function guarded(
  options: { readonly allowPrivate?: boolean; readonly lookup?: (host: string) => Promise<readonly string[]> } = {},
): OpenSocket {
  const ofProvider = ({ slot, provider }: { readonly slot: string; readonly provider: string }) =>
    slot === "browser" && provider === "rented" ? [{ value: SERVICE_KEY }] : [];
  return createSocket({
    policy: () => ({ allowPrivate: options.allowPrivate ?? true }),
    secrets: () => [SECRET, SERVICE_KEY],
    ofProvider,
    proxy: () => undefined,
    ...definedFields({ lookup: options.lookup }),
  });
}

/** Speaks WebSocket like a browser's DevTools; `hear` receives each message and a function that answers it. */
async function startDevTools(
  receive: (text: string, say: (frame: Buffer) => void, connection: Duplex) => void,
  secure?: { readonly key: string; readonly cert: string },
) {
  const paths: string[] = [];
  const server = secure === undefined ? createServer() : createSecureServer(secure);
  const connections = new Set<Duplex>();
  server.on("connection", (connection: Duplex) => void connections.add(connection));
  server.on("upgrade", (request: IncomingMessage, connection: Duplex) => {
    paths.push(request.url ?? "");
    if (request.url?.includes("over") === true)
      return void connection.end("HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n");
    const accepted = createHash("sha1")
      .update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest("base64");
    connection.write(
      `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-accept: ${accepted}\r\n\r\n`,
    );
    connection.on("error", () => undefined);
    let all = Buffer.alloc(0);
    connection.on("data", (chunk: Buffer) => {
      all = Buffer.concat([all, chunk]);
      for (;;) {
        if (all.length < 6) return;
        const short = all[1]! & 127;
        const head = short < 126 ? 2 : short === 126 ? 4 : 10;
        const length = short < 126 ? short : short === 126 ? all.readUInt16BE(2) : Number(all.readBigUInt64BE(2));
        if (all.length < head + 4 + length) return;
        const mask = all.subarray(head, head + 4);
        const body = Buffer.from(all.subarray(head + 4, head + 4 + length).map((byte, at) => byte ^ mask[at & 3]!));
        const kind = all[0]! & 15;
        all = all.subarray(head + 4 + length);
        if (kind === 1) receive(body.toString(), (frame) => void connection.write(frame), connection);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    paths,
    async [Symbol.asyncDispose]() {
      // After a protocol upgrade the server no longer tracks the connection.
      for (const connection of connections) connection.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function frame(text: string | Buffer, first = 0x81): Buffer {
  const body = Buffer.from(text);
  const long = Buffer.alloc(body.length < 126 ? 2 : body.length < 65_536 ? 4 : 10);
  long[0] = first;
  long[1] = body.length < 126 ? body.length : body.length < 65_536 ? 126 : 127;
  if (long.length === 4) long.writeUInt16BE(body.length, 2);
  if (long.length === 10) long.writeBigUInt64BE(BigInt(body.length), 2);
  return Buffer.concat([long, body]);
}

const answer = (text: string, result: unknown = {}): string =>
  JSON.stringify({ id: (JSON.parse(text) as { readonly id: number }).id, result });
const service = (url: string, more: { readonly hosts?: readonly string[]; readonly fetch?: GuardedFetch } = {}) => ({
  name: "Rented",
  provider: "rented",
  url,
  fetch: noFetch,
  ...more,
});

test("commands and answers of any length pass both ways, also in fragments, and no error shows the path with its key", async () => {
  const long = "x".repeat(200_000);
  await using there = await startDevTools((text, say) => {
    const message = answer(text, {
      said: (JSON.parse(text) as { readonly params: { readonly say: string } }).params.say,
    });
    // A ping and a pause between two pieces of one message.
    say(frame(message.slice(0, 5), 0x01));
    say(frame("", 0x89));
    setTimeout(() => say(frame(message.slice(5), 0x80)), 5);
  });
  const tools = await connectToService(
    service(`ws://127.0.0.1:${there.port}/session?token=key-in-the-path`),
    guarded(),
  );
  for (const say of ["ä", "y".repeat(300), long]) assert.deepEqual(await tools.send("Say.it", { say }), { said: say });
  tools.close("Done.");
  assert.deepEqual(there.paths, ["/session?token=key-in-the-path"]);
  const refused = await connectToService(
    service(`ws://127.0.0.1:${there.port}/over?token=key-in-the-path`),
    guarded(),
  ).then(() => "", String);
  assert.equal(
    refused.replace(/:\d+/, ""),
    "ToolFailure: Rented's browser is unreachable: 127.0.0.1 answered 410 instead of opening a WebSocket.".replace(
      "ToolFailure: ",
      /^\w+: /.exec(refused)?.[0] ?? "",
    ),
  );
});

test("a broken connection, an endless message and invalid WebSocket data end the connection with a reason", async () => {
  const cases: readonly (readonly [string, (say: (frame: Buffer) => void, connection: Duplex) => void, RegExp])[] = [
    [
      "cut",
      (_, connection) => void connection.destroy(),
      /browser is lost: 127\.0\.0\.1:\d+ closed the connection\. The session may have expired\./,
    ],
    [
      "closed with a reason",
      (say) => say(frame(Buffer.concat([Buffer.from([3, 233]), Buffer.from("session expired")]), 0x88)),
      /is lost: it was closed: session expired\. The session may/,
    ],
    ["too long", (say) => say(Buffer.from([0x81, 127, 0, 0, 0, 1, 0, 0, 0, 0])), /longer than 64000000 bytes/],
    [
      "masked",
      (say) => say(Buffer.from([0x81, 0x81, 0, 0, 0, 0, 65])),
      /masked its frames, which only a client may do/,
    ],
  ];
  for (const [name, breaks, words] of cases) {
    await using there = await startDevTools((_, say, connection) => breaks(say, connection));
    const tools = await connectToService(service(`ws://127.0.0.1:${there.port}/`), guarded());
    await assert.rejects(tools.send("Any.thing"), words, name);
    await assert.rejects(tools.send("Any.more"), words, name);
  }
});

test("does not send a command that contains a stored secret, and sends the next one", async () => {
  const received: string[] = [];
  await using there = await startDevTools((text, say) => {
    received.push(text);
    say(frame(answer(text)));
  });
  const tools = await connectToService(service(`ws://127.0.0.1:${there.port}/`), guarded());
  const [secret, other] = await Promise.allSettled([
    tools.send("Input.insertText", { text: `my ${SECRET}` }),
    tools.send("Page.enable"),
  ]);
  assert.match(String((secret as PromiseRejectedResult).reason), /contains a stored secret/);
  assert.deepEqual(
    [other.status, received.map((text) => (JSON.parse(text) as { readonly method: string }).method)],
    ["fulfilled", ["Page.enable"]],
  );
  tools.close("Done.");
});

test("the address may contain the session's and the service's key, but no other stored secret, and no error contains either", async () => {
  await using there = await startDevTools((text, say) => say(frame(answer(text))));
  const address = (query: string) => `ws://127.0.0.1:${there.port}/cdp/sk-proj-Zk3bQ9vT7xW2mN8pL5rD4cF6?${query}`;
  for (const query of ["signingKey=ghp_Zk3bQ9vT7xW2mN8pL5rD4cF6hJ1aS0eYuIoP", `apiKey=${SERVICE_KEY}`]) {
    const tools = await connectToService(service(address(query)), guarded());
    assert.deepEqual(await tools.send("Page.enable"), {});
    tools.close("Done.");
  }
  const refused = await connectToService(service(address(`apiKey=${SECRET}`)), guarded()).then(
    () => undefined,
    (cause: ToolFailure) => cause,
  );
  assert.equal(refused?.code, "blocked");
  assert.match(
    refused.message,
    /^Rented's browser is unreachable: 127\.0\.0\.1:\d+ was not connected to: It contains a stored secret/,
  );
  assert.doesNotMatch(refused.message, /sk-proj|a-stored|cdp/);
  assert.equal(there.paths.length, 2);
});

test("connects to the address that was checked, resolved once; refuses private networks and cloud metadata", async () => {
  await using there = await startDevTools(() => undefined);
  const answers = [["127.0.0.1"], ["169.254.169.254"]];
  const moving = guarded({ lookup: async () => answers.shift() ?? [] });
  (await connectToService(service(`ws://browser.example:${there.port}/first`), moving)).close("Done.");
  assert.equal(answers.length, 1);
  await assert.rejects(
    connectToService(service(`ws://browser.example:${there.port}/`), moving),
    /metadata|credentials/,
  );
  await assert.rejects(
    connectToService(
      service(`ws://browser.example:${there.port}/`),
      guarded({ allowPrivate: false, lookup: async () => ["127.0.0.1"] }),
    ),
    /only public addresses/,
  );
  await assert.rejects(
    connectToService(service(`ws://127.0.0.1:${there.port}/`), guarded({ allowPrivate: false })),
    /only public addresses/,
  );
  await assert.rejects(connectToService(service("ws://169.254.169.254/"), guarded()), /metadata/);
  assert.deepEqual(there.paths, ["/first"]);
});

test("a plugin's browser may connect only to its granted hosts", async () => {
  await using there = await startDevTools((text, say) => say(frame(answer(text))));
  const url = `ws://127.0.0.1:${there.port}/`;
  for (const hosts of [[], ["127.0.0.1:1"], ["example.org"], ["*.127.0.0.1"]])
    await assert.rejects(
      connectToService(service(url, { hosts }), guarded()),
      /gives a browser on 127\.0\.0\.1:\d+, which its plugin may not contact/,
      hosts.join(),
    );
  for (const hosts of [["127.0.0.1"], [`127.0.0.1:${there.port}`]])
    (await connectToService(service(url, { hosts }), guarded())).close("Done.");
  // An address that names another is held to the same list, and a sealed one names no open one.
  const names =
    (socket: string): GuardedFetch =>
    async () =>
      ({ status: 200, json: async () => ({ webSocketDebuggerUrl: socket }) }) as never;
  await assert.rejects(
    connectToService(
      service("http://127.0.0.1/", { hosts: ["127.0.0.1"], fetch: names("ws://192.168.0.9/") }),
      guarded(),
    ),
    /may not contact/,
  );
  await assert.rejects(
    connectToService(service("https://127.0.0.1/", { fetch: names(url) }), guarded()),
    /unencrypted/,
  );
  (await connectToService(service("http://127.0.0.1/", { fetch: names(url) }), guarded())).close("Done.");
  for (const bad of ["", "ftp://x/", "not an address"])
    await assert.rejects(connectToService(service(bad), guarded()), /gives no valid address/);
});

const NO_OPENSSL = spawnSync("openssl", ["version"]).error !== undefined && "openssl is not here";

test(
  "a wss:// connection sends the host name, accepts a trusted certificate and refuses an untrusted one",
  { skip: NO_OPENSSL },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "hermes-certificate-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
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
        "/CN=browser.example.org",
        "-addext",
        "subjectAltName=DNS:browser.example.org",
        "-keyout",
        join(folder, "key"),
        "-out",
        join(folder, "certificate"),
      ],
      { stdio: "ignore" },
    );
    const [key, cert] = ["key", "certificate"].map((name) => readFileSync(join(folder, name), "utf8")) as [
      string,
      string,
    ];
    await using there = await startDevTools((text, say) => say(frame(answer(text, { product: "Chrome" }))), {
      key,
      cert,
    });
    const here = guarded({ lookup: async () => ["127.0.0.1"] });
    const url = `wss://browser.example.org:${there.port}/session?token=key-in-the-path`;
    await assert.rejects(
      connectToService(service(url), here),
      /certificate of browser\.example\.org:\d+ is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
    );
    const before = getCACertificates("default");
    setDefaultCACertificates([...before, cert]);
    t.after(() => setDefaultCACertificates(before));
    const tools = await connectToService(service(url), here);
    assert.deepEqual(await tools.send("Browser.getVersion"), { product: "Chrome" });
    tools.close("Done.");
    // The name is part of what is trusted.
    await assert.rejects(
      connectToService(service(url.replace("browser.", "other.")), here),
      /ERR_TLS_CERT_ALTNAME_INVALID/,
    );
    assert.deepEqual(there.paths, ["/session?token=key-in-the-path"]);
  },
);
