import { UserError, type GuardedFetch, type JsonObject } from "hermes-agent/plugin";
import { HttpRefusal, pacedHttp, type PacedHttp, type PacedRequest } from "hermes-agent/platform";
import type { DiscordSettings } from "./settings.ts";

/** Discord's REST API for one bot. */
export interface DiscordApi {
  /** The parsed answer. @throws {HttpRefusal} */
  ask<T>(path: string, request?: PacedRequest): Promise<T>;
  readonly http: PacedHttp;
}

export function discordApi({ baseUrl, token }: DiscordSettings, fetch: GuardedFetch): DiscordApi {
  const http = pacedHttp({
    fetch: (url, options) => fetch(url, { maxRedirects: 0, ...options }),
    label: "Discord",
    headers: () => ({ authorization: `Bot ${token}`, "user-agent": "DiscordBot (hermes-agent, 1)" }),
    secrets: [token],
    configured: "DISCORD_API_BASE_URL",
  });
  return {
    http,
    async ask<T>(path: string, request: PacedRequest = {}) {
      return (await http.request(`${baseUrl}${path}`, request)).body as T;
    },
  };
}

/** Turns a rejected token into an error for the user. */
export async function withToken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof HttpRefusal && cause.status === 401)
      throw new UserError("Discord rejects the bot token.", {
        hint: "Set DISCORD_BOT_TOKEN to the token from https://discord.com/developers/applications, under Bot.",
        cause,
      });
    throw cause;
  }
}

/** Rows of at most five buttons; Discord shows at most 25. */
export function buttonsIn(metadata: JsonObject | undefined): JsonObject {
  const buttons = metadata?.["buttons"];
  if (!Array.isArray(buttons) || buttons.length === 0) return {};
  const all = (buttons as readonly JsonObject[])
    .slice(0, 25)
    .map(({ label = "", data = "" }) => ({ type: 2, style: 2, label: String(label).slice(0, 80), custom_id: data }));
  const rows = Array.from({ length: Math.ceil(all.length / 5) }, (_, row) => all.slice(row * 5, row * 5 + 5));
  return { components: rows.map((components) => ({ type: 1, components })) };
}

export function channelOf(chat_id: string, metadata: JsonObject | undefined): string {
  const thread = metadata?.["thread_id"];
  return typeof thread === "string" && thread !== "" ? thread : chat_id;
}

export function answering(reply_to: string | undefined): JsonObject {
  return reply_to === undefined ? {} : { message_reference: { message_id: reply_to, fail_if_not_exists: false } };
}
