import { UserError } from "../contract/failure.ts";
import type { Json, JsonObject } from "../contract/json.ts";
import { nearest } from "./config/nearest.ts";
import { firstKey, isLoopback, keyNamesFor } from "./model-keys.ts";

/** What is known of a provider without its code. */
export interface KnownProvider {
  readonly id: string;
  readonly label: string;
  readonly aliases: readonly string[];
  readonly keyEnv: readonly string[];
  /** A key may be set and need not be. */
  readonly keyOptional: boolean;
  readonly baseUrl: string | undefined;
  readonly defaultModel: string | undefined;
}

export interface ChoicePorts {
  config(path: string): Json | undefined;
  /** The variable or file that a setting comes from, for messages. */
  origin(path: string): string;
  env(name: string): string | undefined;
  readonly providers: readonly KnownProvider[];
}

/** What this run (flags) and this session (`/model`) ask for; either may leave anything open. */
export interface ModelWish {
  readonly run?: { readonly name?: string; readonly provider?: string; readonly baseUrl?: string };
  readonly session?: { readonly provider: string; readonly model: string; readonly baseUrl?: string };
}

/** Everything needed to connect, and why it is this. */
export interface ModelChoice {
  readonly provider: KnownProvider;
  /** What configuration calls it: the provider's id, or `custom:NAME` for a named endpoint. */
  readonly name: string;
  /** Absent: the provider has no default and nobody named one. */
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly headers: { readonly [name: string]: string } | undefined;
  readonly extraBody: JsonObject | undefined;
  readonly contextLength: number | undefined;
  /** Who named it: a flag, a variable, this session, a file. */
  readonly source: string;
  readonly offline: boolean;
}

/** Provider whose model needs nothing at all; what is left when nothing is configured. */
export const OFFLINE = "offline";
const CUSTOM = "custom";
/** The wire of endpoints that speak Anthropic Messages. */
const MESSAGES = "anthropic";
/** Providers whose key decides first when several are set; the others follow in their own order. */
const FIRST_BY_KEY = ["openrouter", "anthropic", "openai"];

/**
 * Flags, then variables, then the session's own choice, then `config.yaml`, then the first provider whose key is set, then the offline
 * model. A provider named higher up never takes over a model or base URL that was chosen for another one further down.
 * @throws {UserError} An unknown provider, a key that is missing, a wire nobody speaks.
 */
export function chooseModel(wish: ModelWish, ports: ChoicePorts): ModelChoice {
  const asked = mergeWishes(levelsOf(wish, ports));
  const named = namedProvider(asked, ports);
  const providerName = named?.provider ?? automatic(asked.provider);
  const model = named?.model ?? asked.model;

  if (providerName !== undefined) {
    const endpoint = endpointNamed(providerName, ports);
    if (endpoint !== undefined) return choiceOfEndpoint(endpoint, { ...asked, model }, ports);
    const provider = providerNamed(providerName, ports);
    return provider.id === CUSTOM ? choiceOfUrl(provider, { ...asked, model }, ports) : choiceOfProvider(provider, { ...asked, model }, asked.source, ports);
  }
  if (asked.baseUrl !== undefined) return choiceOfUrl(undefined, { ...asked, model }, ports);
  for (const provider of providersByKey(ports)) {
    const found = firstKey(provider.keyEnv, ports.env);
    if (found !== undefined) return choiceOfProvider(provider, { ...asked, model: withoutVendor(model, provider) }, found.name, ports);
  }
  if (model !== undefined) {
    throw new UserError(`The model "${model}" is named (${asked.source}), and no provider that could serve it has a key.`, { hint: "Run `hermes setup`, or name the provider as well: provider:model.", exitCode: 78 });
  }
  return choiceOfProvider(providerNamed(OFFLINE, ports), { ...asked, model: undefined }, "no model is configured", ports);
}

