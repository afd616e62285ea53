import { objectOf, type Json, type JsonObject } from "hermes-agent/plugin";
import type { Action, DiscordInput } from "./actions.ts";
import { askDiscord, listOf, type DiscordPorts } from "./discord-api.ts";
import { readCall, type ReadInput } from "./read-call.ts";

/** Permission bit of a role. */
const ADMINISTRATOR = 1n << 3n;

/** Resolves the IDs of a call to names, for the approval prompt. */
export async function surveyAct(
  tool: Action["tool"],
  given: DiscordInput,
  setting: Json | undefined,
  ports: DiscordPorts,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const input = readCall(tool, given, setting);
  const look = async (path: string): Promise<Json> =>
    askDiscord({ method: "GET", path, repeatable: true }, ports, signal);
  const looks = LOOKS.flatMap((one) => one(input, look) ?? []);
  return (await Promise.all(looks.map(async (words) => words.catch(() => "")))).filter((words) => words !== ""); // An ID that cannot be resolved is shown as an ID.
}

type LookUp = (input: ReadInput, look: (path: string) => Promise<Json>) => Promise<string> | undefined;

const LOOKS: readonly LookUp[] = [
  ({ guild_id, user_id }, look) =>
    guild_id === undefined || user_id === undefined
      ? undefined
      : look(`/users/${user_id}`).then((user) => `user ${user_id}: ${nameOf(objectOf(user))}`),
  ({ guild_id, role_id }, look) =>
    guild_id === undefined || role_id === undefined
      ? undefined
      : look(`/guilds/${guild_id}/roles`).then((roles) => roleWords(role_id, listOf(roles))),
  ({ channel_id }, look) =>
    channel_id === undefined
      ? undefined
      : look(`/channels/${channel_id}`).then(
          (channel) => `channel ${channel_id}: #${String(objectOf(channel)["name"] ?? "")}`,
        ),
  ({ action, channel_id, message_id }, look) =>
    action !== "delete_message"
      ? undefined
      : look(`/channels/${channel_id}/messages/${message_id}`).then((message) => messageWords(objectOf(message))),
];

function roleWords(id: string, roles: readonly JsonObject[]): string {
  const role = roles.find((one) => one["id"] === id);
  if (role === undefined) return `role ${id}: not found`;
  const all =
    typeof role["permissions"] === "string" &&
    /^\d+$/.test(role["permissions"]) &&
    (BigInt(role["permissions"]) & ADMINISTRATOR) !== 0n;
  return `role ${id}: ${String(role["name"])}${all ? ", which has every permission (ADMINISTRATOR)" : ""}`;
}

function messageWords({ author, content }: JsonObject): string {
  return `message by ${nameOf(objectOf(author))}: “${String(content ?? "")
    .replaceAll(/\s+/g, " ")
    .slice(0, 200)
    .toWellFormed()}”`;
}

function nameOf({ username, global_name }: JsonObject): string {
  return typeof global_name === "string" ? `${global_name} (${String(username)})` : String(username);
}
