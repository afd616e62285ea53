import assert from "node:assert/strict";
import { test } from "node:test";
import { UserError } from "../contract/common/failure.ts";
import type { GuardedSocket } from "../contract/providers/web.ts";
import { quietLog } from "../testing/quiet-log.ts";
import { SteadySocket, type SteadySocketOptions } from "./steady-socket.ts";

/** One end of a connection, which the test drives. */
function wire() {
  const messages: string[] = [];
  let wake = Promise.withResolvers<void>();
  let over: { readonly code?: number; readonly error?: Error } | undefined;
  const sent: string[] = [];
  const end = (how: { readonly code?: number; readonly error?: Error } = {}): void => {
    over ??= how;
    wake.resolve();
  };
  const socket: GuardedSocket = {
    send: (message) => void sent.push(String(message)),
    protocol: undefined,
    closeReason: undefined,
    get closeCode() {
      return over?.code;
    },
    close: () => end(),
    [Symbol.dispose]: () => end(),
    messages: (async function* () {
      for (;;) {
        while (messages.length > 0) yield messages.shift()!;
        if (over?.error !== undefined) throw over.error;
        if (over !== undefined) return;
        wake = Promise.withResolvers<void>();
        await wake.promise;
      }
    })(),
  };
  return { socket, sent, end, says: (text: string) => (messages.push(text), wake.resolve()) };
}

function steady(more: Partial<SteadySocketOptions> = {}) {
  const wires: ReturnType<typeof wire>[] = [];
  const received: string[] = [];
  const pauses: number[] = [];
  const lost: string[] = [];
  const opened = new Set<(count: number) => void>();
  const socket = new SteadySocket({
    label: "Tin Can",
    log: quietLog(),
    address: () => ({ url: "wss://tin.example" }),
    open: async () => {
      const next = wire();
      wires.push(next);
      for (const report of opened) report(wires.length);
      return next.socket;
    },
    message: (message) => void received.push(String(message)),
    lost: (reason) => void lost.push(reason),
    sleep: async (ms) => void pauses.push(ms),
    ...more,
  });
  const connections = (count: number): Promise<void> =>
    wires.length >= count
      ? Promise.resolve()
      : new Promise((resolve) => void opened.add((now) => now >= count && resolve()));
  return { socket, wires, received, pauses, lost, connections };
}

test("connects again when the connection breaks, and sends on the new one", async () => {
  const { socket, wires, received, connections, lost } = steady();
  await socket.connect();
  wires[0]!.says("one");
  wires[0]!.end({ error: new Error("reset") });
  await connections(2);
  assert.notEqual(await socket.ready(), undefined);
  socket.send("hello");
  wires[1]!.says("two");
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([received, wires[1]!.sent, lost], [["one", "two"], ["hello"], []]);
  socket.close();
});

test("the handshake sees messages, and a connection counts after it", async () => {
  const ready = Promise.withResolvers<void>();
  const { socket, wires } = steady({
    message: (message) => (message === "READY" ? ready.resolve() : undefined),
    opened: async (open) => {
      open.send("IDENTIFY");
      await ready.promise;
    },
  });
  const connecting = socket.connect();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([wires[0]!.sent, socket.connected], [["IDENTIFY"], false]);
  wires[0]!.says("READY");
  await connecting;
  assert.equal(socket.connected, true);
  socket.close();
});

test("the first connection fails if the service ends it during the handshake", async () => {
  const { socket, wires } = steady({ opened: () => new Promise(() => {}) });
  const connecting = socket.connect();
  await new Promise((resolve) => setImmediate(resolve));
  wires[0]!.end({ code: 4004 });
  await assert.rejects(connecting, /closed the connection: code 4004/);
});

test("a close code that reconnecting cannot fix is reported and ends the socket", async () => {
  const { socket, wires, lost } = steady({
    ended: ({ code }) => (code === 4004 ? { again: false, reason: "the token is wrong" } : { again: true }),
  });
  await socket.connect();
  wires[0]!.end({ code: 4004 });
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([lost, wires.length, await socket.ready(1)], [["the token is wrong"], 1, undefined]);
});

test("tries again with growing pauses while the service cannot be reached", async () => {
  let tries = 0;
  const first = wire();
  const back = Promise.withResolvers<void>();
  const { socket, pauses } = steady({
    open: async () => {
      if (tries++ === 0) return first.socket;
      if (tries < 5) throw new Error("refused");
      back.resolve();
      return wire().socket;
    },
  });
  await socket.connect();
  first.end();
  await back.promise;
  const [a, b, c, d] = pauses;
  assert.equal(pauses.length, 4);
  assert.ok(a! >= 500 && a! <= 1_000 && b! >= 1_000 && b! <= 2_000 && c! >= 2_000 && d! >= 4_000, String(pauses));
  socket.close();
});

test("a user's mistake that shows only on reconnecting ends the socket", async () => {
  const first = wire();
  let tries = 0;
  const { socket, lost } = steady({
    open: async () => {
      if (tries++ === 0) return first.socket;
      throw new UserError("The token was revoked.");
    },
  });
  await socket.connect();
  first.end();
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual([lost, tries], [["The token was revoked."], 2]);
});

test("does not reconnect after close", async () => {
  const { socket, wires, lost } = steady();
  await socket.connect();
  socket.close();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([wires.length, lost, socket.connected], [1, [], false]);
  assert.throws(() => socket.send("x"), /is not connected/);
});
