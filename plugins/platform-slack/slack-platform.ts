import type { Platform, PlatformConfig, PluginContext } from "hermes-agent/plugin";
import { botTokens, slackSettings } from "./settings.ts";

/** The members of the plugin context that it uses. */
export type SlackContext = Pick<PluginContext, "env" | "fetch" | "socket" | "home" | "log">;

/** @param firstPauseMs The first pause before a reconnection. */
export function slackPlatform(ctx: SlackContext, firstPauseMs = 1_000): Platform {
  const env = (name: string): string | undefined => ctx.env(name);
  const adapterOf = async ({ token, extra, message, lost, commands, welcome }: PlatformConfig) => {
    const { SlackAdapter } = await import("./slack-adapter.ts");
    return new SlackAdapter(slackSettings(env, extra, token), {
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
    name: "slack",
    label: "Slack",
    adapter_factory: async (config) => adapterOf(config),
    test_connection: async (config) => (await adapterOf({ ...config, message: async () => {} })).account(),
    validate_config: async ({ token, extra }) =>
      (await botTokens(slackSettings(env, extra, token), ctx.home)).length > 0,
    required_env: ["SLACK_APP_TOKEN"],
    env_enablement_fn() {
      if ((env("SLACK_APP_TOKEN") ?? "") === "") return null;
      const home = env("SLACK_HOME_CHANNEL");
      return home === undefined
        ? {}
        : { home_channel: { chat_id: home, name: env("SLACK_HOME_CHANNEL_NAME") ?? "Home" } };
    },
    cron_deliver_env_var: "SLACK_HOME_CHANNEL",
    allowed_users_env: "SLACK_ALLOWED_USERS",
    allow_all_env: "SLACK_ALLOW_ALL_USERS",
    max_message_length: 39_000,
    max_caption_length: 39_000,
    max_file_bytes: 100_000_000,
    min_edit_interval_ms: 1_200,
    typed_command_prefix: "!",
    offers: [
      "replies",
      "threads",
      "groups",
      "mentions",
      "bots",
      "edits_received",
      "deletes_received",
      "acknowledgements",
      "files_received",
      "voice_received",
      "files_sent",
      "buttons",
      "edits",
      "deletes",
      "chat_list",
      "accounts",
      "connection",
      "message_ids",
      "rate_limits",
      "refusals",
    ],
    first_step: "Invite the app to a channel and mention it there, or write it a direct message.",
    emoji: "💼",
    platform_hint:
      "You are chatting on Slack. Bold, italics, code, quotes, lists and links are shown; tables and headings are not. To send a file, write a line MEDIA:/absolute/path in your answer. Keep answers short.",
  };
}
