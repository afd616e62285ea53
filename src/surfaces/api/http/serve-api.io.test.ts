import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { quietLog } from "../../../testing/quiet-log.ts";
import { withTimeout } from "../../../testing/wait-for.ts";
import type { ApiSettings } from "../../shared/gateway/api-plan.ts";
import { valueRoute } from "./api-route.ts";
import { serveApi } from "./serve-api.ts";

const KEY = "3f1c9d2e7a5b4c6d8e0f1a2b3c4d5e6f";

// field: S13
test("closes connections that send nothing, half a request line, or their headers too slowly", async () => {
  await using served = await serveApi({
    log: quietLog(),
    mask: (text) => text,
    settings: { host: "127.0.0.1", port: 0, origins: [], key: KEY } as unknown as ApiSettings,
    keepAliveMs: 60_000,
    routes: [valueRoute("GET /value", () => ({ answer: 42 }))],
    limits: { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50 },
  });
  const sockets = ["", "GET /val", "GET /value HTTP/1.1\r\nHost: a\r\nX-Slow: "].map((text) => {
    const socket = connect(Number(new URL(served.url).port), "127.0.0.1", () => void socket.write(text));
    socket.on("error", () => {}).resume();
    return once(socket, "close");
  });
  await withTimeout(Promise.all(sockets), { what: "the server closes the slow connections" });
  const reply = await fetch(new URL("value", served.url), { headers: { authorization: `bearer ${KEY}` } });
  assert.deepEqual(await reply.json(), { answer: 42 });
});
