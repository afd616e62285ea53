import { randomUUID } from "node:crypto";
import {
  objectOf,
  UserError,
  type GuardedFetch,
  type Json,
  type JsonObject,
  type Logger,
  type OpenSocket,
  type PlatformAdapter,
  type PlatformChat,
  type PlatformConfig,
  type PlatformMessage,
  type SendResult,
} from "hermes-agent/plugin";
import { HttpRefusal, pacedHttp, plainText, sendResult, SteadySocket, type PacedHttp } from "hermes-agent/platform";
import { changeText } from "./change-text.ts";
import { EventStream } from "./event-stream.ts";
import type { HomeAssistantSettings } from "./settings.ts";
import { chatName, eventId, EVENTS_CHAT, HOME_USER, isChat, userMessage, type HomeEvent } from "./user-message.ts";
import { Cooldown, isWatched, watchesAny } from "./watched.ts";

const TITLE = "Hermes Agent";
/** How long a connection may take to sign in. */
const SIGN_IN_MS = 30_000;

export interface HomeAssistantPorts extends Pick<PlatformConfig, "message" | "lost"> {
  readonly fetch: GuardedFetch;
  readonly socket: OpenSocket;
  readonly log: Logger;
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  readonly pauses: { readonly firstPauseMs: number; readonly longestPauseMs: number };
}

/** One Home Assistant: events arrive over its WebSocket API, answers leave over its REST API. */
export class HomeAssistantAdapter implements PlatformAdapter {
  readonly #settings: HomeAssistantSettings;
  readonly #ports: HomeAssistantPorts;
  readonly #http: PacedHttp;
  readonly #cooldown: Cooldown;
  #socket: SteadySocket | undefined;

