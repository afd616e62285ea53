import type { Message, Update } from "./telegram-types.ts";

/** The Bot API's objects as they arrive. */
type Raw = { readonly [name: string]: unknown };

/**
 * An update as far as this plugin reads it. `undefined`: it is malformed; a message that cannot be read must not stop
 * the ones after it.
 */
export function readUpdate(given: unknown): Update | undefined {
  if (!isRaw(given) || typeof given["update_id"] !== "number") return undefined;
  const { message, edited_message: edited, callback_query: query } = given;
  if (![message, edited].every((one) => optional(one, isMessage))) return undefined;
  if (query !== undefined && !isQuery(query)) return undefined;
  return given as unknown as Update;
}

/** The id that confirms an update, also of a malformed one. */
export function updateId(given: unknown): number | undefined {
  return isRaw(given) && typeof given["update_id"] === "number" ? given["update_id"] : undefined;
}

function isQuery(query: unknown): boolean {
  if (!isRaw(query) || typeof query["id"] !== "string" || !isUser(query["from"])) return false;
  return (
    optional(query["data"], (data) => typeof data === "string") && optional(query["message"], (one) => isMessage(one))
  );
}

function isMessage(message: unknown): boolean {
  if (!isRaw(message) || typeof message["message_id"] !== "number" || typeof message["date"] !== "number") return false;
  const { chat } = message;
  if (!isRaw(chat) || typeof chat["id"] !== "number" || typeof chat["type"] !== "string") return false;
  return (
    optional(message["from"], isUser) &&
    TEXTS.every((name) => optional(message[name], (text) => typeof text === "string")) &&
    optional(message["message_thread_id"], (id) => typeof id === "number") &&
    LISTS.every((name) => optional(message[name], (list) => Array.isArray(list) && list.every(isEntity))) &&
    optional(message["photo"], (list) => Array.isArray(list) && list.length > 0 && list.every(isFile)) &&
    FILES.every((name) => optional(message[name], isFile)) &&
    optional(message["location"], isRaw) &&
    optional(message["reply_to_message"], isAnswered)
  );
}

const TEXTS = ["text", "caption", "media_group_id"] as const satisfies readonly (keyof Message)[];
const LISTS = ["entities", "caption_entities"] as const satisfies readonly (keyof Message)[];
const FILES = [
  "document",
  "video",
  "animation",
  "audio",
  "voice",
  "sticker",
] as const satisfies readonly (keyof Message)[];

/** Telegram leaves out much of the message that another one answers. */
function isAnswered(message: unknown): boolean {
  return (
    isRaw(message) &&
    optional(message["from"], isUser) &&
    optional(message["text"], (text) => typeof text === "string") &&
    optional(message["caption"], (text) => typeof text === "string")
  );
}

function isEntity(entity: unknown): boolean {
  return (
    isRaw(entity) &&
    typeof entity["type"] === "string" &&
    typeof entity["offset"] === "number" &&
    typeof entity["length"] === "number" &&
    optional(entity["user"], isRaw)
  );
}

function isFile(file: unknown): boolean {
  return isRaw(file) && typeof file["file_id"] === "string" && typeof file["file_unique_id"] === "string";
}

function isUser(user: unknown): boolean {
  return isRaw(user) && typeof user["id"] === "number";
}

function optional(value: unknown, holds: (value: unknown) => boolean): boolean {
  return value === undefined || holds(value);
}

function isRaw(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
