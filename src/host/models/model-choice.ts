import { UserError } from "../../contract/common/failure.ts";
import { objectOf } from "../../contract/common/is-object.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import { nearest } from "../../contract/common/nearest.ts";
import { unsetVariableIn } from "../config/parse-settings.ts";
import { endpointNamed, keyOfEndpoint, slug, type Endpoint } from "./model-endpoints.ts";
import {
  firstKey,
  given,
  ignoredKey,
  isLoopback,
  keyNamesFor,
  keysBeside,
  ownKeyName,
  sameServer,
  type FoundKey,
  type GivenKey,
} from "./model-keys.ts";
import { CUSTOM, needsNoKey, OFFLINE, providerNamed, type ChoicePorts, type KnownProvider } from "./model-providers.ts";
import { numberOf, stringsOf, words } from "./model-values.ts";
import { askedBy, automatic, namedProvider, type Asked, type ModelSelection } from "./model-selection.ts";

/** Everything needed to connect, and why it is this. */
export interface ModelChoice {
  readonly provider: KnownProvider;
  /** The provider's name in the configuration: the provider's id, or `custom:NAME` for a named endpoint. */
  readonly name: string;
  /** Absent: the provider has no default, and none was selected. */
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** Where `apiKey` comes from: a setting or a variable. Without a key: why there is none. */
  readonly keyOrigin: string;
  /** Variables that may contain `apiKey`; none if a file contains the key. */
  readonly keys: readonly FoundKey[];
  readonly headers: { readonly [name: string]: string } | undefined;
  readonly extraBody: JsonObject | undefined;
  /** The wire that configuration names for it. */
  readonly apiMode: string | undefined;
  /** The provider package that it names. */
  readonly package: string | undefined;
  readonly contextLength: number | undefined;
  /** All that configuration says of the provider or endpoint. */
  readonly settings: JsonObject;
  /** The source of the selection: a flag, a variable, this session, a file. */
  readonly source: string;
  readonly offline: boolean;
}

/** The wire of endpoints that speak Anthropic Messages. */
const MESSAGES = "anthropic";
/** Providers whose key decides first when several are set; the others follow in their own order. */
const FIRST_BY_KEY = ["openrouter", "anthropic", "openai"];

/**
 * Flags, then variables, then the session's selection, then `config.yaml`, then the first provider whose key is set,
 * then the offline model. A provider from a higher level never takes over a model or base URL that a lower level
 * selected for another one.
 * @throws {UserError} An unknown provider, a missing key, an unsupported wire.
 */
export function chooseModel(request: ModelSelection, ports: ChoicePorts): ModelChoice {
  const asked = askedBy(request, ports);
  checkVariables(asked);
  const named = namedProvider(asked, ports);
  const providerName = named?.provider ?? automatic(asked.provider);
  const model = named?.model ?? asked.model;

  if (providerName !== undefined) {
    const endpoint = endpointNamed(providerName, ports);
    if (endpoint !== undefined) return choiceOfEndpoint(endpoint, { ...asked, model }, ports);
    const provider = providerNamed(providerName, ports);
    return provider.id === CUSTOM
      ? choiceOfUrl(provider, { ...asked, model }, ports)
      : choiceOfProvider(provider, { ...asked, model }, asked.source, ports);
  }
  if (asked.baseUrl !== undefined) return choiceOfUrl(undefined, { ...asked, model }, ports);
  for (const provider of providersByKey(ports)) {
    const found = firstKey(provider.keyEnv, ports.env);
    if (found !== undefined)
      return choiceOfProvider(provider, { ...asked, model: withoutVendor(model, provider) }, found.name, ports);
  }
  const ignored = ignoredKey(
    providersByKey(ports).flatMap(({ keyEnv }) => keyEnv),
    ports.env,
  );
  const because = ignored === undefined ? "" : `; ${ignored}`;
  if (model !== undefined) {
    throw new UserError(
      `The model "${model}" is selected (${asked.source}), but no provider that could serve it has a key${because}.`,
      {
        hint: `${meant(model, ports)}Run \`hermes setup\`, or name the provider, too: provider/model.`,
        exitCode: 78,
      },
    );
  }
  return choiceOfProvider(
    providerNamed(OFFLINE, ports),
    { ...asked, model: undefined },
    `no model is configured${because}`,
    ports,
  );
}