  constructor(settings: HomeAssistantSettings, ports: HomeAssistantPorts) {
    this.#settings = settings;
    this.#ports = ports;
    this.#cooldown = new Cooldown(settings.watch.cooldownMs, ports.now);
    this.#http = pacedHttp({
      fetch: (url, options) => ports.fetch(url, { ...options, maxRedirects: 0 }),
      label: "Home Assistant",
      headers: () => ({ authorization: `Bearer ${settings.token}` }),
      secrets: [settings.token],
      configured: settings.urlFrom,
    });
  }

  async connect(): Promise<boolean> {
    if (this.#socket !== undefined) return true;
    this.#requireToken();
    const { log, socket: open, pauses } = this.#ports;
    const { watch, messageEvent, token, url } = this.#settings;
    if (!watchesAny(watch))
      log.info("Home Assistant reports no changes: watch_domains, watch_entities and watch_all are not set.");
    let stream: EventStream | undefined;
    const socket: SteadySocket = new SteadySocket({
      open,
      label: "Home Assistant",
      log,
      address: () => ({ url: `${url.replace(/^http/, "ws")}/api/websocket`, options: { own: true } }),
      opened(live) {
        const one = new EventStream({ token, changes: watchesAny(watch), messageEvent, log });
        stream = one;
        const late = setTimeout(() => live.close(), SIGN_IN_MS).unref();
        return one.ready.finally(() => clearTimeout(late));
      },
      message: async (message, live) => {
        const event = stream?.take(parse(message), (reply) => live.send(JSON.stringify(reply)));
        if (event !== undefined) await this.#take(event);
      },
      lost: (reason) => {
        this.#socket = undefined;
        this.#ports.lost?.(reason);
      },
      ...pauses,
    });
    await socket.connect();
    this.#socket = socket;
    return true;
  }

  disconnect(): void {
    this.#socket?.close();
    this.#socket = undefined;
  }

  async send(chat_id: string, text: string): Promise<SendResult> {
    if (this.#socket === undefined)
      return { success: false, error: "Home Assistant is not connected.", retryable: true };
    if (text.trim() === "") return { success: true };
    if (!isChat(chat_id))
      return {
        success: false,
        error: `${JSON.stringify(chat_id)} is not a chat of Home Assistant: use ${EVENTS_CHAT} or notify.NAME.`,
        retryable: false,
      };
    return sendResult(async () => {
      if (chat_id === EVENTS_CHAT) {
        const notification_id = `hermes_${randomUUID()}`;
        await this.#call("persistent_notification/create", { title: TITLE, message: text, notification_id });
        return { success: true, message_id: notification_id };
      }
      // Home Assistant ignores a call for an entity that does not exist, and reports success.
      const message = { title: TITLE, message: plainText(text) };
      if (await this.#isEntity(chat_id)) await this.#call("notify/send_message", { ...message, entity_id: chat_id });
      else await this.#call(chat_id.replace(".", "/"), message);
      return { success: true };
    });
  }

  async list_chats(): Promise<readonly PlatformChat[]> {
    const [services, states] = await Promise.all([this.#ask("services"), this.#ask("states")]);
    const named = rows(services)
      .filter(({ domain }) => domain === "notify")
      .flatMap((one) => Object.keys(objectOf(one["services"])))
      .filter((name) => !["send_message", "persistent_notification"].includes(name))
      .map((name) => `notify.${name}`);
    const entities = rows(states).flatMap(({ entity_id }) => (typeof entity_id === "string" ? [entity_id] : []));
    const ids = new Set([EVENTS_CHAT, ...named, ...entities.filter((id) => id.startsWith("notify."))]);
    return [...ids].filter(isChat).map((id) => ({ id, name: chatName(id), type: typeOf(id) }));
  }

  get_chat_info(chat_id: string): JsonObject {
    return { name: chatName(chat_id), type: typeOf(chat_id) };
  }

  /** The name of the home and the version. @throws {UserError} for a wrong token. */
  async account(): Promise<string> {
    this.#requireToken();
    try {
      const { location_name, version } = objectOf(await this.#ask("config"));
      return `${String(location_name ?? "Home Assistant")} (Home Assistant ${String(version ?? "")})`.replace(
        " )",
        ")",
      );
    } catch (cause) {
      if (cause instanceof HttpRefusal && (cause.status === 401 || cause.status === 403))
        throw new UserError("Home Assistant rejects the access token.", {
          hint: "Create a long-lived access token on the profile page of Home Assistant and set HASS_TOKEN.",
          cause,
        });
      throw cause;
    }
  }

  async #take(event: HomeEvent): Promise<void> {
    const message = event.event_type === "state_changed" ? this.#changed(event) : userMessage(event);
    if (message === undefined) return;
    if (typeof message === "string") return this.#ports.log.warning(message);
    try {
      await this.#ports.message(message);
    } catch (cause) {
      this.#ports.log.error("Cannot accept an event from Home Assistant, which does not repeat it.", { cause });
    }
  }

  /** The message of a change that is watched, if its entity was not reported a short time ago. */
  #changed(event: HomeEvent): PlatformMessage | undefined {
    const entity = event.data["entity_id"];
    if (typeof entity !== "string" || !isWatched(entity, this.#settings.watch)) return undefined;
    const change = changeText(event.data);
    // Only a report starts the cooldown: an event that changes no state must not hide the next change.
    if (change === undefined || !this.#cooldown.passes(entity)) return undefined;
    return {
      text: change.text,
      channel_context: change.context,
      chat_id: EVENTS_CHAT,
      chat_type: "channel",
      chat_name: chatName(EVENTS_CHAT),
      user_id: HOME_USER,
      user_name: "Home Assistant",
      message_id: eventId(event, entity),
    };
  }

  async #isEntity(id: string): Promise<boolean> {
    try {
      await this.#ask(`states/${id}`);
      return true;
    } catch (cause) {
      if (cause instanceof HttpRefusal && cause.status === 404) return false;
      throw cause;
    }
  }

  async #ask(path: string): Promise<Json> {
    return (await this.#http.request(`${this.#settings.url}/api/${path}`, { what: path })).body as Json;
  }

  async #call(service: string, data: JsonObject): Promise<void> {
    const what = service.replace("/", ".");
    await this.#http.request(`${this.#settings.url}/api/services/${service}`, { json: data, what });
  }

  #requireToken(): void {
    if (this.#settings.token === "")
      throw new UserError("Home Assistant has no access token.", {
        hint: "Create a long-lived access token on the profile page of Home Assistant and set HASS_TOKEN.",
      });
  }
}

function typeOf(chat: string): "channel" | "dm" {
  return chat === EVENTS_CHAT ? "channel" : "dm";
}

function rows(value: Json): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).map(objectOf) : [];
}

function parse(message: string | Uint8Array): JsonObject {
  const text = typeof message === "string" ? message : new TextDecoder().decode(message);
  return objectOf(JSON.parse(text) as Json);
}
