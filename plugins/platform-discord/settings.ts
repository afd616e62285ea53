import type { JsonObject } from "hermes-agent/plugin";
import { platformSettings, type MentionRules } from "hermes-agent/platform";

export interface DiscordSettings {
  readonly token: string;
  readonly baseUrl: string;
  readonly mentions: MentionRules;
  /** In threads in which the agent takes part. */
  readonly threadsNeedMention: boolean;
  /** Ignores messages that mention other users and not the bot. */
  readonly ignoreOthers: boolean;
  readonly bots: "none" | "mentions" | "all";
  readonly reactions: boolean;
  /** What an answer may notify: the `allowed_mentions` of Discord. */
  readonly notifies: JsonObject;
  readonly registersCommands: boolean;
  /** Largest file to fetch, in bytes. */
  readonly maxFileBytes: number;
}

const DEFAULT_BASE = "https://discord.com/api/v10";
const DEFAULT_FILE_BYTES = 33_554_432;

/** Variables win over `platforms.discord.extra`. @throws {UserError} for an invalid pattern. */
export function discordSettings(
  env: (name: string) => string | undefined,
  extra: JsonObject,
  token?: string,
): DiscordSettings {
  const settings = platformSettings(env, extra);
  const bots = settings.text("DISCORD_ALLOW_BOTS", "allow_bots", "none").toLowerCase();
  const notify = (name: string, usual: boolean): boolean =>
    settings.flag(`DISCORD_ALLOW_MENTION_${name}`, `allow_mention_${name.toLowerCase()}`, usual);
  const kinds = (["everyone", "roles", "users"] as const).filter((kind) =>
    notify(kind.toUpperCase(), kind === "users"),
  );
  return {
    token: env("DISCORD_BOT_TOKEN")?.trim() || token || "",
    baseUrl: settings.text("DISCORD_API_BASE_URL", "base_url", DEFAULT_BASE).replace(/\/+$/, ""),
    mentions: settings.mentionRules("DISCORD", "CHANNELS", true),
    threadsNeedMention: settings.flag("DISCORD_THREAD_REQUIRE_MENTION", "thread_require_mention", false),
    ignoreOthers: settings.flag("DISCORD_IGNORE_NO_MENTION", "ignore_no_mention", true),
    bots: bots === "mentions" || bots === "all" ? bots : "none",
    reactions: settings.flag("DISCORD_REACTIONS", "reactions", true),
    notifies: { parse: kinds, replied_user: notify("REPLIED_USER", true) },
    registersCommands: settings.text("DISCORD_COMMAND_SYNC_POLICY", "command_sync_policy", "safe") !== "off",
    maxFileBytes:
      settings.number("DISCORD_MAX_ATTACHMENT_BYTES", "max_attachment_bytes", DEFAULT_FILE_BYTES) || 500_000_000,
  };
}
