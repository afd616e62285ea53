import type { Json, JsonObject } from "../../contract/common/json.ts";
import type {
  Platform,
  PlatformAdapter,
  PlatformConfig,
  PlatformMessage,
  SendFileOptions,
  SendResult,
} from "../../contract/providers/platform.ts";
import type { RemotePlugin } from "../process/remote-plugin.ts";
import { textAt } from "../process/text-at.ts";
import { wireable } from "../process/wireable.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

const FILE_METHODS = ["send_document", "send_image_file", "send_voice", "send_video"] as const;

type Invoke = (method: string, args: readonly Json[], named: JsonObject) => Promise<Json>;
type Listener = Pick<PlatformConfig, "message" | "lost">;

/** The receivers of incoming messages, by plugin and platform. */
const listeners = new WeakMap<RemotePlugin, Map<string, Listener>>();

/** A platform with a Python adapter. */
export function pythonPlatform(data: JsonObject, invoke: Invoke, remote: RemotePlugin): Platform {
  const name = String(data["name"]);
  return {
    ...data,
    name,
    label: String(data["display_name"] ?? name),
    check_fn: async () => (await invoke("check", [], {})) === true,
    validate_config: async ({ enabled, token, extra }) =>
      (await invoke("validate", [definedFields({ enabled, extra, token })], {})) === true,
    env_enablement_fn: async () => (await invoke("env_enablement", [], {})) as JsonObject | null,
    async adapter_factory({ message, lost, ...settings }) {
      const known = listeners.get(remote) ?? new Map<string, Listener>();
      if (lost !== undefined) remote.whenGone(lost);
      listeners.set(remote, known.set(name, { message, lost }));
      const methods = (await invoke(
        "create",
        [wireable(settings as unknown as { readonly [key: string]: unknown })],
        {},
      )) as readonly string[];
      const has = (method: string): boolean => methods.includes(method);
      return {
        connect: async ({ is_reconnect }) => (await invoke("connect", [], { is_reconnect })) !== false,
        disconnect: async () => void (await invoke("disconnect", [], {})),
        send: async (chat, text, options) => resultOf(await invoke("send", [chat, text], wireable(options))),
        send_typing: has("send_typing")
          ? async (chat) => void (await invoke("act", ["send_typing", chat], {}))
          : undefined,
        edit_message: has("edit_message")
          ? async (chat, id, text, { finalize = true } = {}) =>
              resultOf(await invoke("act", ["edit_message", chat, id, text], { finalize }))
          : undefined,
        ...Object.fromEntries(
          FILE_METHODS.filter(has).map((method) => [
            method,
            async (chat: string, path: string, options: SendFileOptions) =>
              resultOf(
                await invoke("act", [method, chat, path], wireable(options as { readonly [key: string]: unknown })),
              ),
          ]),
        ),
        get_chat_info: async (chat) => (await invoke("act", ["get_chat_info", chat], {})) as JsonObject,
      } satisfies PlatformAdapter;
    },
  };
}

/** An event of an adapter of that plugin: an incoming message, or a lost connection. */
export async function platformReports(method: string, params: JsonObject, remote: RemotePlugin): Promise<Json> {
  const known = listeners.get(remote);
  const listener = known?.get(textAt(params, "platform")) ?? [...(known?.values() ?? [])][0];
  if (listener === undefined)
    throw new Error("The gateway is not connected to this platform, so its message is dropped.");
  if (method === "platform.lost") {
    listener.lost?.(textAt(params, "reason"));
    return null;
  }
  try {
    await listener.message(messageOf((params["event"] ?? {}) as JsonObject));
  } catch (cause) {
    // An adapter of the original does not expect such an answer; it would end the adapter's loop.
    remote.log.error("Cannot accept a message of a platform.", { cause });
  }
  return null;
}

const CHAT_TYPES: Readonly<Record<string, NonNullable<PlatformMessage["chat_type"]>>> = {
  dm: "dm",
  group: "group",
  channel: "channel",
  thread: "thread",
  forum: "group",
};

function messageOf(event: JsonObject): PlatformMessage {
  const source = (event["source"] ?? {}) as JsonObject;
  const text = (key: string, from: JsonObject): object =>
    from[key] === undefined || from[key] === null || from[key] === "" ? {} : { [key]: String(from[key]) };
  const chatType = CHAT_TYPES[textAt(source, "chat_type")];
  return {
    text: textAt(event, "text"),
    chat_id: String(source["chat_id"] ?? ""),
    chat_type: chatType,
    ...text("chat_name", source),
    ...text("user_id", source),
    ...text("user_name", source),
    ...text("thread_id", source),
    ...text("message_id", source),
    ...text("message_id", event),
    ...text("reply_to_text", event),
    ...text("channel_context", event),
    media_urls:
      Array.isArray(event["media_urls"]) && event["media_urls"].length > 0
        ? event["media_urls"].map(String)
        : undefined,
  };
}

function resultOf(answer: Json): SendResult {
  return typeof answer === "object" && answer !== null && !Array.isArray(answer)
    ? (answer as unknown as SendResult)
    : { success: answer !== false };
}
