import type { Logger, Platform } from "hermes-agent/plugin";
import { ircSettings } from "./settings.ts";

/** @param env A declared variable. */
export function ircPlatform(env: (name: string) => string | undefined, log: Logger): Platform {
  return {
    name: "irc",
    label: "IRC",
    async adapter_factory({ extra, message }) {
      const { IrcAdapter } = await import("./irc-adapter.ts");
      return new IrcAdapter(ircSettings(env, extra), { message, log: log });
    },
    validate_config: ({ extra }) => isComplete(env, extra),
    required_env: ["IRC_SERVER", "IRC_CHANNEL"],
    env_enablement_fn() {
      if (!isComplete(env, {})) return null;
      const { server, port, tls, nickname, channels } = ircSettings(env, {});
      const home = env("IRC_HOME_CHANNEL") ?? channels[0]!.name;
      return {
        server,
        port,
        use_tls: tls,
        nickname,
        channel: channels.map(({ name }) => name).join(","),
        home_channel: { chat_id: home, name: env("IRC_HOME_CHANNEL_NAME") ?? home },
      };
    },
    cron_deliver_env_var: "IRC_HOME_CHANNEL",
    allowed_users_env: "IRC_ALLOWED_USERS",
    allow_all_env: "IRC_ALLOW_ALL_USERS",
    emoji: "💬",
    offers: ["groups", "mentions", "connection", "refusals"],
    first_step: "Join the channel, and write the nickname of the agent and a colon before your message.",
    platform_hint:
      "You are chatting on IRC: plain text without Markdown, short lines and short answers, because each line is a separate message.",
  };
}

function isComplete(env: (name: string) => string | undefined, extra: Parameters<typeof ircSettings>[1]): boolean {
  const { server, channels } = ircSettings(env, extra);
  return server !== "" && channels.length > 0;
}