/** By id or alias. @throws {UserError} that names the nearest, or the one whose key variable holds the word. */
export function providerNamed(name: string, ports: Pick<ChoicePorts, "providers">): KnownProvider {
  const wanted = name.trim().toLowerCase();
  const found = ports.providers.find(({ id }) => id.toLowerCase() === wanted) ?? ports.providers.find(({ aliases }) => aliases.some((alias) => alias.toLowerCase() === wanted));
  if (found !== undefined) return found;
  const byKey = ports.providers.find(({ keyEnv }) => keyEnv.some((variable) => variable.toLowerCase().startsWith(`${wanted}_`)));
  const near = byKey?.id ?? nearest(wanted, ports.providers.flatMap(({ id, aliases }) => [id, ...aliases]));
  throw new UserError(`There is no model provider "${name}".`, {
    hint: `${near === undefined ? "" : `Did you mean "${near}"? `}Providers: ${ports.providers.map(({ id }) => id).join(", ")}.`,
    exitCode: 78,
  });
}

interface Asked {
  readonly provider: string | undefined;
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  /** Where the provider was named, or else the model. */
  readonly source: string;
}

/** From the strongest to the weakest. */
function levelsOf({ run, session }: ModelWish, ports: ChoicePorts): readonly Asked[] {
  const variable = (...names: readonly string[]) => names.map((name) => ({ name, value: words(ports.env(name)) })).find(({ value }) => value !== undefined);
  const provider = variable("HERMES_INFERENCE_PROVIDER");
  const model = variable("HERMES_INFERENCE_MODEL", "HERMES_MODEL");
  return [
    { provider: words(run?.provider), model: words(run?.name), baseUrl: words(run?.baseUrl), source: run?.provider !== undefined ? "--provider" : run?.name !== undefined ? "--model" : "--base-url" },
    { provider: provider?.value, model: model?.value, baseUrl: undefined, source: (provider ?? model)?.name ?? "" },
    { provider: words(session?.provider), model: words(session?.model), baseUrl: words(session?.baseUrl), source: "this session" },
    { provider: words(ports.config("model.provider")), model: words(ports.config("model.default")), baseUrl: words(ports.config("model.base_url")), source: ports.origin(automatic(words(ports.config("model.provider"))) === undefined ? "model.default" : "model.provider") },
  ];
}

function mergeWishes(levels: readonly Asked[]): Asked {
  let asked: Asked = { provider: undefined, model: undefined, baseUrl: undefined, source: "config.yaml" };
  for (const level of levels) {
    const provider = automatic(level.provider);
    const foreign = asked.provider !== undefined && provider !== asked.provider;
    // What stands with another provider was not meant for ours; a model that stands alone may be.
    if (foreign && (provider !== undefined || level.model === undefined)) continue;
    const first = asked.provider === undefined && asked.model === undefined && asked.baseUrl === undefined;
    const says = provider !== undefined || level.model !== undefined || level.baseUrl !== undefined;
    asked = {
      provider: asked.provider ?? provider,
      model: asked.model ?? level.model,
      // A base URL belongs to the provider it stands with, and to no provider when it stands alone.
      baseUrl: asked.baseUrl ?? (asked.provider === undefined || asked.provider === provider ? level.baseUrl : undefined),
      source: (first && says) || (asked.provider === undefined && provider !== undefined) ? level.source : asked.source,
    };
  }
  return asked;
}

/** `provider:model`, `custom:endpoint:model` and, for providers that need no key, `provider/model`. */
function namedProvider(asked: Asked, ports: ChoicePorts): { readonly provider: string; readonly model: string } | undefined {
  const { model } = asked;
  const explicit = automatic(asked.provider);
  const [, endpoint, itsModel] = /^custom:([^:]+):(.+)$/i.exec(model ?? "") ?? [];
  if (endpoint !== undefined && itsModel !== undefined && explicit === undefined) return { provider: endpoint, model: itsModel };
  const found = /^([^:/]+)([:/])(.+)$/.exec(model ?? "");
  if (found === null) return undefined;
  const [, head = "", sign, rest = ""] = found;
  const known = ports.providers.find(({ id, aliases }) => id === head.toLowerCase() || aliases.includes(head.toLowerCase()));
  if (explicit !== undefined) return known?.id === explicit.toLowerCase() && (sign === ":" || needsNoKey(known)) ? { provider: explicit, model: rest } : undefined;
  if (sign === ":" && (known !== undefined || endpointNamed(head, ports) !== undefined)) return { provider: head, model: rest };
  return known !== undefined && needsNoKey(known) ? { provider: known.id, model: rest } : undefined;
}

