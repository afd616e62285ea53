import { UserError, type JsonObject } from "hermes-agent/plugin";

export interface TelegramSettings {
  readonly token: string;
  readonly baseUrl: string;
  /** Groups that the bot answers in; empty: all. */
  readonly allowedChats: readonly string[];
  readonly requireMention: boolean;
  readonly freeChats: readonly string[];
  readonly mentionPatterns: readonly RegExp[];
  readonly webhook: { readonly url: string; readonly secret: string; readonly port: number } | undefined;
  readonly batchMs: number;
  readonly splitMs: number;
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
  const message = (variable: string, key: string): string => {
    const value = env(variable)?.trim() || extra[key];
    return Array.isArray(value)
      ? value.join(",")
      : value === undefined || value === null || typeof value === "object"
        ? ""
        : String(value);
  };
  const list = (text: string): readonly string[] =>
    text
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== "");
  const yes = (text: string): boolean => ["true", "1", "yes", "on"].includes(text.toLowerCase());
  const url = message("TELEGRAM_WEBHOOK_URL", "webhook_url");
  const secret = message("TELEGRAM_WEBHOOK_SECRET", "webhook_secret");
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
    baseUrl: (message("", "base_url") || DEFAULT_BASE).replace(/\/+$/, ""),
    allowedChats: list(message("TELEGRAM_ALLOWED_CHATS", "allowed_chats")),
    requireMention: yes(message("TELEGRAM_REQUIRE_MENTION", "require_mention")),
    freeChats: list(message("TELEGRAM_FREE_RESPONSE_CHATS", "free_response_channels")),
    mentionPatterns: patternsOf(env("TELEGRAM_MENTION_PATTERNS") ?? extra["mention_patterns"]),
    webhook:
      url === ""
        ? undefined
        : { url, secret, port: Number(message("TELEGRAM_WEBHOOK_PORT", "webhook_port")) || DEFAULT_PORT },
    batchMs: secondsOf(message("HERMES_TELEGRAM_TEXT_BATCH_DELAY_SECONDS", "text_batch_delay_seconds"), 0.3, 2) * 1_000,
    splitMs:
      secondsOf(message("HERMES_TELEGRAM_TEXT_BATCH_SPLIT_DELAY_SECONDS", "text_batch_split_delay_seconds"), 1, 4) *
      1_000,
  };
}

function secondsOf(text: string, usual: number, most: number): number {
  const seconds = Number(text);
  return text === "" || !(seconds >= 0) ? usual : Math.min(seconds, most);
}

function patternsOf(value: unknown): readonly RegExp[] {
  try {
    const list: unknown = typeof value === "string" ? JSON.parse(value) : (value ?? []);
    if (!Array.isArray(list)) throw new TypeError("it is not a list");
    return list.map((pattern) => new RegExp(String(pattern), "i"));
  } catch (cause) {
    throw new UserError(`TELEGRAM_MENTION_PATTERNS is invalid: ${(cause as Error).message}.`, {
      hint: 'Set it to a JSON list of patterns: ["\\\\bhermes\\\\b"]',
      cause,
    });
  }
}
