import { once } from "node:events";
import type { Duplex } from "node:stream";
import type { Json, JsonObject } from "../../../contract/common/json.ts";
import type { OpenProxy, ProxyOptions } from "../../../contract/providers/web.ts";
import type { Wire } from "./plugin-side.ts";

/**
 * `ctx.proxy`: the agent's guarded proxy. The plugin transfers the traffic of programs over the wire, connection by
 * connection.
 */
export function childProxy(plugin: string, wire: Wire): OpenProxy {
  // Outside any call: a proxy outlives the call that opened it.
  const ask = async (method: string, params: JsonObject) =>
    (await wire.request(`ctx.proxy.${method}`, { ...params, plugin })) as JsonObject;
  return async (options = {}) => {
    const { proxy = null } = await ask("open", requestOf(options));
    const open = new Set<Duplex>();

    async function carry(stream: Duplex): Promise<void> {
      const { connection = null } = await ask("connect", { proxy, ...requestOf(options) });
      stream.once("close", () => void ask("hang_up", { connection }).catch(() => undefined));
      if (stream.destroyed) stream.emit("close");
      await Promise.all([onward(stream, connection), back(stream, connection)]);
    }

    async function onward(stream: Duplex, connection: Json): Promise<void> {
      for await (const bytes of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)
        await ask("send", { connection, data: Buffer.from(bytes).toString("base64") });
      await ask("send", { connection, end: true });
    }

    async function back(stream: Duplex, connection: Json): Promise<void> {
      for (;;) {
        const { data, end, refused } = await ask("receive", { connection });
        if (Array.isArray(refused)) for (const words of refused) options.refused?.(String(words));
        if (end === true) return void stream.end();
        if (!stream.write(Buffer.from(String(data), "base64")) && !stream.destroyed)
          await Promise.race([once(stream, "drain"), once(stream, "close")]);
      }
    }

    return {
      serve(connection) {
        const stream = connection as Duplex;
        open.add(stream);
        stream.on("error", () => undefined);
        stream.once("close", () => open.delete(stream));
        carry(stream).catch(() => stream.destroy());
      },
      judge: async (url, { sent = "", lookUp = false } = {}) =>
        ((await wire.request("ctx.proxy.judge", {
          proxy,
          url,
          sent,
          look_up: lookUp,
          ...requestOf(options),
          plugin,
        })) as string | null) ?? undefined,
      [Symbol.dispose]() {
        void ask("close", { proxy }).catch(() => undefined);
        for (const stream of open) stream.destroy();
      },
    };
  };
}

function requestOf({ hosts, allowPrivate }: ProxyOptions): JsonObject {
  return { hosts: [...(hosts?.() ?? [])], allow_private: allowPrivate?.() === true };
}