interface Endpoint {
  readonly name: string;
  readonly baseUrl: string;
  readonly settings: JsonObject;
}

/** An entry of `providers` that has an address and no provider's name, or of `custom_providers`. */
function endpointNamed(name: string, ports: ChoicePorts): Endpoint | undefined {
  const wanted = slug(name.replace(/^custom:/i, ""));
  if (wanted === CUSTOM || ports.providers.some(({ id }) => id === wanted)) return undefined;
  for (const endpoint of endpointsOf(ports)) if (slug(endpoint.name) === wanted && endpoint.settings["enabled"] !== false) return endpoint;
  return undefined;
}

/** Named endpoints of the configuration. */
export function endpointsOf(ports: Pick<ChoicePorts, "config">): readonly Endpoint[] {
  const byName = objectOf(ports.config("providers"));
  const list = ports.config("custom_providers");
  return [
    ...Object.entries(byName).map(([name, settings]) => ({ name, settings: objectOf(settings) })),
    ...(Array.isArray(list) ? list.map((row) => ({ name: words(objectOf(row)["name"]) ?? "", settings: objectOf(row) })) : []),
  ].flatMap(({ name, settings }) => {
    const baseUrl = words(settings["base_url"]);
    return name === "" || baseUrl === undefined ? [] : [{ name, baseUrl, settings }];
  });
}

function choiceOfEndpoint({ name, baseUrl: address, settings }: Endpoint, asked: Asked, ports: ChoicePorts): ModelChoice {
  const baseUrl = asked.baseUrl ?? address;
  const wire = wireOf(baseUrl, words(settings["api_mode"]), ports);
  const model = asked.model ?? words(settings["model"]);
  const apiKey = words(settings["api_key"]) ?? words(ports.env(words(settings["key_env"]) ?? "")) ?? firstKey(keyNamesFor(baseUrl), ports.env)?.key;
  const models = objectOf(objectOf(settings["models"])[model ?? ""]);
  return {
    provider: { ...wire, label: name },
    name: `custom:${slug(name)}`,
    model,
    baseUrl,
    // The Messages wire asks for some key; an endpoint without one takes any.
    apiKey: apiKey ?? (wire.id === MESSAGES ? "no-key-required" : undefined),
    headers: stringsOf(settings["extra_headers"]),
    extraBody: settings["extra_body"] === undefined ? undefined : objectOf(settings["extra_body"]),
    contextLength: numberOf(models["context_length"]) ?? numberOf(ports.config("model.context_length")),
    source: `the endpoint "${name}"`,
    offline: false,
  };
}

/** A base URL without a name: the provider that lives there, or a custom endpoint. */
function choiceOfUrl(custom: KnownProvider | undefined, asked: Asked, ports: ChoicePorts): ModelChoice {
  const configured = automatic(words(ports.config("model.provider")));
  const baseUrl = asked.baseUrl ?? (configured === undefined || configured.toLowerCase() === CUSTOM ? words(ports.config("model.base_url")) : undefined) ?? words(ports.env("CUSTOM_BASE_URL"));
  if (baseUrl === undefined) throw new UserError("The provider \"custom\" has no address.", { hint: "Set it with `hermes config set model.base_url URL`.", exitCode: 78 });
  const resident = custom === undefined ? ports.providers.find((provider) => hostOf(provider.baseUrl) !== undefined && hostOf(provider.baseUrl) === hostOf(baseUrl) && !isLocal(baseUrl)) : undefined;
  if (resident !== undefined) return choiceOfProvider(resident, { ...asked, baseUrl }, asked.source, ports);
  const wire = wireOf(baseUrl, words(ports.config("model.api_mode")), ports);
  const apiKey = words(ports.config("model.api_key")) ?? firstKey(keyNamesFor(baseUrl), ports.env)?.key;
  return {
    provider: wire,
    name: wire.id,
    model: asked.model,
    baseUrl,
    apiKey: apiKey ?? (wire.id === MESSAGES ? "no-key-required" : undefined),
    headers: undefined,
    extraBody: undefined,
    contextLength: numberOf(ports.config("model.context_length")),
    source: ports.origin("model.base_url"),
    offline: false,
  };
}

