import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { send, type WireResult } from "./http.ts";
import { lacksProgram, withTimeout } from "hermes-agent/testing";

const ask = (url: string, connectMs: number): Promise<WireResult> =>
  send({ service: "The service", method: "GET", url, headers: {}, connectMs, signal: new AbortController().signal });

/** A service that listens and takes no more connections: its queue is full. */
async function fullHouse(): Promise<{ readonly port: number } & Disposable> {
  const listener = spawn(
    "python3",
    [
      "-c",
      "import socket, sys\ns = socket.socket()\ns.bind(('127.0.0.1', 0))\ns.listen(0)\nprint(s.getsockname()[1], flush=True)\nsys.stdin.read()",
    ],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  const port = Number(
    String((await withTimeout(once(listener.stdout, "data"), { what: "the process prints a line" }))[0]),
  );
  const waiting: Socket[] = [];
  for (let full = false; !full;) {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    waiting.push(socket);
    full = await Promise.race([once(socket, "connect").then(() => false), sleep(2_000, true)]);
    assert.ok(waiting.length < 50, "its queue has no end here");
  }
  return {
    port,
    [Symbol.dispose]() {
      for (const socket of waiting) socket.destroy();
      listener.kill();
    },
  };
}

// row 26 of the fault matrix
test(
  "reports a service that does not accept the connection within the timeout",
  { skip: process.platform === "linux" ? lacksProgram("python3") : "how a full queue shows differs by system" },
  async () => {
    using house = await fullHouse();
    const result = await ask(`http://127.0.0.1:${house.port}/v1`, 300);
    assert.ok(result.kind === "failure");
    assert.deepEqual([result.failure.code, result.failure.retryable], ["timeout", true]);
    assert.match(result.failure.message, /did not accept a connection within 0\.3 s\./);
  },
);

test("a handshake that never ends counts as a connection timeout", async () => {
  const mute = createServer((socket) => void socket.on("error", () => {}).resume()).listen(0, "127.0.0.1");
  await once(mute, "listening");
  try {
    const result = await ask(`https://127.0.0.1:${(mute.address() as AddressInfo).port}/v1`, 300);
    assert.ok(result.kind === "failure");
    assert.equal(result.failure.code, "timeout");
    assert.match(result.failure.message, /did not accept a connection within 0\.3 s\./);
  } finally {
    mute.close();
  }
});

test("prepares a waiting request and sends it when allowed, or sends nothing", async () => {
  const received: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      received.push(String(bytes));
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const post = (after: Promise<void>): Promise<WireResult> =>
    send({
      service: "The service",
      method: "POST",
      url,
      headers: {},
      body: "{}",
      connectMs: 5_000,
      signal: new AbortController().signal,
      after,
    });
  const stored = Promise.withResolvers<void>();
  const asked = post(stored.promise);
  await sleep(100);
  assert.deepEqual(received, []);
  stored.resolve();
  assert.equal((await asked).kind, "reply");
  assert.match(received.join(""), /^POST \/v1 [^]*\r\n\r\n\{\}$/);

  const lost = Promise.withResolvers<void>();
  const refused = post(lost.promise);
  lost.reject(new Error("the disk is gone"));
  assert.equal((await refused).kind, "failure");
  assert.equal(received.join("").match(/POST/g)?.length, 1);
  server.close();
});
