import type { ChatMessage } from "../conversation/chat-message.ts";
import type { JsonObject } from "../common/json.ts";

/**
 * Slot `model_profile`: a model service as data, plus a few functions over requests. It uses a wire format that the
 * agent knows; a service with another wire format is a `ModelProvider`. A profile with a bundled service's name
 * replaces it.
 */
export interface ProviderProfile {
  /** `model.provider`, `--provider`. */
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly display_name?: string;
  readonly description?: string;
  readonly signup_url?: string;
  /** Variables of its key, first set one wins; one that ends in `_BASE_URL` or `_URL` holds another address. */
  readonly env_vars?: readonly string[];
  readonly base_url?: string;
  /** Where its models are listed. Default: `models` below the address. */
  readonly models_url?: string;
  /** `api_key` (the default) or `none`. */
  readonly auth_type?: string;
  /**
   * The wire: `chat_completions` (the default), `anthropic_messages`, or, by a provider package, `codex_responses` or
   * `gemini_generate_content`.
   */
  readonly api_mode?: string;
  /** The model of side tasks. */
  readonly default_aux_model?: string;
  /** Offered when its own list cannot be read; the first is used until another is chosen. */
  readonly fallback_models?: readonly string[];
  readonly default_headers?: { readonly [name: string]: string };
  readonly default_max_tokens?: number | null;
  readonly fixed_temperature?: number | null;
  /** The messages of a request, as this service wants them. */
  prepare_messages?(messages: readonly ChatMessage[]): readonly ChatMessage[] | Promise<readonly ChatMessage[]>;
  /** Joins every request's body. */
  build_extra_body?(about: { readonly session_id: string; readonly model: string }): JsonObject | Promise<JsonObject>;
  /** Fields added to the request body, and fields at its top level. */
  build_api_kwargs_extras?(about: {
    readonly reasoning_config: JsonObject | null;
    readonly model: string;
  }): readonly [extra: JsonObject, top: JsonObject] | Promise<readonly [extra: JsonObject, top: JsonObject]>;
  /** Ids of its models; null when it cannot say. */
  fetch_models?(about: {
    readonly api_key: string | null;
    readonly base_url: string | null;
    readonly timeout: number;
  }): readonly string[] | null | Promise<readonly string[] | null>;
}
