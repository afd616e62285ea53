import { UserError } from "../../contract/common/failure.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import { nearest } from "../../contract/common/nearest.ts";
import { listOf, words } from "./model-values.ts";

/** Data of a provider, available without loading its code. */
export interface KnownProvider {
  readonly id: string;
  readonly label: string;
  readonly aliases: readonly string[];
  readonly keyEnv: readonly string[];
  /** A key may be set and need not be. */
  readonly keyOptional: boolean;
  /** A program of this machine answers. */
  readonly program: boolean;
  readonly baseUrl: string | undefined;
  readonly defaultModel: string | undefined;
  /** For side tasks. */
  readonly auxModel?: string | undefined;
}

/** The inputs of choosing a model. */
export interface ChoicePorts {
  config(path: string): Json | undefined;
  /** The variable or file that a setting comes from, for messages. */
  origin(path: string): string;
  env(name: string): string | undefined;
  /** The name of the setting that `config("model.api_key")` reads. */
  readonly keySetting: string;
  /** The address that CUSTOM_API_KEY was set for; absent: whatever this run names. */
  readonly customAddress?: string | undefined;
  readonly providers: readonly KnownProvider[];
}

/** Provider whose model needs nothing at all; what is left when nothing is configured. */
export const OFFLINE = "offline";
/** The provider of any other endpoint. */
export const CUSTOM = "custom";

/** From what the registration snapshot says. */
export function knownProvider({
  id,
  label,
  data,
}: {
  readonly id: string;
  readonly label: string | undefined;
  readonly data: JsonObject;
}): KnownProvider {
  return {
    id,
    label: label ?? id,
    aliases: listOf(data["aliases"]).filter((one) => typeof one === "string"),
    keyEnv: listOf(data["keyEnv"]).filter((one) => typeof one === "string"),
    keyOptional: data["keyOptional"] === true,
    program: data["program"] === true,
    baseUrl: words(data["baseUrl"]),
    defaultModel: words(data["defaultModel"]),
    auxModel: words(data["auxModel"]),
  };
}

/** By id or alias. @throws {UserError} that names the nearest, or the one whose key variable holds the word. */
export function providerNamed(name: string, ports: Pick<ChoicePorts, "providers">): KnownProvider {
  const wanted = name.trim().toLowerCase();
  const found =
    ports.providers.find(({ id }) => id.toLowerCase() === wanted) ??
    ports.providers.find(({ aliases }) => aliases.some((alias) => alias.toLowerCase() === wanted));
  if (found !== undefined) return found;
  const byKey = ports.providers.find(({ keyEnv }) =>
    keyEnv.some((variable) => variable.toLowerCase().startsWith(`${wanted}_`)),
  );
  const near =
    byKey?.id ??
    nearest(
      wanted,
      ports.providers.flatMap(({ id, aliases }) => [id, ...aliases]),
    );
  throw new UserError(`There is no model provider "${name}".`, {
    hint: `${near === undefined ? "" : `Did you mean "${near}"? `}Providers: ${ports.providers.map(({ id }) => id).join(", ")}.`,
    exitCode: 78,
  });
}

export function needsNoKey(provider: KnownProvider): boolean {
  return provider.keyOptional || provider.keyEnv.length === 0;
}
