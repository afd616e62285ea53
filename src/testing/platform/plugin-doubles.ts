import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { PluginStorage } from "../../contract/plugins/plugin.ts";
import type { FetchReply, GuardedFetch, GuardedSocket, OpenSocket } from "../../contract/providers/web.ts";
import type { WebhookListener } from "../../contract/providers/webhook-route.ts";
import { webhookListener } from "../../platform/webhook-listener.ts";

/** `ctx.fetch` without the guard, for servers on this machine. */
export const loopbackFetch: GuardedFetch = async (url, options = {}) => {
  const { method, headers = {}, body, signal, timeoutMs = 30_000, maxBytes = 10_000_000 } = options;
  const limits = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])];
  const reply = await fetch(url, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers,
    body,
    signal: AbortSignal.any(limits),
  });
  const bytes = async (): Promise<Uint8Array> => {
    const all = new Uint8Array(await reply.arrayBuffer());
    if (all.length > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`);
    return all;
  };
  return {
    status: reply.status,
    headers: Object.fromEntries(reply.headers),
    url: reply.url,
    redirected: reply.redirected,
    bytes,
    text: async () => new TextDecoder().decode(await bytes()),
    json: async () => JSON.parse(new TextDecoder().decode(await bytes())) as Json,
    body: reply.body ?? [],
  } as unknown as FetchReply;
};

/** `ctx.socket` without the guard, for servers on this machine. */
export const loopbackSocket: OpenSocket = async (url, { protocols = [], signal } = {}) => {
  const socket = new WebSocket(url, [...protocols]);
  socket.binaryType = "arraybuffer";
  const waiting: (string | Uint8Array)[] = [];
  let wake = Promise.withResolvers<void>();
  let over: { readonly code: number; readonly reason: string } | undefined;
  let failed: Error | undefined;
  const opened = Promise.withResolvers<void>();
  socket.addEventListener("open", () => opened.resolve());
  socket.addEventListener("message", ({ data }) => {
    waiting.push(typeof data === "string" ? data : new Uint8Array(data as ArrayBuffer));
    wake.resolve();
  });
  socket.addEventListener("error", () => opened.reject(new Error(`no WebSocket at ${url}`)));
  socket.addEventListener("close", ({ code, reason }) => {
    over = { code, reason };
    if (code !== 1000 && code !== 1001) failed = new Error(`the connection ended with the code ${code}`);
    opened.reject(new Error(`the connection to ${url} was refused`));
    wake.resolve();
  });
  signal?.addEventListener("abort", () => socket.close(), { once: true });
  await opened.promise;
  return {
    send(message) {
      if (over !== undefined || socket.readyState !== WebSocket.OPEN) throw new Error("the connection is over");
      socket.send(message);
    },
    protocol: socket.protocol === "" ? undefined : socket.protocol,
    get closeReason() {
      return over?.reason === "" ? undefined : over?.reason;
    },
    get closeCode() {
      return over?.code;
    },
    close: (code) => socket.close(code),
    [Symbol.dispose]: () => socket.close(),
    messages: (async function* () {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift()!;
        if (failed !== undefined) throw failed;
        if (over !== undefined) return;
        wake = Promise.withResolvers<void>();
        if (waiting.length === 0 && over === undefined) await wake.promise;
      }
    })(),
  } satisfies GuardedSocket;
};

/** `ctx.storage` in a map, which can outlive an adapter. */
export function storageIn(stored: Map<string, Json>): PluginStorage {
  return {
    get: async (key) => stored.get(key),
    set: async (key, value) => void stored.set(key, value),
    delete: async (key) => stored.delete(key),
    keys: async () => [...stored.keys()],
  };
}

/** `config.webhooks` on free ports of this machine; what is delivered is remembered in the map. */
export function loopbackWebhooks(
  log: Logger,
  delivered = new Map<string, JsonObject>(),
): WebhookListener & AsyncDisposable {
  return webhookListener({
    host: "127.0.0.1",
    port: 0,
    log,
    delivered: async (route, id) => delivered.get(`${route} ${id}`),
    noteDelivery: async (route, id, reply) => void delivered.set(`${route} ${id}`, reply),
  });
}
