import type { Platform, PlatformConfig, PluginContext } from "hermes-agent/plugin";
import { homeAssistantSettings } from "./settings.ts";
import { EVENTS_CHAT } from "./user-message.ts";

/** The members of the plugin context that it uses. */
export type HomeAssistantContext = Pick<PluginContext, "env" | "setting" | "fetch" | "socket" | "log">;

/** @param pauses Delays between reconnections, in milliseconds; for tests. */
export function homeAssistantPlatform(
  ctx: HomeAssistantContext,
  pauses: { readonly firstPauseMs: number; readonly longestPauseMs: number } = {
    firstPauseMs: 5_000,
    longestPauseMs: 60_000,
  },
): Platform {
  const env = (name: string): string | undefined => ctx.env(name);
  const sources = { env, setting: (path: string) => ctx.setting(path) };
  const adapterOf = async ({ token, extra, message, lost }: PlatformConfig) => {
    const { HomeAssistantAdapter } = await import("./home-assistant-adapter.ts");
    return new HomeAssistantAdapter(homeAssistantSettings(sources, extra, token), {
      message,
      lost,
      fetch: (url, options) => ctx.fetch(url, options),
      socket: (url, options) => ctx.socket(url, options),
      log: ctx.log,
      now: () => performance.now(),
      pauses,
    });
  };
  return {
    name: "homeassistant",
    label: "Home Assistant",
    adapter_factory: async (config) => adapterOf(config),
    test_connection: async (config) => (await adapterOf({ ...config, message: async () => {} })).account(),
    validate_config: ({ token, extra }) => homeAssistantSettings(sources, extra, token).token !== "",
    required_env: ["HASS_TOKEN"],
    env_enablement_fn() {
      if ((env("HASS_TOKEN") ?? "") === "") return null;
      return {
        home_channel: {
          chat_id: env("HOMEASSISTANT_HOME_CHANNEL") ?? EVENTS_CHAT,
          name: env("HOMEASSISTANT_HOME_CHANNEL_NAME") ?? "Home",
        },
      };
    },
    cron_deliver_env_var: "HOMEASSISTANT_HOME_CHANNEL",
    max_message_length: 4_096,
    authenticates_senders: true,
    emoji: "🏠",
    offers: ["chat_list", "connection", "message_ids", "refusals"],
    first_step:
      "List entities in platforms.homeassistant.extra.watch_entities, or fire the event hermes_message with a text from an automation.",
    platform_hint:
      "You are connected to Home Assistant. Messages that begin with [Home Assistant] report changes of entities; the others come from users through automations. Your answer becomes a notification: keep it short. If a change needs no action, answer in one short sentence.",
  };
}
