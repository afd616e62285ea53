import type { JsonObject } from "hermes-agent/plugin";
import { platformSettings, type MentionRules } from "hermes-agent/platform";

export interface MattermostSettings {
  /** The server, without a slash at the end; "" if it is not set. */
  readonly url: string;
  readonly token: string;
  readonly mentions: MentionRules;
  /** Answers a message of a channel in a thread. */
  readonly threads: boolean;
  readonly reactions: boolean;
}

/** Variables win over `platforms.mattermost.extra`. @throws {UserError} for an invalid pattern. */
export function mattermostSettings(
  env: (name: string) => string | undefined,
  extra: JsonObject,
  token?: string,
): MattermostSettings {
  const settings = platformSettings(env, extra);
  return {
    url: settings.text("MATTERMOST_URL", "url").replace(/\/+$/, ""),
    token: env("MATTERMOST_TOKEN")?.trim() || token || "",
    mentions: settings.mentionRules("MATTERMOST", "CHANNELS", true),
    threads: settings.text("MATTERMOST_REPLY_MODE", "reply_mode", "off").toLowerCase() === "thread",
    reactions: settings.flag("MATTERMOST_REACTIONS", "reactions", true),
  };
}
