import type { PlatformMessage } from "../../../contract/providers/platform.ts";
import { everybodyLetIn, type AccessRules } from "./authorize.ts";
import { commandAccess } from "./command-access.ts";
import type { PlatformPlan } from "../../shared/gateway/platform-plans.ts";
import { inGroup } from "../chats/session-key.ts";

/**
 * The user that a conversation belongs to. `undefined`: the owner, who sees other conversations and the agent's memory.
 * Owners are the home channel, the users in `allow_admin_from`, and the only allowed user of a platform.
 */
export function whoseChat(
  message: PlatformMessage,
  { name, homeChannel, settings }: Pick<PlatformPlan, "name" | "homeChannel" | "settings">,
  rules: AccessRules,
): string | undefined {
  if (inGroup(message)) return `${name}:${message.chat_id}`;
  const user = message.user_id ?? "";
  if (message.chat_id !== "" && message.chat_id === homeChannel) return undefined;
  if (commandAccess(settings.extra, message).tier === "admin") return undefined;
  const others = everybodyLetIn(rules);
  if (user !== "" && others !== "anybody" && others.length === 1 && others[0] === user) return undefined;
  return `${name}:${user === "" ? message.chat_id : user}`;
}
