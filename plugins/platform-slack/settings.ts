import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isObject, UserError, type JsonObject } from "hermes-agent/plugin";
import { platformSettings, type MentionRules } from "hermes-agent/platform";

export interface SlackSettings {
  readonly appToken: string;
  /** Bot tokens of the variable; `slack_tokens.json` may have more. */
  readonly botTokens: readonly string[];
  readonly baseUrl: string;
  readonly mentions: MentionRules;
  /** Also in threads in which the agent takes part. */
  readonly strict: boolean;
  readonly bots: "none" | "mentions" | "all";
  readonly reactions: boolean;
  /** Answers a message of a channel in a thread on it. */
  readonly replyInThread: boolean;
  /** Shows an answer in a thread in its channel, too. */
  readonly broadcasts: boolean;
  /** Each message of a direct chat begins a conversation. */
  readonly directThreads: boolean;
}

const DEFAULT_BASE = "https://slack.com/api";
const HINT = "Install your app from https://api.slack.com/apps and set SLACK_BOT_TOKEN to its bot token (xoxb-…).";

/** Variables win over `platforms.slack.extra`. @throws {UserError} for an invalid pattern. */
export function slackSettings(
  env: (name: string) => string | undefined,
  extra: JsonObject,
  token?: string,
): SlackSettings {
  const settings = platformSettings(env, extra);
  const bots = settings.text("SLACK_ALLOW_BOTS", "allow_bots", "none").toLowerCase();
  return {
    appToken: env("SLACK_APP_TOKEN")?.trim() ?? "",
    botTokens: listed(env("SLACK_BOT_TOKEN")?.trim() || token || ""),
    baseUrl: settings.text("SLACK_API_BASE_URL", "base_url", DEFAULT_BASE).replace(/\/+$/, ""),
    mentions: settings.mentionRules("SLACK", "CHANNELS", true),
    strict: settings.flag("SLACK_STRICT_MENTION", "strict_mention", false),
    bots: bots === "mentions" || bots === "all" ? bots : "none",
    reactions: settings.flag("SLACK_REACTIONS", "reactions", true),
    replyInThread: settings.flag("", "reply_in_thread", true),
    broadcasts: settings.flag("", "reply_broadcast", false),
    directThreads: settings.flag("", "dm_top_level_threads_as_sessions", false),
  };
}

/**
 * The bot tokens of all workspaces: of the variable, then of `slack_tokens.json` in the home, which maps the id of each
 * workspace to `{ token, team_name }`.
 * @throws {UserError} if there is none, or the file is invalid.
 */
export async function botTokens(settings: SlackSettings, home: string): Promise<readonly string[]> {
  if (settings.appToken === "")
    throw new UserError("Slack has no app-level token.", {
      hint: "Create one with the scope connections:write at https://api.slack.com/apps, and set SLACK_APP_TOKEN.",
    });
  const tokens = [...new Set([...settings.botTokens, ...(await tokensInFile(join(home, "slack_tokens.json")))])];
  if (tokens.length === 0) throw new UserError("Slack has no bot token.", { hint: HINT });
  return tokens;
}

async function tokensInFile(path: string): Promise<readonly string[]> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw cause;
  }
  const invalid = (): UserError =>
    new UserError(`Cannot read ${path}: it is not a JSON object of workspaces.`, {
      hint: 'Write it as { "TEAM_ID": { "token": "xoxb-…", "team_name": "…" } }.',
    });
  let teams: unknown;
  try {
    teams = JSON.parse(text);
  } catch {
    throw invalid(); // The parser's message would repeat a part of the tokens.
  }
  if (!isObject(teams)) throw invalid();
  return Object.values(teams).map((team) => {
    const token = isObject(team) ? team["token"] : undefined;
    if (typeof token !== "string" || token.trim() === "") throw invalid();
    return token.trim();
  });
}

function listed(text: string): readonly string[] {
  return text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}
