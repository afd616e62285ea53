import { UserError } from "../contract/common/failure.ts";
import type { JsonObject } from "../contract/common/json.ts";
import type { MentionRules } from "./mention-rules.ts";

/** Reads the settings of one platform. A variable wins over the key in `extra`; "" reads only the other. */
export interface PlatformSettings {
  text(variable: string, key: string, usual?: string): string;
  /** Comma-separated, or a list. */
  list(variable: string, key: string): readonly string[];
  flag(variable: string, key: string, usual: boolean): boolean;
  /** A number of at least 0; an invalid one has no effect. */
  number(variable: string, key: string, usual: number, most?: number): number;
  /** Case-insensitive patterns, as a JSON list or a list. @throws {UserError} for an invalid pattern. */
  patterns(variable: string, key: string): readonly RegExp[];
  /**
   * The usual rules: `PREFIX_REQUIRE_MENTION`, `PREFIX_MENTION_PATTERNS`, `PREFIX_ALLOWED_…` and
   * `PREFIX_FREE_RESPONSE_…`, where `…` is what the service calls its chats (`CHATS`, `CHANNELS`, `ROOMS`).
   */
  mentionRules(prefix: string, chats: string, requireMention: boolean): MentionRules;
}

/** @param env A variable that the plugin declares. @param extra The platform's section of the configuration. */
export function platformSettings(env: (name: string) => string | undefined, extra: JsonObject): PlatformSettings {
  const raw = (variable: string, key: string): unknown =>
    (variable === "" ? undefined : env(variable)?.trim() || undefined) ?? (key === "" ? undefined : extra[key]);
  const text = (variable: string, key: string, usual = ""): string => {
    const value = raw(variable, key);
    if (Array.isArray(value)) return value.join(",");
    return value === undefined || value === null || typeof value === "object" ? usual : String(value).trim() || usual;
  };
  const list = (variable: string, key: string): readonly string[] =>
    text(variable, key)
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== "");
  const flag = (variable: string, key: string, usual: boolean): boolean => {
    const value = text(variable, key).toLowerCase();
    return value === "" ? usual : ["true", "1", "yes", "on"].includes(value);
  };
  const patterns = (variable: string, key: string): readonly RegExp[] =>
    patternsOf(raw(variable, key), variable || key);
  return {
    text,
    list,
    flag,
    patterns,
    number(variable, key, usual, most = Infinity) {
      const value = text(variable, key);
      const number = Number(value);
      return value === "" || !(number >= 0) ? usual : Math.min(number, most);
    },
    mentionRules: (prefix, chats, requireMention) => ({
      requireMention: flag(`${prefix}_REQUIRE_MENTION`, "require_mention", requireMention),
      freeChats: [
        ...new Set([
          ...list(`${prefix}_FREE_RESPONSE_${chats}`, "free_response_channels"),
          ...list("", `free_response_${chats.toLowerCase()}`),
        ]),
      ],
      allowedChats: list(`${prefix}_ALLOWED_${chats}`, `allowed_${chats.toLowerCase()}`),
      ignoredChats: list(`${prefix}_IGNORED_${chats}`, `ignored_${chats.toLowerCase()}`),
      patterns: patterns(`${prefix}_MENTION_PATTERNS`, "mention_patterns"),
    }),
  };
}

function patternsOf(value: unknown, name: string): readonly RegExp[] {
  try {
    const list: unknown = typeof value === "string" ? JSON.parse(value) : (value ?? []);
    if (!Array.isArray(list)) throw new TypeError("it is not a list");
    return list.map((pattern) => new RegExp(String(pattern), "i"));
  } catch (cause) {
    throw new UserError(`${name} is invalid: ${(cause as Error).message}.`, {
      hint: `Set it to a JSON list of patterns: ["\\\\bhermes\\\\b"]`,
      cause,
    });
  }
}
