import type { Platform, PlatformConfig, PluginContext } from "hermes-agent/plugin";
import { discordSettings } from "./settings.ts";

/** The members of the plugin context that it uses. */
export type DiscordContext = Pick<PluginContext, "env" | "fetch" | "socket" | "home" | "log">;

/** @param firstPauseMs The first pause before a reconnection. */
export function discordPlatform(ctx: DiscordContext, firstPauseMs = 1_000): Platform {
  const env = (name: string): string | undefined => ctx.env(name);
  const adapterOf = async ({ token, extra, message, lost, commands, welcome }: PlatformConfig) => {
    const { DiscordAdapter } = await import("./discord-adapter.ts");
    return new DiscordAdapter(discordSettings(env, extra, token), {
      message,
      lost,
      commands,
      welcome,
      fetch: (url, options) => ctx.fetch(url, options),
      socket: (url, options) => ctx.socket(url, options),
      home: ctx.home,
      log: ctx.log,
      firstPauseMs,
    });
  };
  return {
    name: "discord",
    label: "Discord",
    adapter_factory: async (config) => adapterOf(config),
    test_connection: async (config) => (await adapterOf({ ...config, message: async () => {} })).account(),
    validate_config: ({ token, extra }) => discordSettings(env, extra, token).token !== "",
    required_env: ["DISCORD_BOT_TOKEN"],
    env_enablement_fn() {
      if ((env("DISCORD_BOT_TOKEN") ?? "") === "") return null;
      const home = env("DISCORD_HOME_CHANNEL");
      return home === undefined
        ? {}
        : { home_channel: { chat_id: home, name: env("DISCORD_HOME_CHANNEL_NAME") ?? "Home" } };
    },
    cron_deliver_env_var: "DISCORD_HOME_CHANNEL",
    allowed_users_env: "DISCORD_ALLOWED_USERS",
    allow_all_env: "DISCORD_ALLOW_ALL_USERS",
    max_message_length: 2_000,
    max_caption_length: 2_000,
    max_file_bytes: 10_000_000,
    text_batch: { delay_seconds: 0.6, split_delay_seconds: 2, split_length: 1_900 },
    offers: [
      "replies",
      "threads",
      "groups",
      "mentions",
      "bots",
      "edits_received",
      "deletes_received",
      "acknowledgements",
      "typing",
      "files_received",
      "voice_received",
      "files_sent",
      "buttons",
      "command_menu",
      "edits",
      "deletes",
      "chat_list",
      "connection",
      "message_ids",
      "rate_limits",
      "refusals",
    ],
    first_step: "Invite the bot to your server, and mention it in a channel or write it a direct message.",
    emoji: "🎮",
    platform_hint:
      "You are chatting on Discord. Markdown is shown except for tables and images by link. To send a file, write a line MEDIA:/absolute/path in your answer. Keep answers short.",
  };
}