function choiceOfProvider(provider: KnownProvider, asked: Asked, source: string, ports: ChoicePorts): ModelChoice {
  const own = objectOf(objectOf(ports.config("providers"))[provider.id]);
  if (own["enabled"] === false) throw new UserError(`The model provider "${provider.id}" is switched off (providers.${provider.id}.enabled).`, { exitCode: 78 });
  const configured = automatic(words(ports.config("model.provider")));
  const isConfigured = configured === undefined ? asked.baseUrl !== undefined && asked.baseUrl === words(ports.config("model.base_url")) : (configured.toLowerCase() === provider.id || provider.aliases.includes(configured.toLowerCase()));
  const keyEnv = [words(own["key_env"]), ...provider.keyEnv].filter((name) => name !== undefined);
  const apiKey = words(own["api_key"]) ?? (isConfigured ? words(ports.config("model.api_key")) : undefined) ?? firstKey(keyEnv, ports.env)?.key;
  if (apiKey === undefined && !needsNoKey(provider)) {
    throw new UserError(`${provider.label} needs a key, and ${keyEnv.join(" or ")} is not set.`, { hint: `Run \`hermes setup\`, or put ${keyEnv[0]}=… into .env.`, exitCode: 78 });
  }
  const model = asked.model ?? words(own["model"]) ?? provider.defaultModel;
  return {
    provider,
    name: provider.id,
    model,
    baseUrl: asked.baseUrl ?? words(own["base_url"]),
    apiKey,
    headers: stringsOf(own["extra_headers"]),
    extraBody: own["extra_body"] === undefined ? undefined : objectOf(own["extra_body"]),
    contextLength: numberOf(objectOf(objectOf(own["models"])[model ?? ""])["context_length"]) ?? (model === words(ports.config("model.default")) ? numberOf(ports.config("model.context_length")) : undefined),
    source,
    offline: provider.id === OFFLINE,
  };
}

/** Which of our wires an address speaks. */
function wireOf(baseUrl: string, mode: string | undefined, ports: ChoicePorts): KnownProvider {
  if (mode === "anthropic_messages" || (mode === undefined && /\/anthropic(\/v1)?\/?$/.test(baseUrl))) return providerNamed(MESSAGES, ports);
  if (mode === undefined || mode === "chat_completions") return providerNamed(CUSTOM, ports);
  throw new UserError(`The wire "${mode}" is not spoken.`, { hint: "model.api_mode may be chat_completions or anthropic_messages.", exitCode: 78 });
}

function providersByKey({ providers }: ChoicePorts): readonly KnownProvider[] {
  return providers.filter((provider) => !needsNoKey(provider)).sort((left, right) => rank(left.id) - rank(right.id));
}

/** `anthropic/claude-…` asked of Anthropic itself is `claude-…`; aggregators keep the vendor. */
function withoutVendor(model: string | undefined, provider: KnownProvider): string | undefined {
  return model?.toLowerCase().startsWith(`${provider.id}/`) === true ? model.slice(provider.id.length + 1) : model;
}

function rank(id: string): number {
  return FIRST_BY_KEY.includes(id) ? FIRST_BY_KEY.indexOf(id) : FIRST_BY_KEY.length;
}

export function needsNoKey(provider: KnownProvider): boolean {
  return provider.keyOptional || provider.keyEnv.length === 0;
}

function automatic(provider: string | undefined): string | undefined {
  return provider === undefined || provider.toLowerCase() === "auto" ? undefined : provider;
}

function hostOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : undefined;
}

function isLocal(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname);
}

function slug(name: string): string {
  return name.trim().toLowerCase().replace(/[\s_]+/g, "-");
}

function words(value: Json | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}

function objectOf(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function stringsOf(value: Json | undefined): { readonly [name: string]: string } | undefined {
  const entries = Object.entries(objectOf(value)).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
