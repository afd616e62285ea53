import assert from "node:assert/strict";
import { once } from "node:events";
import type { Duplex } from "node:stream";
import { test } from "node:test";
import type { PluginContext } from "../../contract/plugins/plugin.ts";
import type { ProxyOptions } from "../../contract/providers/web.ts";
import { ServedProxies } from "./serve-proxy.ts";

/** A proxy that answers each connection with the bytes it received, and reports a refusal. */
function place() {
  let options: ProxyOptions = {};
  const ctx = {
    id: "mine",
    proxy: async (given: ProxyOptions) => {
      options = given;
      const echo = async (connection: Duplex): Promise<void> => {
        for await (const bytes of connection.iterator({ destroyOnReturn: false }))
          connection.write(`${String(bytes)} to ${options.hosts?.().join()}`);
        options.refused?.("not there");
        connection.end();
      };
      return {
        serve: (connection: object) => void echo(connection as Duplex).catch(() => undefined),
        judge: async (url: string) => `${url} ${options.allowPrivate?.()}`,
        [Symbol.dispose]: () => undefined,
      };
    },
  } as unknown as PluginContext;
  return ctx;
}
const data = (text: string): string => Buffer.from(text).toString("base64");

test("requests send and receive a connection's bytes, its end is reported once, and refusals are included", async () => {
  const proxies = new ServedProxies(place(), undefined);
  const ask = async (method: string, params: object) =>
    (await proxies.serve(`ctx.proxy.${method}`, params as never)) as { readonly [key: string]: string };
  const { proxy } = await ask("open", { hosts: ["a"] });
  const { connection } = await ask("connect", { proxy, hosts: ["b"] });
  await ask("send", { connection, data: data("hello") });
  assert.deepEqual(await ask("receive", { connection }), { data: data("hello to b") });
  await ask("send", { connection, end: true });
  assert.deepEqual(await ask("receive", { connection }), { end: true, refused: ["not there"] });
  assert.deepEqual(await ask("receive", { connection }), { end: true });
  assert.equal((await ask("judge", { proxy, url: "u", allow_private: true })) as unknown, "u true");
  const waiting = await ask("connect", { proxy });
  const answer = ask("receive", { connection: waiting["connection"] });
  await ask("close", { proxy });
  assert.deepEqual(await answer, { end: true }, "closing the proxy ends a pending receive");
  await ask("send", { connection: waiting["connection"], data: data("late") }).catch((cause: { code: string }) =>
    assert.equal(cause.code, "not_found"),
  );
  await assert.rejects(ask("connect", { proxy }), { code: "not_found" });
  assert.equal(proxies.serve("ctx.other", {}), undefined);
});

test("a program that continues to send after its connection has ended blocks nothing", async () => {
  const ended = Promise.withResolvers<Duplex>();
  const ctx = {
    id: "mine",
    proxy: async () => ({
      serve: (connection: object) => ended.resolve(connection as Duplex),
      judge: async () => undefined,
      [Symbol.dispose]: () => undefined,
    }),
  } as unknown as PluginContext;
  const proxies = new ServedProxies(ctx, undefined);
  const { proxy } = (await proxies.serve("ctx.proxy.open", {})) as { readonly proxy: string };
  const { connection } = (await proxies.serve("ctx.proxy.connect", { proxy })) as { readonly connection: string };
  const sending = proxies.serve("ctx.proxy.send", { connection, data: data("nobody reads this") });
  const far = await ended.promise;
  const closed = once(far, "close");
  far.destroy();
  await closed;
  assert.equal(await sending, null);
});

test("a broken connection ends alone, and only the latest unread refusals are stored", async () => {
  let options: ProxyOptions = {};
  const broken = Promise.withResolvers<void>();
  const ctx = {
    id: "mine",
    proxy: async (given: ProxyOptions) => {
      options = given;
      const serve = (connection: object): void =>
        void (connection as Duplex)
          .on("error", () => undefined)
          .once("close", broken.resolve)
          .destroy(new Error("broken"));
      return { serve, judge: async () => undefined, [Symbol.dispose]: () => undefined };
    },
  } as unknown as PluginContext;
  const proxies = new ServedProxies(ctx, undefined);
  const { proxy } = (await proxies.serve("ctx.proxy.open", {})) as { readonly proxy: string };
  const { connection } = (await proxies.serve("ctx.proxy.connect", { proxy })) as { readonly connection: string };
  await broken.promise;
  for (let at = 0; at < 1_000; at++) options.refused?.(`no ${at}`);
  const { refused, end } = (await proxies.serve("ctx.proxy.receive", { connection })) as {
    readonly refused: readonly string[];
    readonly end: boolean;
  };
  assert.deepEqual([end, refused.length, refused.at(-1)], [true, 50, "no 999"]);
});

test("limits a plugin's proxies and connections, and closes one that is opening when its process ends", async () => {
  const proxies = new ServedProxies(place(), undefined);
  const { proxy } = (await proxies.serve("ctx.proxy.open", {})) as { readonly proxy: string };
  for (let at = 1; at < 32; at++) await proxies.serve("ctx.proxy.open", {});
  await assert.rejects(proxies.serve("ctx.proxy.open", {})!, { code: "unavailable" });
  for (let at = 0; at < 512; at++) await proxies.serve("ctx.proxy.connect", { proxy });
  await assert.rejects(proxies.serve("ctx.proxy.connect", { proxy })!, { code: "unavailable" });
  await proxies.serve("ctx.proxy.hang_up", { connection: "33" });
  await proxies.serve("ctx.proxy.connect", { proxy });
  proxies[Symbol.dispose]();
  const opening = Promise.withResolvers<object>();
  let closed = 0;
  const late = new ServedProxies({ id: "mine", proxy: () => opening.promise } as unknown as PluginContext, undefined);
  const answer = late.serve("ctx.proxy.open", {});
  late[Symbol.dispose]();
  opening.resolve({ [Symbol.dispose]: () => void closed++ });
  assert.deepEqual([await answer, closed], [null, 1]);
});
