import type { ConfigService } from "../../contract/services/config-service.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import type { Billing, ModelSettings } from "../../contract/providers/model.ts";
import type { ModelChoice } from "./model-choice.ts";
import type { ModelSlots } from "./model-profiles.ts";
import { endpointKeyName, endpointNamed } from "./model-endpoints.ts";
import { isAtHand } from "./model-limits.ts";
import { CUSTOM, knownProvider, needsNoKey, type ChoicePorts } from "./model-providers.ts";
import { words } from "./model-values.ts";
import { automatic } from "./model-selection.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

export interface ModelSettingsPorts {
  readonly config: Pick<ConfigService, "get" | "explain">;
  readonly environment: { get(name: string): string | undefined };
  readonly slots: ModelSlots;
}

/**
 * The inputs of a model selection: settings, keys and providers.
 * @param row A fallback's key and wire replace those of the configured model.
 */
export function choicePorts({ config, environment, slots }: ModelSettingsPorts, row?: JsonObject): ChoicePorts {
  const ownsAddress = (automatic(words(config.get("model.provider"))) ?? CUSTOM).toLowerCase() === CUSTOM;
  const key = row === undefined ? undefined : (words(row["api_key"]) ?? environment.get(words(row["key_env"]) ?? ""));
  return {
    env: (name) => (name === "" ? undefined : environment.get(name)),
    config(path) {
      if (row === undefined || !path.startsWith("model.")) return config.get(path);
      // Only what the row says counts: the configured model's address and key are not its own.
      return {
        "model.provider": row["provider"],
        "model.base_url": row["base_url"],
        "model.api_key": key,
        "model.api_mode": row["api_mode"],
        "model.package": row["package"],
      }[path];
    },
    origin(path) {
      const { where, source } = config.explain(path);
      return where ?? source;
    },
    providers: slots.list("model").map(knownProvider),
    keySetting:
      row === undefined
        ? "model.api_key in config.yaml"
        : row["api_key"] === undefined && typeof row["key_env"] === "string"
          ? row["key_env"]
          : "api_key of a fallback in config.yaml",
    customAddress:
      (ownsAddress ? words(config.get("model.base_url")) : undefined) ?? environment.get("CUSTOM_BASE_URL"),
  };
}

/** The price table has the providers' own services only. A server on this machine or its network charges nothing. */
function pricesOf({ offline, provider, baseUrl, apiKey }: ModelChoice): Billing["prices"] {
  if (offline) return "free";
  if (!needsNoKey(provider)) return "table";
  return apiKey === undefined && isAtHand(baseUrl ?? provider.baseUrl) ? "free" : "unknown";
}

/** The inputs of a model selection, with a key that is not saved yet. */
export function withKey(
  { provider, apiKey }: { readonly provider: string; readonly apiKey?: string },
  ports: ChoicePorts,
): ChoicePorts {
  const key = apiKey?.trim() ?? "";
  if (key === "") return ports;
  const endpoint = endpointNamed(provider, ports);
  const known = ports.providers.find(({ id, aliases }) => id === provider || aliases.includes(provider));
  const names = endpoint === undefined ? (known?.keyEnv ?? []) : [endpointKeyName(endpoint, ports)];
  return {
    ...ports,
    // The typed key is for the typed address, whatever address the saved one is for.
    customAddress: known?.id === CUSTOM ? undefined : ports.customAddress,
    env: (name) => (names.includes(name) ? key : ports.env(name)),
  };
}

/** The settings that a provider gets to connect a selected model. */
export function modelSettings(config: ModelSettingsPorts["config"], choice: ModelChoice, model: string): ModelSettings {
  return {
    model,
    ...definedFields({ baseUrl: choice.baseUrl, apiKey: choice.apiKey }),
    keyOrigin: choice.keyOrigin,
    cacheTtl: config.get("prompt_caching.cache_ttl") === "1h" ? "1h" : "5m",
    apiMode: choice.apiMode,
    ...definedFields({
      package: choice.package,
      client: config.get("model.client") === "package" ? "package" : undefined,
    }),
    headers: choice.headers,
    options: choice.extraBody,
    billing: { provider: choice.name, prices: pricesOf(choice) },
  };
}
