import { setTimeout as wait } from "node:timers/promises";
import type { Platform, PlatformConfig, PluginContext } from "hermes-agent/plugin";
import { telegramSettings } from "./settings.ts";

/** The members of the plugin context that it uses. */
export type TelegramContext = Pick<PluginContext, "env" | "fetch" | "storage" | "home" | "log">;

/** @param sleep Used for every pause. */
export function telegramPlatform(
  ctx: TelegramContext,
  sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    wait(ms, undefined, signal === undefined ? {} : { signal }),
): Platform {
  const env = (name: string): string | undefined => ctx.env(name);
  const adapterOf = async ({ token, extra, message, lost, commands, welcome, webhooks }: PlatformConfig) => {
    const { TelegramAdapter } = await import("./telegram-adapter.ts");
    return new TelegramAdapter(telegramSettings(env, extra, token), {
      message,
      lost,
      commands,
      welcome,
      webhooks,
      fetch: (url, options) => ctx.fetch(url, { configured: "platforms.telegram.extra.base_url", ...options }),
      storage: ctx.storage,
      home: ctx.home,
      log: ctx.log,
      sleep,
    });
  };
  return {
    name: "telegram",
    label: "Telegram",
    adapter_factory: async (config) => adapterOf(config),
    test_connection: async (config) => (await adapterOf({ ...config, message: async () => {} })).account(),
    validate_config: ({ token, extra }) => telegramSettings(env, extra, token).token !== "",
    required_env: ["TELEGRAM_BOT_TOKEN"],
    env_enablement_fn() {
      if ((env("TELEGRAM_BOT_TOKEN") ?? "") === "") return null;
      const home = env("TELEGRAM_HOME_CHANNEL");
      return home === undefined
        ? {}
        : { home_channel: { chat_id: home, name: env("TELEGRAM_HOME_CHANNEL_NAME") ?? "Home" } };
    },
    cron_deliver_env_var: "TELEGRAM_HOME_CHANNEL",
    allowed_users_env: "TELEGRAM_ALLOWED_USERS",
    allow_all_env: "TELEGRAM_ALLOW_ALL_USERS",
    max_message_length: 4_096,
    max_caption_length: 1_024,
    max_file_bytes: 50_000_000,
    text_batch: {
      delay_seconds: 0.3,
      split_delay_seconds: 1,
      split_length: 4_000,
      short_delays: [
        [320, 0.18],
        [1_024, 0.24],
      ],
      max_delay_seconds: 2,
      max_split_delay_seconds: 4,
    },
    offers: [
      "replies",
      "threads",
      "groups",
      "mentions",
      "bots",
      "edits_received",
      "acknowledgements",
      "typing",
      "files_received",
      "voice_received",
      "files_sent",
      "voice_sent",
      "buttons",
      "command_menu",
      "edits",
      "deletes",
      "history",
      "pushed",
      "message_ids",
      "rate_limits",
      "refusals",
    ],
    first_step: "Open a chat with your bot in Telegram and send it a message.",
    pii_safe: true,
    emoji: "✈️",
    platform_hint:
      "You are chatting on Telegram. Bold, italics, code, links and quotes are shown; tables are not. To send a file, write a line MEDIA:/absolute/path in your answer. Keep answers short.",
  };
}
