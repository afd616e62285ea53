import type { Platform, PlatformConfig, PluginContext } from "hermes-agent/plugin";
import { emailSettings } from "./settings.ts";

/** The members of the plugin context that it uses. */
export type EmailContext = Pick<PluginContext, "env" | "home" | "log" | "storage" | "package">;

/** @param firstPauseMs The first pause before a reconnection. */
export function emailPlatform(ctx: EmailContext, firstPauseMs = 2_000): Platform {
  const env = (name: string): string | undefined => ctx.env(name);
  const adapterOf = async ({ extra, message, welcome }: PlatformConfig) => {
    const { EmailAdapter } = await import("./email-adapter.ts");
    return new EmailAdapter(emailSettings(env, extra), {
      message,
      welcome,
      home: ctx.home,
      log: ctx.log,
      storage: ctx.storage,
      load: (name) => ctx.package(name),
      firstPauseMs,
    });
  };
  const complete = (extra: PlatformConfig["extra"]): boolean => {
    const { address, password, imap, smtp } = emailSettings(env, extra);
    return [address, password, imap.host, smtp.host].every((one) => one !== "");
  };
  return {
    name: "email",
    label: "Email",
    adapter_factory: async (config) => adapterOf(config),
    test_connection: async (config) => (await adapterOf({ ...config, message: async () => {} })).account(),
    validate_config: ({ extra }) => complete(extra),
    required_env: ["EMAIL_ADDRESS", "EMAIL_PASSWORD", "EMAIL_IMAP_HOST", "EMAIL_SMTP_HOST"],
    env_enablement_fn() {
      if (!complete({})) return null;
      const home = env("EMAIL_HOME_ADDRESS");
      return home === undefined ? {} : { home_channel: { chat_id: home, name: home } };
    },
    cron_deliver_env_var: "EMAIL_HOME_ADDRESS",
    allowed_users_env: "EMAIL_ALLOWED_USERS",
    allow_all_env: "EMAIL_ALLOW_ALL_USERS",
    max_message_length: 50_000,
    max_caption_length: 50_000,
    max_file_bytes: 18_000_000,
    offers: ["replies", "files_received", "files_sent", "history", "connection", "message_ids", "refusals"],
    first_step: "Write an email to the agent's address.",
    emoji: "📧",
    platform_hint:
      "You are answering by email: plain text without Markdown, complete sentences. To attach a file, write a line MEDIA:/absolute/path in your answer.",
  };
}
