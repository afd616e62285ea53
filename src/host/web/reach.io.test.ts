import assert from "node:assert/strict";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { reach } from "./reach.ts";

async function listening() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on("error", () => {})));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    place: { url: new URL(`http://here.example:${port}/`), address: "127.0.0.1", port },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

// req: R-43
test("the connect timeout does not apply to an open connection", async () => {
  await using server = await listening();
  const stop = new AbortController();
  // On a busy machine connecting takes its time.
  let connectMs = 250;
  const socket = await (async () => {
    for (; connectMs < 60_000; connectMs *= 2) {
      const one = await reach({ ...server.place, proxy: undefined }, stop.signal, connectMs).catch(() => undefined);
      if (one !== undefined) return one;
    }
    return assert.fail("no connection");
  })();
  await wait(connectMs + 200);
  assert.equal(socket.destroyed, false);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  stop.abort();
  await closed;
});

test("names the host that does not answer in time or refuses the connection", async () => {
  await using server = await listening();
  const { signal } = new AbortController();
  // Its proxy accepts the connection and never answers.
  const url = new URL(`http://127.0.0.1:${server.place.port}`);
  const proxy = { kind: "proxy", protocol: "http", url, resolves: false } as const;
  await assert.rejects(
    reach({ ...server.place, proxy }, signal, 100),
    /here\.example:\d+ did not answer within 0\.1 s\./,
  );
  await assert.rejects(
    reach({ ...server.place, port: 9, proxy: undefined }, signal),
    /here\.example:\d+ cannot be reached \(ECONNREFUSED\)/,
  );
});
