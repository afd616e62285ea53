import type { Json, JsonObject } from "../../../contract/json.ts";
import type { Platform, PlatformAdapter, PlatformConfig, SendResult } from "../../../contract/platform.ts";
import type { RemoteObjects } from "./remote-objects.ts";
import type { RemotePlugin } from "./remote-plugin.ts";
import { textAt } from "./text-at.ts";

/** Methods whose last argument is no keywords. */
const POSITIONAL: ReadonlySet<string> = new Set(["update_from_response"]);

/** What a provider of another process was told as: its name, its data, and what it can do. */
interface Told {
  readonly handle: string;
  readonly data: JsonObject;
  readonly methods: readonly string[];
  readonly platform: boolean;
}

/** A provider of a Python process: its methods take texts, numbers and lists; what Python takes by keyword is the last argument. */
export function pythonProvider(message: JsonObject, remote: RemotePlugin): object {
  const { handle, data, methods, platform } = toldOf(message);
  const invoke = (method: string, args: readonly Json[], named: JsonObject, signal?: AbortSignal): Promise<Json> => remote.call("provider.call", { handle, method, args, named }, signal === undefined ? {} : { signal });
  if (platform) return pythonPlatform(data, invoke, remote);
  const calls = methods.map((method) => [
    method,
    async (...given: readonly unknown[]): Promise<Json> => {
      const last = given.at(-1);
      if (POSITIONAL.has(method) || !isPlain(last)) return invoke(method, given as readonly Json[], {});
      return invoke(method, given.slice(0, -1) as readonly Json[], wireable(last), signalIn(given));
    },
  ]);
  return { ...data, invoke, ...Object.fromEntries(calls) };
}

/** A provider of a Node process: its methods take whatever the contract has, functions included. */
export function nodeProvider(message: JsonObject, remote: RemotePlugin, objects: RemoteObjects): object {
  const { handle, data, methods } = toldOf(message);
  const calls = [...methods, "invoke"].map((method) => [
    method,
    async (...given: readonly unknown[]): Promise<unknown> => {
      const signal = signalIn(given);
      return objects.decode(await remote.call("provider.call", { handle, method, values: objects.encode(given) }, signal === undefined ? {} : { signal }));
    },
  ]);
  return { ...data, ...Object.fromEntries(calls) };
}

function toldOf(message: JsonObject): Told {
  const data = message["data"] as JsonObject;
  const label = textAt(message, "label");
  const id = textAt(message, "id");
  return {
    handle: textAt(message, "handle"),
    methods: Array.isArray(data["methods"]) ? data["methods"].map(String) : [],
    platform: message["slot"] === "platform",
    data: { ...data, ...(data["methods"] === undefined ? { id, ...(label === "" ? {} : { label }) } : { name: id, ...(label === "" ? {} : { display_name: label }) }) },
  };
}

function signalIn(given: readonly unknown[]): AbortSignal | undefined {
  const last = given.at(-1);
  return isPlain(last) && last["signal"] instanceof AbortSignal ? last["signal"] : undefined;
}

/** Who is told of what comes in, by plugin and platform. */
const listeners = new WeakMap<RemotePlugin, Map<string, PlatformConfig["message"]>>();

function pythonPlatform(data: JsonObject, invoke: (method: string, args: readonly Json[], named: JsonObject) => Promise<Json>, remote: RemotePlugin): Platform {
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

/** A message that came in on a platform of that plugin. Answered at once: the adapter's own loop waits for it, and an answer to the message is sent through that loop. */
export async function platformMessage(params: JsonObject, remote: RemotePlugin): Promise<Json> {
  const event = (params["event"] ?? {}) as JsonObject;
  const source = (event["source"] ?? {}) as JsonObject;
  const text = (key: string, from: JsonObject): object => (typeof from[key] === "string" && from[key] !== "" ? { [key]: from[key] } : {});
  const listener = listeners.get(remote)?.get(textAt(params, "platform")) ?? [...(listeners.get(remote)?.values() ?? [])][0];
  if (listener === undefined) throw new Error("Nobody listens to this platform: the gateway did not connect it.");
  const told = listener({
    text: textAt(event, "text"),
    chat_id: String(source["chat_id"] ?? ""),
    ...text("chat_name", source),
    ...text("user_id", source),
    ...text("user_name", source),
    ...text("thread_id", source),
    ...text("message_id", event),
    ...(Array.isArray(event["media_urls"]) && event["media_urls"].length > 0 ? { media_urls: event["media_urls"].map(String) } : {}),
  });
  told.catch((cause: unknown) => remote.log.error("A message of a platform was not taken in.", { cause }));
  return null;
}

function isPlain(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.getPrototypeOf(value) === Object.prototype;
}

/** What can be sent: no functions, no signals, nothing undefined. */
function wireable(value: { readonly [key: string]: unknown }): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined && typeof item !== "function" && !(item instanceof AbortSignal))) as JsonObject;
}
