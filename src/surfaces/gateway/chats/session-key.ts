import type { PlatformMessage } from "../../../contract/providers/platform.ts";

export interface KeyRules {
  /** Each user of a group has a separate conversation. */
  readonly groupPerUser: boolean;
  /** Each user of a thread has a separate conversation. */
  readonly threadPerUser: boolean;
}

/** The key of the conversation that a message belongs to. Only this function builds keys. */
export function sessionKey(platform: string, message: PlatformMessage, rules: KeyRules): string {
  const { chat_id, thread_id } = message;
  const user_id = message.user_id_alt || message.user_id;
  const parts = ["agent:main", platform, typeOf(message)];
  if (!inGroup(message)) return [...parts, ...present(chat_id || user_id), ...present(thread_id)].join(":");
  const own = isThread(message) ? rules.threadPerUser : rules.groupPerUser;
  return [...parts, ...present(chat_id), ...present(thread_id), ...(own ? present(user_id) : [])].join(":");
}

/** Whether several users share the conversation. */
export function isShared(message: PlatformMessage, rules: KeyRules): boolean {
  return inGroup(message) && !(isThread(message) ? rules.threadPerUser : rules.groupPerUser);
}

export function inGroup(message: PlatformMessage): boolean {
  return typeOf(message) !== "dm";
}

function typeOf({ chat_type }: PlatformMessage): NonNullable<PlatformMessage["chat_type"]> {
  return chat_type ?? "dm";
}

function isThread(message: PlatformMessage): boolean {
  return typeOf(message) === "thread" || (message.thread_id ?? "") !== "";
}

function present(value: string | undefined): readonly string[] {
  return value === undefined || value === "" ? [] : [value];
}
