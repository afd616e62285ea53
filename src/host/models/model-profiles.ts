import type { ChatMessage } from "../../contract/conversation/chat-message.ts";
import { UserError } from "../../contract/common/failure.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { ModelProvider, ModelSettings } from "../../contract/providers/model.ts";
import type { ProviderProfile } from "../../contract/providers/model-profile.ts";
import { listOf, numberOf, stringsOf, words } from "./model-values.ts";
import type { SlotRegistry, SlotEntry } from "../tools/slots.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

/** The slots that the model service uses. */
export interface ModelSlots {
  list(
    slot: "model",
  ): readonly { readonly id: string; readonly label: string | undefined; readonly data: JsonObject }[];
  use(slot: "model", id: string): Promise<ModelProvider>;
}

/** Which bundled provider speaks a wire to any address. */
const WIRES: { readonly [mode: string]: string } = {
  chat_completions: "custom",
  anthropic_messages: "anthropic",
  codex_responses: "custom",
  gemini_generate_content: "custom",
};
const LIST_SECONDS = 8;

/**
 * The providers of the slot `model`, with those that plugins describe as profiles among them; a profile takes the place
 * of a provider of its name. A profile's code is not loaded for choosing it, and not for a request either unless it has
 * a hand in requests.
 */
export function withProfiles(
  slots: Pick<SlotRegistry, "list" | "use">,
  env: (name: string) => string | undefined,
  log: Logger,
): ModelSlots {
  const message = new Set<string>();
  const profiles = (): readonly (SlotEntry<"model_profile"> & { readonly owner: string })[] =>
    slots.list("model_profile");
  const report = (id: string): void => {
    if (message.has(id)) return;
    message.add(id);
    log.warning(
      `The model provider "${id}" comes from the plugin "${profiles().find((one) => one.id === id)?.owner}" and replaces the bundled one.`,
    );
  };
  return {
    list() {
      const described = profiles().map((entry) => ({
        id: entry.id,
        label: entry.label ?? entry.id,
        data: providerData(entry.data, env),
      }));
      const own = slots.list("model").filter(({ id }) => {
        const replaced = described.some((one) => one.id === id);
        if (replaced) report(id);
        return !replaced;
      });
      return [...own, ...described];
    },
    async use(slot, id) {
      const entry = profiles().find((one) => one.id === id);
      if (entry === undefined) return slots.use(slot, id);
      const mode = words(entry.data["api_mode"]) ?? "chat_completions";
      const wire = WIRES[mode];
      if (wire === undefined)
        throw new UserError(`The model provider "${id}" uses the wire "${mode}", which no provider supports.`, {
          hint: `Supported wires: ${Object.keys(WIRES).join(", ")}. A plugin can add one as a provider of the slot "model".`,
          exitCode: 78,
        });
      return new ProfileProvider(entry, await slots.use("model", wire), providerData(entry.data, env));
    },
  };
}

/** Converts a profile to the data fields that providers of the slot `model` have. */
function providerData(profile: JsonObject, env: (name: string) => string | undefined): JsonObject {
  const variables = listOf(profile["env_vars"]).map(String);
  const address = variables
    .filter(isAddress)
    .map(env)
    .find((value) => value !== undefined && value !== "");
  const [first] = listOf(profile["fallback_models"]);
  const baseUrl = address ?? words(profile["base_url"]);
  return definedFields({
    aliases: listOf(profile["aliases"]),
    keyEnv: variables.filter((name) => !isAddress(name)),
    keyOptional: profile["auth_type"] === "none" ? true : undefined,
    baseUrl,
    defaultModel: typeof first === "string" ? first : undefined,
    auxModel: words(profile["default_aux_model"]),
  });
}

function isAddress(variable: string): boolean {
  return /_(BASE_)?URL$/.test(variable);
}

/** A bundled wire, pointed at the profile's service. */
class ProfileProvider implements ModelProvider {
  readonly id: string;
  readonly label: string;
  readonly keyEnv: readonly string[];
  readonly #entry: SlotEntry<"model_profile">;
  readonly #wire: ModelProvider;
  readonly #baseUrl: string | undefined;

