import { objectOf, type Json, type JsonObject, type PlatformMessage } from "hermes-agent/plugin";

/** The chat of notifications in Home Assistant, and of changes of entities. */
export const EVENTS_CHAT = "ha_events";
/** The user id where Home Assistant names no user. */
export const HOME_USER = "homeassistant";

/** An event as the WebSocket API sends it. */
export interface HomeEvent {
  readonly event_type: string;
  readonly data: JsonObject;
  readonly time_fired: string;
  readonly context: JsonObject;
}

export function eventOf(value: Json | undefined): HomeEvent {
  const { event_type, data, time_fired, context } = objectOf(value);
  return {
    event_type: textOf(event_type),
    data: objectOf(data),
    time_fired: textOf(time_fired),
    context: objectOf(context),
  };
}

/** Changes that one action causes share a context, so the entity and the time belong to the id. */
export function eventId({ context, time_fired }: HomeEvent, what: string): string {
  return [textOf(context["id"]), what, time_fired].filter((part) => part !== "").join(":");
}

/** Whether the agent can answer there: in Home Assistant, or through one of its `notify` services or entities. */
export function isChat(id: string): boolean {
  return id === EVENTS_CHAT || /^notify\.[a-z0-9_]{1,120}$/.test(id);
}

/**
 * The message in the data of an event: `text`, and perhaps `chat` (where the answer goes), `user`, `user_name` and
 * `context` (untrusted text, such as a mail). Returns a sentence if the data is invalid.
 */
export function userMessage(event: HomeEvent): PlatformMessage | string {
  const { data, context } = event;
  const text = textOf(data["text"]);
  const chat = textOf(data["chat"]) || EVENTS_CHAT;
  if (text === "") return `An event ${event.event_type} has no text.`;
  if (!isChat(chat)) return `An event ${event.event_type} names a chat that is neither ${EVENTS_CHAT} nor notify.NAME.`;
  const user = textOf(data["user"]) || textOf(context["user_id"]) || HOME_USER;
  return {
    text,
    chat_id: chat,
    chat_type: chat === EVENTS_CHAT ? "channel" : "dm",
    chat_name: chatName(chat),
    user_id: user,
    user_name: textOf(data["user_name"]) || undefined,
    message_id: eventId(event, ""),
    channel_context: textOf(data["context"]) || undefined,
  };
}

export function chatName(chat: string): string {
  return chat === EVENTS_CHAT ? "Home Assistant Events" : chat;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value.trim() : "";
}
