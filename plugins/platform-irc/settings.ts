import type { JsonObject } from "hermes-agent/plugin";

export interface IrcSettings {
  readonly server: string;
  readonly port: number;
  readonly tls: boolean;
  readonly nickname: string;
  readonly channels: readonly { readonly name: string; readonly key?: string }[];
  readonly serverPassword: string | undefined;
  /** Password of the nickname's account. */
  readonly accountPassword: string | undefined;
  /** Whether a channel's message counts only when it is addressed to the nickname. */
  readonly requireMention: boolean;
  readonly allowedUsers: readonly string[];
  /** Sustained rate that the server accepts. */
  readonly linesPerSecond: number;
}

const TLS_PORT = 6697;
const PLAIN_PORT = 6667;

/** Environment variables win over `gateway.platforms.irc.extra`. Server and channels may be missing. */
export function ircSettings(env: (name: string) => string | undefined, extra: JsonObject): IrcSettings {
  const message = (variable: string, key: string): string => {
    const value = env(variable)?.trim() || extra[key];
    return typeof value === "string"
      ? value.trim()
      : typeof value === "number" || typeof value === "boolean"
        ? String(value)
        : "";
  };
  const port = Number(message("IRC_PORT", "port")) || undefined;
  const useTls = message("IRC_USE_TLS", "use_tls").toLowerCase();
  const tls = useTls === "" ? (port ?? TLS_PORT) === TLS_PORT : ["true", "1", "yes", "on"].includes(useTls);
  return {
    server: message("IRC_SERVER", "server"),
    port: port ?? (tls ? TLS_PORT : PLAIN_PORT),
    tls,
    nickname: message("IRC_NICKNAME", "nickname") || "hermes-bot",
    channels: channelsOf(message("IRC_CHANNEL", "channel")),
    serverPassword: message("IRC_SERVER_PASSWORD", "server_password") || undefined,
    accountPassword: message("IRC_NICKSERV_PASSWORD", "nickserv_password") || undefined,
    requireMention: extra["require_mention"] !== false,
    allowedUsers: message("IRC_ALLOWED_USERS", "allowed_users")
      .split(",")
      .map((name) => name.trim()),
    linesPerSecond: Number(extra["lines_per_second"]) > 0 ? Number(extra["lines_per_second"]) : 1,
  };
}

/**
 * In the format of `JOIN`: comma-separated names, then comma-separated keys. A name without a prefix is a `#` channel.
 */
function channelsOf(text: string): IrcSettings["channels"] {
  const [names = "", keys = ""] = text.replaceAll(/\s*,\s*/g, ",").split(/\s+/);
  const keyOf = keys.split(",");
  return names
    .split(",")
    .filter((name) => name !== "")
    .map((name, index) => ({
      name: /^[#&+!]/.test(name) ? name : `#${name}`,
      key: keyOf[index] ? keyOf[index] : undefined,
    }));
}
