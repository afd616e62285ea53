import type { Platform, PlatformConfig, PluginContext } from "hermes-agent/plugin";
import { mattermostSettings } from "./settings.ts";

/** The members of the plugin context that it uses. */
export type MattermostContext = Pick<PluginContext, "env" | "fetch" | "socket" | "home" | "log" | "storage">;

/** @param firstPauseMs The first pause before a reconnection. */
export function mattermostPlatform(ctx: MattermostContext, firstPauseMs = 2_000): Platform {
  const env = (name: string): string | undefined => ctx.env(name);
  const adapterOf = async ({ token, extra, message, lost, welcome }: PlatformConfig) => {
    const { MattermostAdapter } = await import("./mattermost-adapter.ts");
    return new MattermostAdapter(mattermostSettings(env, extra, token), {
      message,
      lost,
      welcome,
      fetch: (url, options) => ctx.fetch(url, options),
      socket: (url, options) => ctx.socket(url, options),
      home: ctx.home,
      log: ctx.log,
      storage: ctx.storage,
      firstPauseMs,
    });
  };
  return {
    name: "mattermost",
    label: "Mattermost",
    adapter_factory: async (config) => adapterOf(config),
    test_connection: async (config) => (await adapterOf({ ...config, message: async () => {} })).account(),
    validate_config({ token, extra }) {
      const settings = mattermostSettings(env, extra, token);
      return settings.token !== "" && settings.url !== "";
    },
    required_env: ["MATTERMOST_URL", "MATTERMOST_TOKEN"],
    env_enablement_fn() {
      if ((env("MATTERMOST_TOKEN") ?? "") === "" || (env("MATTERMOST_URL") ?? "") === "") return null;
      const home = env("MATTERMOST_HOME_CHANNEL");
      return home === undefined
        ? {}
        : { home_channel: { chat_id: home, name: env("MATTERMOST_HOME_CHANNEL_NAME") ?? "Home" } };
    },
    cron_deliver_env_var: "MATTERMOST_HOME_CHANNEL",
    allowed_users_env: "MATTERMOST_ALLOWED_USERS",
    allow_all_env: "MATTERMOST_ALLOW_ALL_USERS",
    max_message_length: 4_000,
    max_caption_length: 4_000,
    max_file_bytes: 100_000_000,
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
      "files_sent",
      "edits",
      "deletes",
      "chat_list",
      "history",
      "connection",
      "message_ids",
      "rate_limits",
      "refusals",
    ],
    first_step: "Add the bot to a channel and mention it there, or write it a direct message.",
    emoji: "💬",
    platform_hint:
      "You are chatting on Mattermost. Markdown is shown, with tables and code blocks. To send a file, write a line MEDIA:/absolute/path in your answer.",
  };
}
