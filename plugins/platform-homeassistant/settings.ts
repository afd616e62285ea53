import { UserError, type Json, type JsonObject } from "hermes-agent/plugin";
import { platformSettings } from "hermes-agent/platform";

export interface HomeAssistantSettings {
  readonly token: string;
  /** Without a slash at its end. */
  readonly url: string;
  /** Where the user wrote `url`: a variable, or the path of a setting. */
  readonly urlFrom: string;
  readonly watch: WatchRules;
  /** Type of the events that carry a user's message. */
  readonly messageEvent: string;
}

/** Which changes of entities reach the agent. */
export interface WatchRules {
  /** What an entity id begins with, such as `light`. */
  readonly domains: readonly string[];
  readonly entities: readonly string[];
  /** Never reported; they win. */
  readonly ignored: readonly string[];
  /** Reports every entity if `domains` and `entities` are empty. */
  readonly all: boolean;
  /** Least time between two reports of one entity. */
  readonly cooldownMs: number;
}

const DEFAULT_URL = "http://homeassistant.local:8123";
const DEFAULT_COOLDOWN_SECONDS = 30;

export interface SettingSources {
  /** A variable that the plugin declares. */
  env(name: string): string | undefined;
  /** A value of `config.yaml` by its path. */
  setting(path: string): Json | undefined;
}

/**
 * `HASS_URL` wins over `extra.url`, which wins over `homeassistant.url`.
 * @throws {UserError} if the URL or the type of the message event is invalid.
 */
export function homeAssistantSettings(
  { env, setting }: SettingSources,
  extra: JsonObject,
  token?: string,
): HomeAssistantSettings {
  const settings = platformSettings(env, extra);
  const shared = setting("homeassistant.url");
  const urlFrom =
    settings.text("HASS_URL", "") !== ""
      ? "HASS_URL"
      : settings.text("", "url") !== ""
        ? "platforms.homeassistant.extra.url"
        : "homeassistant.url";
  const url = settings.text("HASS_URL", "url", typeof shared === "string" && shared !== "" ? shared : DEFAULT_URL);
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
    throw new UserError(`The address of Home Assistant is not an http or https URL: ${url.slice(0, 100)}`, {
      hint: `Set ${urlFrom} to an address such as ${DEFAULT_URL}.`,
    });
  const messageEvent = settings.text("", "message_event", "hermes_message");
  if (!/^\w{1,64}$/.test(messageEvent) || messageEvent === "state_changed")
    throw new UserError(`message_event is not the type of an event: ${messageEvent.slice(0, 100)}`, {
      hint: "Use letters, digits and underscores, such as hermes_message.",
    });
  return {
    token: env("HASS_TOKEN")?.trim() || token || "",
    url: url.replace(/\/+$/, ""),
    urlFrom,
    messageEvent,
    watch: {
      domains: settings.list("", "watch_domains"),
      entities: settings.list("", "watch_entities"),
      ignored: settings.list("", "ignore_entities"),
      all: settings.flag("", "watch_all", false),
      cooldownMs: settings.number("", "cooldown_seconds", DEFAULT_COOLDOWN_SECONDS) * 1_000,
    },
  };
}
