import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import { test } from "node:test";
import type { JsonObject } from "../contract/common/json.ts";
import type { WebhookRoute } from "../contract/providers/webhook-route.ts";
import { quietLog } from "../testing/quiet-log.ts";
import { isSigned, signature } from "./signature.ts";
import { webhookListener } from "./webhook-listener.ts";

const KEY = "a-long-signing-key";

/** A listener whose store survives it. */
function bench(stored = new Map<string, JsonObject>()) {
  const listener = webhookListener({
    host: "127.0.0.1",
    port: 0,
    log: quietLog(),
    delivered: async (route, id) => stored.get(`${route} ${id}`),
    noteDelivery: async (route, id, reply) => void stored.set(`${route} ${id}`, reply),
  });
  const handled: string[] = [];
  const route = (path: string, more: Partial<WebhookRoute> = {}) =>
    listener.route({
      path,
      verify: ({ headers, body }) => isSigned(headers["x-signature"], { key: KEY, signed: [body] }),
      identify: ({ headers }) => ({
        id: headers["x-id"],
        at: headers["x-at"] === undefined ? undefined : Number(headers["x-at"]),
      }),
      handle: ({ body }) => (
        handled.push(`${path} ${Buffer.from(body).toString()}`),
        { status: 202, body: { ok: true } }
      ),
      ...more,
    });
  return { listener, stored, handled, route };
}

async function post(url: string, body: string, headers: { readonly [name: string]: string } = {}) {
  const signed = { "x-signature": signature({ key: KEY, signed: [body] }), ...headers };
  const reply = await fetch(url, { method: "POST", body, headers: signed });
  return { status: reply.status, text: await reply.text() };
}

// row 41 of the fault matrix
test("handles each delivery once per route and id: at the same time, later, and after a restart", async () => {
  const first = bench();
  const [a, b] = [await first.route("/a"), await first.route("/b")];
  const sent = await Promise.all([post(a.url, "one", { "x-id": "1" }), post(a.url, "one", { "x-id": "1" })]);
  assert.deepEqual(
    sent.map(({ status, text }) => [status, text]),
    [
      [202, '{"ok":true}'],
      [202, '{"ok":true}'],
    ],
  );
  await post(b.url, "one", { "x-id": "1" });
  assert.deepEqual(first.handled, ["/a one", "/b one"]);
  await first.listener[Symbol.asyncDispose]();

  const later = bench(first.stored);
  await using again = await later.route("/a");
  assert.deepEqual(await post(again.url, "one", { "x-id": "1" }), { status: 202, text: '{"ok":true}' });
  await post(again.url, "two", { "x-id": "2" });
  assert.deepEqual(later.handled, ["/a two"]);
});

// row 41 of the fault matrix
test("a delivery whose handling failed may be repeated", async () => {
  let fails = true;
  const { route, handled } = bench();
  await using served = await route("/a", {
    handle: () => {
      if (fails) throw new Error("the store is full");
      handled.push("handled");
    },
  });
  assert.equal((await post(served.url, "x", { "x-id": "1" })).status, 500);
  fails = false;
  assert.equal((await post(served.url, "x", { "x-id": "1" })).status, 200);
  assert.deepEqual(handled, ["handled"]);
});

// row 42 of the fault matrix
test("refuses forged, unsigned and replayed requests before it parses anything", async () => {
  const { route, handled } = bench();
  let identified = 0;
  await using served = await route("/a", {
    identify: ({ headers }) => (identified++, { at: Number(headers["x-at"]) }),
  });
  assert.equal((await post(served.url, "{", { "x-signature": "" })).status, 401);
  assert.equal((await post(served.url, "{", { "x-signature": "0".repeat(64) })).status, 401);
  assert.equal((await post(served.url, "{", { "x-signature": signature({ key: KEY, signed: ["["] }) })).status, 401);
  assert.equal(identified, 0);
  assert.equal((await post(served.url, "{", { "x-at": String(Date.now() - 400_000) })).status, 401);
  assert.equal((await post(served.url, "{", { "x-at": String(Date.now()) })).status, 202);
  assert.deepEqual(handled, ["/a {"]);
});

test("a signature check that throws refuses the request", async () => {
  const { route, handled } = bench();
  await using served = await route("/a", {
    verify: () => {
      throw new Error("no certificate");
    },
  });
  assert.equal((await post(served.url, "x")).status, 401);
  assert.deepEqual(handled, []);
});

test("refuses a long body, announced or not, an unknown path and another method", async () => {
  const { route, handled } = bench();
  await using served = await route("/a", { maxBytes: 10 });
  assert.equal((await post(served.url, "x".repeat(11))).status, 413);
  assert.equal(await chunked(served.url, 3, "x".repeat(8)), 413);
  assert.equal((await post(`${served.url}b`, "x")).status, 404);
  assert.equal((await fetch(served.url)).status, 405);
  assert.equal((await fetch(new URL("/health", served.url))).status, 200);
  assert.deepEqual(handled, []);
});

test("routes share a port, a prefix matches the paths below it, and a taken path is refused", async () => {
  const { route, handled, listener } = bench();
  await using one = await route("/webhooks/*");
  await using two = await route("/webhooks/git");
  assert.equal(new URL(one.url).port, new URL(two.url).port);
  await post(new URL("/webhooks/git", one.url).href, "exact");
  await post(new URL("/webhooks/other", one.url).href, "below");
  assert.deepEqual(handled, ["/webhooks/git exact", "/webhooks/* below"]);
  await assert.rejects(route("/webhooks/git"), /has a route already/);
  const port = Number(new URL(one.url).port);
  await assert.rejects(
    listener.route({ path: "/x", port, host: "127.0.0.1", verify: () => true, handle: () => {} }),
    /another program uses port/,
  );
});

test("a busy platform answers with its status, and the delivery may be repeated", async () => {
  const { route } = bench();
  let busy = true;
  await using served = await route("/a", {
    handle: () => {
      if (busy) throw Object.assign(new Error("too many"), { status: 429 });
    },
  });
  assert.equal((await post(served.url, "x", { "x-id": "1" })).status, 429);
  busy = false;
  assert.equal((await post(served.url, "x", { "x-id": "1" })).status, 200);
});

/** A request that does not announce its length. */
function chunked(url: string, pieces: number, piece: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const outgoing = httpRequest(url, { method: "POST" }, (reply) => {
    reply.resume();
    resolve(reply.statusCode ?? 0);
  });
  outgoing.on("error", reject);
  for (let at = 0; at < pieces; at++) outgoing.write(piece);
  outgoing.end();
  return promise;
}
