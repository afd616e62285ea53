import { UserError, type JsonObject } from "hermes-agent/plugin";
import { platformSettings, type MentionRules } from "hermes-agent/platform";

export interface TelegramSettings {
  readonly token: string;
  readonly baseUrl: string;
  readonly mentions: MentionRules;
  /** Shows with reactions how the work on a message stands. */
  readonly reactions: boolean;
  readonly webhook: { readonly url: string; readonly secret: string; readonly port: number } | undefined;
}

const DEFAULT_BASE = "https://api.telegram.org";
const DEFAULT_PORT = 8443;

/**
 * Environment variables win over `gateway.platforms.telegram`.
 * @throws {UserError} if a setting is invalid.
 */
export function telegramSettings(
  env: (name: string) => string | undefined,
  extra: JsonObject,
  token?: string,
): TelegramSettings {
  const settings = platformSettings(env, extra);
  const url = settings.text("TELEGRAM_WEBHOOK_URL", "webhook_url");
  const secret = settings.text("TELEGRAM_WEBHOOK_SECRET", "webhook_secret");
  if (url !== "" && secret === "")
    throw new UserError("TELEGRAM_WEBHOOK_URL is set without TELEGRAM_WEBHOOK_SECRET, so anyone could send updates.", {
      hint: "Set TELEGRAM_WEBHOOK_SECRET to a long random text of letters, digits, _ and -.",
    });
  if (secret !== "" && !/^[\w-]{1,256}$/.test(secret))
    throw new UserError("TELEGRAM_WEBHOOK_SECRET contains characters that Telegram does not accept.", {
      hint: "Use at most 256 letters, digits, _ and -.",
    });
  return {
    token: env("TELEGRAM_BOT_TOKEN")?.trim() || token || "",
    baseUrl: settings.text("", "base_url", DEFAULT_BASE).replace(/\/+$/, ""),
    mentions: settings.mentionRules("TELEGRAM", "CHATS", false),
    reactions: settings.flag("TELEGRAM_REACTIONS", "reactions", false),
    webhook:
      url === ""
        ? undefined
        : { url, secret, port: settings.number("TELEGRAM_WEBHOOK_PORT", "webhook_port", DEFAULT_PORT, 65_535) },
  };
}