/** An unset variable stays as written, and would be sent as a name or resolved as an address. */
function checkVariables({ provider, model, baseUrl, source }: Asked): void {
  const unset = unsetVariableIn([provider, model, baseUrl].join(" "));
  if (unset !== undefined)
    throw new UserError(`The model settings use the variable ${unset} (${source}), but it is not set.`, {
      hint: `Set it for this process, or store it in .env: hermes config set ${unset} VALUE`,
      exitCode: 78,
    });
}

/** For `openroutr/x`: the provider whose name was nearly written. */
function meant(model: string, { providers }: ChoicePorts): string {
  const near = model.includes("/")
    ? nearest(
        model.split("/", 1)[0] ?? "",
        providers.map(({ id }) => id),
      )
    : undefined;
  return near === undefined ? "" : `Did you mean "${near}/${model.slice(model.indexOf("/") + 1)}"? `;
}

function choiceOfEndpoint(endpoint: Endpoint, asked: Asked, ports: ChoicePorts): ModelChoice {
  const { name, baseUrl: address, settings } = endpoint;
  const baseUrl = asked.baseUrl ?? address;
  const apiMode = words(settings["api_mode"]);
  const wire = wireOf(baseUrl, apiMode, ports);
  const model = asked.model ?? words(settings["model"]);
  const { key: apiKey, found, origin } = keyOfEndpoint(endpoint, baseUrl, ports);
  const models = objectOf(objectOf(settings["models"])[model ?? ""]);
  return {
    provider: { ...wire, label: name },
    name: `custom:${slug(name)}`,
    model,
    baseUrl,
    // The Messages wire asks for some key; an endpoint without one takes any.
    apiKey: apiKey ?? (wire.id === MESSAGES ? "no-key-required" : undefined),
    keyOrigin: origin,
    keys: keysBeside(found, ports.env),
    headers: stringsOf(settings["extra_headers"]),
    extraBody: settings["extra_body"] === undefined ? undefined : objectOf(settings["extra_body"]),
    apiMode,
    package: words(settings["package"]),
    contextLength: numberOf(models["context_length"]) ?? numberOf(ports.config("model.context_length")),
    settings,
    source: `the endpoint "${name}"`,
    offline: false,
  };
}

/** A base URL without a name: the provider that lives there, or a custom endpoint. */
function choiceOfUrl(custom: KnownProvider | undefined, asked: Asked, ports: ChoicePorts): ModelChoice {
  const configured = automatic(words(ports.config("model.provider")));
  const baseUrl =
    asked.baseUrl ??
    (configured === undefined || configured.toLowerCase() === CUSTOM
      ? words(ports.config("model.base_url"))
      : undefined) ??
    words(ports.env("CUSTOM_BASE_URL"));
  if (baseUrl === undefined)
    throw new UserError('The provider "custom" has no base URL.', {
      hint: "Set it with `hermes config set model.base_url URL`.",
      exitCode: 78,
    });
  const resident =
    custom === undefined
      ? ports.providers.find(
          (provider) =>
            hostOf(provider.baseUrl) !== undefined && hostOf(provider.baseUrl) === hostOf(baseUrl) && !isLocal(baseUrl),
        )
      : undefined;
  if (resident !== undefined) return choiceOfProvider(resident, { ...asked, baseUrl }, asked.source, ports);
  const apiMode = words(ports.config("model.api_mode"));
  const wire = wireOf(baseUrl, apiMode, ports);
  const { key: apiKey, found, origin } = keyForUrl(baseUrl, ports);
  return {
    provider: wire,
    name: wire.id,
    model: asked.model,
    baseUrl,
    apiKey: apiKey ?? (wire.id === MESSAGES ? "no-key-required" : undefined),
    keyOrigin: origin,
    keys: keysBeside(found, ports.env),
    headers: undefined,
    extraBody: undefined,
    apiMode,
    package: words(ports.config("model.package")),
    contextLength: numberOf(ports.config("model.context_length")),
    settings: {},
    source: ports.origin("model.base_url"),
    offline: false,
  };
}

