import { objectOf } from "../../contract/common/is-object.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import { given, keyNamesFor, ownKeyName, type GivenKey } from "./model-keys.ts";
import { CUSTOM, type ChoicePorts } from "./model-providers.ts";
import { listOf, words } from "./model-values.ts";

/** A place that configuration gives a name. */
export interface Endpoint {
  readonly name: string;
  readonly baseUrl: string;
  readonly settings: JsonObject;
  /** Where its settings are in the configuration. */
  readonly path: string;
}

/** An entry of `providers` that has an address and no provider's name, or of `custom_providers`. */
export function endpointNamed(name: string, ports: ChoicePorts): Endpoint | undefined {
  const wanted = slug(name.replace(/^custom:/i, ""));
  if (wanted === CUSTOM || ports.providers.some(({ id }) => id === wanted)) return undefined;
  for (const endpoint of endpointsOf(ports))
    if (slug(endpoint.name) === wanted && endpoint.settings["enabled"] !== false) return endpoint;
  return undefined;
}

/** Named endpoints of the configuration. */
export function endpointsOf(ports: Pick<ChoicePorts, "config">): readonly Endpoint[] {
  const byName = objectOf(ports.config("providers"));
  const list = ports.config("custom_providers");
  return [
    ...Object.entries(byName).map(([name, settings]) => ({
      name,
      settings: objectOf(settings),
      path: `providers.${name}`,
    })),
    ...listOf(list).map((row) => ({
      name: words(objectOf(row)["name"]) ?? "",
      settings: objectOf(row),
      path: `custom_providers "${words(objectOf(row)["name"]) ?? ""}"`,
    })),
  ].flatMap(({ name, settings, path }) => {
    const baseUrl = words(settings["base_url"]);
    return name === "" || baseUrl === undefined ? [] : [{ name, baseUrl, settings, path }];
  });
}

/** The variable that a key given for it goes into. */
export function endpointKeyName({ name, settings }: Endpoint, { providers }: Pick<ChoicePorts, "providers">): string {
  return words(settings["key_env"]) ?? ownKeyName(name, providers);
}

/** @param baseUrl Where the request goes, which may not be the endpoint's usual address. */
export function keyOfEndpoint(endpoint: Endpoint, baseUrl: string, ports: ChoicePorts): GivenKey {
  const setting = `api_key of ${endpoint.path} in config.yaml`;
  return given(
    [{ key: words(endpoint.settings["api_key"]), setting }],
    [endpointKeyName(endpoint, ports), ...keyNamesFor(baseUrl)],
    ports,
  );
}

export function slug(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-");
}
