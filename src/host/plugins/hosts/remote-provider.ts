import type { Json, JsonObject } from "../../../contract/json.ts";
import type { Platform, PlatformAdapter, PlatformConfig, SendResult } from "../../../contract/platform.ts";
import type { RemotePlugin } from "./remote-plugin.ts";
import { textAt } from "./text-at.ts";

/** Methods whose last argument is no keywords. */
const POSITIONAL: ReadonlySet<string> = new Set(["update_from_response"]);

/** A provider that lives in another process: its data as it was told, its methods as calls over the wire. */
export function remoteProvider(message: JsonObject, remote: RemotePlugin): object {
  const handle = textAt(message, "handle");
  const id = textAt(message, "id");
  const label = textAt(message, "label");
  const data = message["data"] as JsonObject;
  const invoke = (method: string, args: readonly Json[], named: JsonObject, signal?: AbortSignal): Promise<Json> => remote.call("provider.call", { handle, method, args, named }, signal === undefined ? {} : { signal });
  const named = { ...data, name: id, ...(label === "" ? {} : { display_name: label }) };
  if (message["slot"] === "platform") return remotePlatform(named, invoke, remote);
  const methods = Array.isArray(data["methods"]) ? data["methods"].map(String) : [];
  const calls = methods.map((method) => [
    method,
    async (...given: readonly unknown[]): Promise<Json> => {
      const last = given.at(-1);
      const keywords = !POSITIONAL.has(method) && isPlain(last);
      const args = (keywords ? given.slice(0, -1) : given) as readonly Json[];
      return invoke(method, args, keywords ? wireable(last) : {}, keywords && last["signal"] instanceof AbortSignal ? last["signal"] : undefined);
    },
  ]);
  return { ...named, invoke, ...Object.fromEntries(calls) };
}

/** Who is told of what comes in, by plugin and platform. */
const listeners = new WeakMap<RemotePlugin, Map<string, PlatformConfig["message"]>>();

function remotePlatform(data: JsonObject, invoke: (method: string, args: readonly Json[], named: JsonObject) => Promise<Json>, remote: RemotePlugin): Platform {
  const name = String(data["name"]);
  return {
    ...data,
    name,
    label: String(data["display_name"] ?? name),
    check_fn: async () => (await invoke("check", [], {})) === true,
    env_enablement_fn: async () => (await invoke("env_enablement", [], {})) as JsonObject | null,
    async adapter_factory({ message, ...settings }) {
      const known = listeners.get(remote) ?? new Map<string, PlatformConfig["message"]>();
      listeners.set(remote, known.set(name, message));
      await invoke("create", [wireable(settings as unknown as { readonly [key: string]: unknown })], {});
      return {
        connect: async ({ is_reconnect }) => (await invoke("connect", [], { is_reconnect })) !== false,
        disconnect: async () => void (await invoke("disconnect", [], {})),
        send: async (chat, text, options) => (await invoke("send", [chat, text], wireable(options))) as unknown as SendResult,
      } satisfies PlatformAdapter;
    },
  };
}

/** A message that came in on a platform of that plugin. */
export async function platformMessage(params: JsonObject, remote: RemotePlugin): Promise<Json> {
  const event = (params["event"] ?? {}) as JsonObject;
  const source = (event["source"] ?? {}) as JsonObject;
  const text = (key: string, from: JsonObject): object => (typeof from[key] === "string" && from[key] !== "" ? { [key]: from[key] } : {});
  const listener = listeners.get(remote)?.get(textAt(params, "platform")) ?? [...(listeners.get(remote)?.values() ?? [])][0];
  if (listener === undefined) throw new Error("Nobody listens to this platform: the gateway did not connect it.");
  await listener({
    text: textAt(event, "text"),
    chat_id: String(source["chat_id"] ?? ""),
    ...text("chat_name", source),
    ...text("user_id", source),
    ...text("user_name", source),
    ...text("thread_id", source),
    ...text("message_id", event),
    ...(Array.isArray(event["media_urls"]) && event["media_urls"].length > 0 ? { media_urls: event["media_urls"].map(String) } : {}),
  });
  return null;
}

function isPlain(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.getPrototypeOf(value) === Object.prototype;
}

/** What can be sent: no functions, no signals, nothing undefined. */
function wireable(value: { readonly [key: string]: unknown }): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined && typeof item !== "function" && !(item instanceof AbortSignal))) as JsonObject;
}
