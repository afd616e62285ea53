import { setTimeout as wait } from "node:timers/promises";
import type { Platform, PluginContext } from "hermes-agent/plugin";
import { telegramSettings } from "./settings.ts";
import { definedFields } from "hermes-agent/plugin";

/** The members of the plugin context that it uses. */
export type TelegramContext = Pick<PluginContext, "env" | "fetch" | "storage" | "home" | "log">;

/** @param sleep Used for every pause. */
export function telegramPlatform(
  ctx: TelegramContext,
  sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    wait(ms, undefined, signal === undefined ? {} : { signal }),
): Platform {
  const env = (name: string): string | undefined => ctx.env(name);
  return {
    name: "telegram",
    label: "Telegram",
    async adapter_factory({ token, extra, message, lost, commands, welcome }) {
      const { TelegramAdapter } = await import("./telegram-adapter.ts");
      const ports = definedFields({
        message,
        lost,
        commands,
        welcome,
      });
      return new TelegramAdapter(telegramSettings(env, extra, token), {
        ...ports,
        fetch: (url, options) => ctx.fetch(url, { configured: "platforms.telegram.extra.base_url", ...options }),
        storage: ctx.storage,
        home: ctx.home,
        log: ctx.log,
        sleep,
      });
    },
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
    pii_safe: true,
    emoji: "✈️",
    platform_hint:
      "You are chatting on Telegram. Bold, italics, code, links and quotes are shown; tables are not. To send a file, write a line MEDIA:/absolute/path in your answer. Keep answers short.",
  };
}