/** `model.api_key` and CUSTOM_API_KEY were given for one address; another one that a flag names gets neither. */
function keyForUrl(baseUrl: string, ports: ChoicePorts): GivenKey {
  const configured = automatic(words(ports.config("model.provider")))?.toLowerCase() ?? CUSTOM;
  const address = words(ports.config("model.base_url")) ?? baseUrl;
  const written =
    configured === CUSTOM && sameServer(address, baseUrl) ? words(ports.config("model.api_key")) : undefined;
  const own = ports.customAddress === undefined || sameServer(ports.customAddress, baseUrl) ? ["CUSTOM_API_KEY"] : [];
  return given([{ key: written, setting: ports.keySetting }], [...own, ...keyNamesFor(baseUrl)], ports);
}

function choiceOfProvider(provider: KnownProvider, asked: Asked, source: string, ports: ChoicePorts): ModelChoice {
  const own = objectOf(objectOf(ports.config("providers"))[provider.id]);
  if (own["enabled"] === false)
    throw new UserError(`The model provider "${provider.id}" is disabled (providers.${provider.id}.enabled).`, {
      hint: `Enable it with: hermes config set providers.${provider.id}.enabled true`,
      exitCode: 78,
    });
  const configured = automatic(words(ports.config("model.provider")));
  const isConfigured =
    configured === undefined
      ? asked.baseUrl !== undefined && asked.baseUrl === words(ports.config("model.base_url"))
      : configured.toLowerCase() === provider.id || provider.aliases.includes(configured.toLowerCase());
  const keyEnv = [
    words(own["key_env"]),
    ...(provider.keyEnv.length > 0 ? provider.keyEnv : [ownKeyName(provider.id, ports.providers)]),
  ].filter((name) => name !== undefined);
  const {
    key: apiKey,
    found,
    origin,
  } = given(
    [
      { key: words(own["api_key"]), setting: `providers.${provider.id}.api_key in config.yaml` },
      { key: isConfigured ? words(ports.config("model.api_key")) : undefined, setting: ports.keySetting },
    ],
    keyEnv,
    ports,
  );
  if (apiKey === undefined && !needsNoKey(provider))
    throw new UserError(`${provider.label} needs a key, but ${origin}.`, {
      hint: `Run \`hermes setup\`, or add ${keyEnv[0]}=… to .env.`,
      exitCode: 78,
    });
  const model = asked.model ?? words(own["model"]) ?? provider.defaultModel;
  return {
    provider,
    name: provider.id,
    model,
    baseUrl: asked.baseUrl ?? words(own["base_url"]),
    apiKey,
    keyOrigin: origin,
    keys: keysBeside(found, ports.env),
    headers: stringsOf(own["extra_headers"]),
    extraBody: own["extra_body"] === undefined ? undefined : objectOf(own["extra_body"]),
    apiMode: spoken(words(own["api_mode"]) ?? (isConfigured ? words(ports.config("model.api_mode")) : undefined)),
    package: words(own["package"]) ?? (isConfigured ? words(ports.config("model.package")) : undefined),
    contextLength:
      numberOf(objectOf(objectOf(own["models"])[model ?? ""])["context_length"]) ??
      (model === words(ports.config("model.default")) ? numberOf(ports.config("model.context_length")) : undefined),
    settings: own,
    source,
    offline: provider.id === OFFLINE,
  };
}

/** Which of our wires an address speaks. */
function wireOf(baseUrl: string, mode: string | undefined, ports: ChoicePorts): KnownProvider {
  if (mode === "anthropic_messages" || (mode === undefined && /\/anthropic(\/v1)?\/?$/.test(baseUrl)))
    return providerNamed(MESSAGES, ports);
  spoken(mode);
  return providerNamed(CUSTOM, ports);
}

/** Wires that an address may be said to speak. */
export const API_MODES = [
  "chat_completions",
  "anthropic_messages",
  "codex_responses",
  "gemini_generate_content",
] as const;

function spoken(mode: string | undefined): string | undefined {
  if (mode === undefined || API_MODES.some((known) => known === mode)) return mode;
  const hint =
    mode === "bedrock_converse"
      ? "Amazon Bedrock serves some of its models with chat_completions: set model.base_url to https://bedrock-runtime.REGION.amazonaws.com/openai/v1, with a Bedrock API key. Others need a gateway with one of: "
      : "api_mode can be ";
  throw new UserError(`model.api_mode "${mode}" is not supported by this version.`, {
    hint: `${hint}${API_MODES.join(", ")}.`,
    exitCode: 78,
  });
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

function hostOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : undefined;
}

function isLocal(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname);
}
