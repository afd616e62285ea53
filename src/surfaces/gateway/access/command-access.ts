import type { Json, JsonObject } from "../../../contract/common/json.ts";
import type { PlatformMessage } from "../../../contract/providers/platform.ts";
import { inGroup } from "../chats/session-key.ts";

/** The slash commands that a chat user may run. */
export interface CommandAccess {
  readonly scope: "direct" | "group";
  /** `everybody`: the platform has no admins. */
  readonly tier: "admin" | "user" | "everybody";
  /** The commands that a `user` may run; absent: all. */
  readonly commands?: readonly string[];
}

const ALWAYS = ["help", "whoami"];

/**
 * If the settings of a platform name admins, other users may run only the commands listed for them. Every user may send
 * plain messages. Admins of direct chats are not admins of groups, and the reverse.
 */
export function commandAccess(extra: JsonObject, message: PlatformMessage): CommandAccess {
  const group = inGroup(message);
  const scope = group ? "group" : "direct";
  const admins = names(extra[group ? "group_allow_admin_from" : "allow_admin_from"]);
  if (admins.length === 0) return { scope, tier: "everybody" };
  if (message.user_id !== undefined && admins.includes(message.user_id)) return { scope, tier: "admin" };
  const own = extra["user_allowed_commands"];
  const listed = names(group || own === undefined ? extra["group_user_allowed_commands"] : own);
  return {
    scope,
    tier: "user",
    commands: [...new Set([...ALWAYS, ...listed.map((name) => name.replace(/^\//, "").toLowerCase())])],
  };
}

export function mayRun({ commands }: CommandAccess, command: string): boolean {
  return commands === undefined || commands.includes(command);
}

export function whoami(
  { user_id = "nobody", user_name }: PlatformMessage,
  { scope, tier, commands }: CommandAccess,
): string {
  const who = `You are ${user_id}${user_name === undefined || user_name === "" ? "" : ` (${user_name})`}, in a ${scope} chat.`;
  if (tier === "everybody") return `${who} All users of this chat may run every command.`;
  return tier === "admin"
    ? `${who} You are an admin here: you may run every command.`
    : `${who} Your commands: ${commands?.map((name) => `/${name}`).join(", ")}. Only admins can approve.`;
}

/** A list, or a comma-separated string. */
function names(value: Json | undefined): readonly string[] {
  const all = Array.isArray(value) ? value.map(String) : typeof value === "string" ? value.split(",") : [];
  return all.map((name) => name.trim()).filter((name) => name !== "");
}
