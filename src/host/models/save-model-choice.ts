import type { ModelService } from "../../contract/services/model-service.ts";
import { UserError } from "../../contract/common/failure.ts";
import type { Json } from "../../contract/common/json.ts";
import { endpointKeyName, endpointNamed } from "./model-endpoints.ts";
import { ownKeyName, sameServer } from "./model-keys.ts";
import { CUSTOM, providerNamed, type ChoicePorts } from "./model-providers.ts";
import { words } from "./model-values.ts";
import { automatic } from "./model-selection.ts";

export type SettingEdit =
  | { readonly kind: "set"; readonly path: string; readonly value: Json }
  | { readonly kind: "unset"; readonly path: string };

export interface KeepPorts {
  readonly config: { edit(edits: readonly SettingEdit[]): Promise<void> };
  readonly environment: { set(name: string, value: string): Promise<void>; unset(name: string): Promise<boolean> };
}

/**
 * Saves the selected model: names and address in `config.yaml`, the key only in `.env`. Omitted values stay if the
 * provider stays; a new address drops the key, so that no key reaches a server it is not for.
 */
export async function keepChoice(
  { provider: name, model, baseUrl, apiKey }: Parameters<ModelService["choose"]>[0],
  known: ChoicePorts,
  ports: KeepPorts,
): Promise<void> {
  const endpoint = endpointNamed(name, known);
  const provider = endpoint === undefined ? providerNamed(name, known) : undefined;
  const key = apiKey?.trim() ?? "";
  const stays = isConfigured(endpoint === undefined ? (provider?.id ?? name) : endpoint.name, known);
  const before = words(known.config("model.base_url"));
  const after = words(baseUrl) ?? (stays ? before : undefined);
  if (provider?.id === CUSTOM && after === undefined && words(known.env("CUSTOM_BASE_URL")) === undefined)
    throw new UserError('The provider "custom" has no base URL.', {
      hint: "Add it: `hermes model NAME --base-url URL`.",
    });
  const moved = !stays || !sameServer(before, after);

  if (key !== "")
    await ports.environment.set(
      endpoint === undefined
        ? (provider?.keyEnv[0] ?? ownKeyName(name, known.providers))
        : endpointKeyName(endpoint, known),
      key,
    );
  else if (provider?.id === CUSTOM && known.customAddress !== undefined && !sameServer(known.customAddress, after))
    await ports.environment.unset("CUSTOM_API_KEY");
  await ports.config.edit([
    { kind: "set", path: "model.provider", value: provider?.id ?? name },
    orUnset("model.default", model),
    ...(after === before ? [] : [orUnset("model.base_url", after)]),
    ...(moved || key !== "" ? [{ kind: "unset", path: "model.api_key" } as const] : []),
  ]);
}

/** Whether the configuration names this very provider or endpoint, by whatever name. */
function isConfigured(id: string, known: ChoicePorts): boolean {
  const configured = automatic(words(known.config("model.provider")));
  if (configured === undefined) return id === CUSTOM && words(known.config("model.base_url")) !== undefined;
  const endpoint = endpointNamed(configured, known);
  if (endpoint !== undefined) return endpoint.name === id;
  const lower = configured.toLowerCase();
  return known.providers.some(
    (provider) =>
      provider.id === id &&
      (provider.id.toLowerCase() === lower || provider.aliases.some((alias) => alias.toLowerCase() === lower)),
  );
}

function orUnset(path: string, value: string | undefined): SettingEdit {
  return value === undefined || value === "" ? { kind: "unset", path } : { kind: "set", path, value };
}
