import type { App } from "../../../contract/services/app.ts";
import type { GatewayService, RegisteredPlatform } from "../../../contract/services/gateway-service.ts";
import { UserError } from "../../../contract/common/failure.ts";
import { isObject } from "../../../contract/common/is-object.ts";
import type { Json, JsonObject } from "../../../contract/common/json.ts";
import type { PluginListing } from "../../../contract/services/plugin-service.ts";
import type { Platform, PlatformConfig } from "../../../contract/providers/platform.ts";
import { absentPlatforms, type AbsentPlatform } from "./absent-platforms.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

/** Whether a platform can run, and what it lacks. Creates no adapter. */
export interface PlatformPlan {
  readonly name: string;
  readonly label: string;
  readonly plugin: string;
  readonly emoji: string;
  /** Joins the system prompt of its conversations. */
  readonly hint: string;
  /** `ready`: complete. `lacking`: partly set up. `off`: switched off. `new`: not set up. */
  readonly state: "ready" | "lacking" | "off" | "new";
  /** Phrases. */
  readonly lacks: readonly string[];
  /** Variables it needs that are not set. */
  readonly missing: readonly string[];
  /** A sentence with the command that helps, if `hermes setup gateway` does not. */
  readonly help?: string;
  readonly settings: Omit<PlatformConfig, "message" | "lost">;
  /** The default target of `deliver`. */
  readonly homeChannel: string | undefined;
  load(): Promise<Platform>;
}

/** The listed part of a plan; also for the API server, which is not a chat platform. */
export type PlanShown = Pick<
  PlatformPlan,
  "name" | "label" | "plugin" | "emoji" | "state" | "lacks" | "missing" | "help" | "homeChannel"
>;

export async function platformPlans(
  app: Pick<App, "config" | "log" | "plugins">,
  service: GatewayService,
): Promise<readonly PlatformPlan[]> {
  const registered = service.platforms();
  const off = strings(app.config.get("plugins.disabled"));
  const plugins = await app.plugins.list();
  const waiting = plugins.filter(
    (plugin) =>
      plugin.manifest.kind === "platform" &&
      plugin.state === "disabled" &&
      !off.includes(plugin.key) &&
      !off.includes(plugin.manifest.name) &&
      requiredUnset(plugin).length > 0,
  );
  const plans = [
    ...(await Promise.all(registered.map((one) => planOf(app, service, one)))),
    ...waiting.map((plugin) => waitingPlan(app, plugin)),
  ];
  return [...plans, ...absentPlatforms(app, plugins, new Set(plans.map(({ name }) => name))).map(absentPlan)];
}

/** The plan of a platform that is configured, and that no plugin provides. */
function absentPlan({ name, plugin, lack, hint }: AbsentPlatform): PlatformPlan {
  return {
    name,
    label: `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
    plugin,
    emoji: "",
    hint: "",
    state: "lacking",
    lacks: [lack],
    missing: [],
    help: hint,
    settings: { enabled: true, extra: {} },
    homeChannel: undefined,
    load: () => Promise.reject(new Error(`${name} cannot run: ${lack}`)),
  };
}

/** The plan of a plugin that registers nothing because a required variable is not set. */
function waitingPlan({ config }: Pick<App, "config">, plugin: PluginListing): PlatformPlan {
  const { key, manifest } = plugin;
  const missing = requiredUnset(plugin);
  const name = manifest.name.replace(/^platform-|-platform$/g, "");
  const own = settingsOf(config, name);
  const off = own?.["enabled"] === false;
  const begun = own !== undefined || missing.length < manifest.requires_env.length;
  return {
    name,
    label: manifest.label || name,
    plugin: key,
    emoji: "",
    hint: "",
    state: off ? "off" : begun ? "lacking" : "new",
    lacks: off ? [] : [notSet(missing)],
    missing,
    settings: { enabled: !off, extra: {} },
    homeChannel: undefined,
    load: () => Promise.reject(new Error(`${key} does not run: ${notSet(missing)}`)),
  };
}

function requiredUnset({ manifest, unset }: PluginListing): readonly string[] {
  return manifest.requires_env.map(({ name }) => name).filter((name) => unset.includes(name));
}

async function planOf(
  { config, log }: Pick<App, "config" | "log">,
  service: GatewayService,
  registered: RegisteredPlatform,
): Promise<PlatformPlan> {
  const { name, label, plugin, data, load } = registered;
  const own = settingsOf(config, name);
  const required = strings(data["required_env"]);
  const missing = required.filter((variable) => service.variable(variable) === undefined);
  const { enabled = true, token, extra, ...others } = own ?? {};
  const given = { ...others, ...(isObject(extra) ? (extra as JsonObject) : {}) };
  const homeEnv = data["cron_deliver_env_var"];
  const base = {
    name,
    label,
    plugin,
    emoji: text(data["emoji"]),
    hint: text(data["platform_hint"]),
    missing,
    homeChannel: typeof homeEnv === "string" && homeEnv !== "" ? service.variable(homeEnv) : undefined,
    load,
  };
  const settings = definedFields({
    enabled: enabled !== false,
    token: typeof token === "string" && token !== "" ? token : undefined,
    extra: given,
  });
  if (enabled === false) return { ...base, state: "off", lacks: [], settings };
  // Not set up at all: decide this without loading its code.
  if (own === undefined && required.length > 0 && missing.length === required.length)
    return { ...base, state: "new", lacks: [notSet(missing)], settings };
  try {
    const platform = await load();
    const seen = (await platform.env_enablement_fn?.()) ?? undefined;
    const whole = { ...settings, extra: { ...seen, ...given } };
    const lacks = missing.length > 0 ? [notSet(missing)] : await shortcomings(platform, whole);
    const begun = own !== undefined || seen !== undefined || (required.length > 0 && missing.length < required.length);
    return { ...base, state: !begun ? "new" : lacks.length > 0 ? "lacking" : "ready", lacks, settings: whole };
  } catch (cause) {
    log.error(`The platform "${name}" of the plugin "${plugin}" failed to report what it needs.`, { cause });
    return {
      ...base,
      state: "lacking",
      lacks: [`its plugin failed: ${cause instanceof Error ? cause.message : String(cause)}`],
      settings,
    };
  }
}

async function shortcomings(
  platform: Platform,
  settings: Omit<PlatformConfig, "message" | "lost">,
): Promise<readonly string[]> {
  const hint = platform.install_hint === undefined || platform.install_hint === "" ? "" : `: ${platform.install_hint}`;
  if ((await platform.check_fn?.()) === false) return [`its requirements are missing${hint}`];
  // Validate with a handler that ignores messages: nothing is connected.
  try {
    const complete = await platform.validate_config?.({ ...settings, message: async () => {} });
    return complete === false ? ["its settings are incomplete"] : [];
  } catch (cause) {
    if (cause instanceof UserError) return [cause.message.replace(/\.$/, "")];
    throw cause;
  }
}

function notSet(missing: readonly string[]): string {
  return `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not set`;
}

/** `platforms.NAME` beats `gateway.platforms.NAME`, key by key. */
export function settingsOf(config: Pick<App["config"], "get">, name: string): JsonObject | undefined {
  const inner = config.get(`gateway.platforms.${name}`);
  const outer = config.get(`platforms.${name}`);
  if (!isObject(inner) && !isObject(outer)) return undefined;
  return { ...(isObject(inner) ? (inner as JsonObject) : {}), ...(isObject(outer) ? (outer as JsonObject) : {}) };
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function strings(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string" && one !== "") : [];
}