  constructor(entry: SlotEntry<"model_profile">, wire: ModelProvider, data: JsonObject) {
    this.id = entry.id;
    this.label = entry.label ?? entry.id;
    this.keyEnv = listOf(data["keyEnv"]).map(String);
    this.#entry = entry;
    this.#wire = wire;
    this.#baseUrl = words(data["baseUrl"]);
  }

  connect(settings: ModelSettings) {
    return this.#wire.connect(this.#settings(settings));
  }

  async prepare(settings: ModelSettings): Promise<void> {
    await this.#wire.prepare?.(this.#settings(settings));
  }

  /** Lists the provider's models. If its list cannot be read, returns the profile's `fallback_models`. */
  async listModels(settings: ModelSettings, signal: AbortSignal): Promise<readonly string[]> {
    const fallback = listOf(this.#entry.data["fallback_models"]).map(String);
    try {
      return (await this.#listed(settings, signal)) ?? fallback;
    } catch (cause) {
      if (fallback.length > 0 && !signal.aborted) return fallback;
      throw cause;
    }
  }

  async probe(settings: ModelSettings, signal: AbortSignal): Promise<void> {
    await this.#listed(settings, signal);
  }

  async #listed(settings: ModelSettings, signal: AbortSignal): Promise<readonly string[] | null | undefined> {
    const own = this.#settings(settings);
    if (this.#has("fetch_models"))
      return (await this.#entry.load()).fetch_models!({
        api_key: own.apiKey ?? null,
        base_url: own.baseUrl ?? null,
        timeout: LIST_SECONDS,
      });
    const listed = words(this.#entry.data["models_url"])?.replace(/\/models$/, "");
    return this.#wire.listModels?.({ ...own, ...definedFields({ baseUrl: listed }) }, signal);
  }

  #settings(settings: ModelSettings): ModelSettings {
    const { data } = this.#entry;
    const baseUrl = settings.baseUrl ?? this.#baseUrl;
    const takesPart =
      ["prepare_messages", "build_extra_body", "build_api_kwargs_extras"].some((name) => this.#has(name)) ||
      numberOf(data["default_max_tokens"]) !== undefined ||
      typeof data["fixed_temperature"] === "number";
    const mode = settings.apiMode ?? words(data["api_mode"]);
    return {
      ...settings,
      service: this.label,
      ...definedFields({ apiMode: mode, baseUrl }),
      headers: { ...stringsOf(data["default_headers"]), ...settings.headers },
      ...definedFields({
        reshape: takesPart
          ? (body: JsonObject, about: { readonly sessionId: string }) =>
              this.#reshape(body, { session_id: about.sessionId, model: settings.model })
          : undefined,
      }),
    };
  }

  async #reshape(
    body: JsonObject,
    { session_id, model }: { readonly session_id: string; readonly model: string },
  ): Promise<JsonObject> {
    const { data } = this.#entry;
    const profile: ProviderProfile | undefined = [
      "prepare_messages",
      "build_extra_body",
      "build_api_kwargs_extras",
    ].some((name) => this.#has(name))
      ? await this.#entry.load()
      : undefined;
    const effort = body["reasoning_effort"];
    const messages =
      this.#has("prepare_messages") && Array.isArray(body["messages"])
        ? await profile?.prepare_messages?.(body["messages"] as unknown as readonly ChatMessage[])
        : undefined;
    const extra = this.#has("build_extra_body") ? await profile?.build_extra_body?.({ session_id, model }) : undefined;
    const [more, top] =
      (this.#has("build_api_kwargs_extras")
        ? await profile?.build_api_kwargs_extras?.({
            reasoning_config: typeof effort === "string" ? { effort } : null,
            model,
          })
        : undefined) ?? [];
    // Other wires call a limit otherwise, and say it elsewhere.
    const limit = Array.isArray(body["messages"]) ? numberOf(data["default_max_tokens"]) : undefined;
    const { fixed_temperature: temperature } = data;
    return {
      ...definedFields({ max_tokens: limit }),
      ...body,
      ...definedFields({
        temperature: typeof temperature === "number" ? temperature : undefined,
        messages: messages as unknown as Json | undefined,
      }),
      ...extra,
      ...more,
      ...top,
    };
  }

  #has(method: string): boolean {
    return listOf(this.#entry.data["methods"]).includes(method);
  }
}
