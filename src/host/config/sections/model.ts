import type { Setting, Settings } from "../setting.ts";

const MODEL_CHOICE: Settings = {
  provider: { type: "string", description: "Provider id." },
  model: { type: "string", description: "Model name." },
  base_url: { type: "string", description: "Base URL of the endpoint." },
  key_env: { type: "string", description: "Environment variable with the API key." },
  api_key: { type: "string", description: "API key; better stored in `.env` and named by `key_env`." },
  api_mode: { type: "string", description: "Wire protocol, if the provider does not determine it." },
  package: { type: "string", description: "Provider package for this model, as in `model.package`." },
};

const ENDPOINT: Settings = {
  name: { type: "string", description: "Display name." },
  base_url: { type: "string", aliases: ["api", "url"], description: "Base URL, up to and including `/v1`." },
  api_key: { type: "string", description: "API key; better stored in `.env` and named by `key_env`." },
  key_env: { type: "string", description: "Environment variable with the API key." },
  api_mode: {
    type: "string",
    aliases: ["transport"],
    enum: ["chat_completions", "anthropic_messages", "codex_responses", "gemini_generate_content", "bedrock_converse"],
    description: "Wire protocol. `codex_responses` is OpenAI Responses; `bedrock_converse` is not supported.",
  },
  package: {
    type: "string",
    description:
      "AI SDK provider package for this service, such as `@ai-sdk/mistral`. Install it with `hermes model install`.",
  },
  model: { type: "string", aliases: ["default_model"], description: "Model to use if none is selected." },
  models: {
    type: "object",
    additionalProperties: {},
    description:
      "Limits of its models, by name: `context_length`, `timeout_seconds` and `stale_timeout_seconds`. They override those of the service.",
  },
  enabled: { type: "boolean", description: "false: hide this provider." },
  extra_body: { type: "object", description: "Additional keys for every request body." },
  extra_headers: {
    type: "object",
    additionalProperties: { type: "string" },
    description: "Additional headers for every request.",
  },
  request_timeout_seconds: {
    type: "number",
    minimum: 1,
    description: "Timeout for one whole request, in seconds; default `agent.api_timeout`.",
  },
  stale_timeout_seconds: {
    type: "number",
    minimum: 1,
    description:
      "Seconds of silence, before or during an answer, after which a request is given up; default `agent.stream_read_timeout` and `agent.stream_stale_timeout`.",
  },
};

const sideModel = (description: string): Settings => ({
  provider: { type: "string", default: "auto", description },
  model: { type: "string", default: "", description: "Model name." },
  base_url: { type: "string", default: "", description: "Base URL of the endpoint." },
  api_key: { type: "string", default: "", description: "API key." },
});

/** Which model that is, `moa.presets` says. */
const asked = (timeout: string): Setting => ({
  type: "object",
  properties: { timeout: { type: "number", minimum: 1, default: 900, description: timeout } },
  additionalProperties: { unused: true },
});

/** The model of a session, and its fallbacks. Owner: `src/host/models/model-service.ts`. */
export const MODEL_SETTINGS: Settings = {
  model: {
    type: "object",
    shorthand: "default",
    description: "The default model of all sessions.",
    properties: {
      default: {
        type: "string",
        aliases: ["model", "name"],
        env: "HERMES_INFERENCE_MODEL",
        description: "Model name, as the provider spells it.",
      },
      provider: {
        type: "string",
        env: "HERMES_INFERENCE_PROVIDER",
        description: "Provider id; `auto`: use the available keys and local servers.",
        default: "auto",
      },
      base_url: { type: "string", description: "Base URL of an OpenAI-compatible or Anthropic endpoint." },
      api_key: { type: "string", description: "API key of this endpoint; better stored in `.env`." },
      api_mode: ENDPOINT["api_mode"]!,
      package: ENDPOINT["package"]!,
      client: {
        enum: ["own", "package"],
        default: "own",
        description:
          "Code that sends the requests: `own`, the agent's code, which starts faster; `package`, the AI SDK provider packages, which ship with Hermes.",
      },
      context_length: {
        type: "integer",
        minimum: 1,
        description: "Context length of the model in tokens, if the provider does not report it.",
      },
      max_tokens: { type: "integer", minimum: 1, description: "Maximum length of an answer, in tokens." },
      aliases: { type: "object", additionalProperties: {}, unused: true },
      openai_runtime: { type: "string", unused: true },
      // Keys that the original reads besides those of its default file.
      api: { unused: true },
      auth_mode: { unused: true },
      billing_provider: { unused: true },
      default_headers: { unused: true },
      entra: { unused: true },
      extra_headers: { unused: true },
      lmstudio_load_mode: { unused: true },
      persist_switch_by_default: { unused: true },
      reasoning_config: { unused: true },
      service_tier: { unused: true },
      stale_timeout_seconds: { unused: true },
      supports_vision: { unused: true },
      timeout_seconds: { unused: true },
    },
  },
  providers: {
    type: "object",
    additionalProperties: { type: "object", properties: ENDPOINT },
    description: "Named endpoints, and limits for known providers, by id.",
  },
  custom_providers: {
    type: "array",
    items: { type: "object", properties: ENDPOINT },
    description: "Named endpoints, as a list.",
  },
  fallback_providers: {
    type: "array",
    items: { type: "object", properties: MODEL_CHOICE },
    default: [],
    description: "Models to try, in order, when the selected model fails permanently.",
  },
  fallback_model: {
    type: ["object", "array"],
    properties: MODEL_CHOICE,
    items: { type: "object", properties: MODEL_CHOICE },
    description: "More fallback models, in the format of earlier versions; tried after `fallback_providers`.",
  },
  model_aliases: { type: "object", additionalProperties: {}, unused: true },
  credential_pool_strategies: {
    type: "object",
    additionalProperties: { enum: ["fill_first", "round_robin", "least_used", "random"] },
    description:
      "How to choose among several keys of a provider (`OPENROUTER_API_KEY`, then `OPENROUTER_API_KEY_2` to `_9`), by provider. Default `fill_first`.",
  },
  prompt_caching: {
    type: "object",
    properties: {
      cache_ttl: { enum: ["5m", "1h"], default: "5m", description: "How long the provider caches the prefix." },
    },
  },
  auxiliary: {
    type: "object",
    description: "Models for side tasks; unset values come from the main model.",
    properties: {
      approval: {
        type: "object",
        properties: {
          ...sideModel("Provider of the model for `approvals.mode: smart`."),
          timeout: {
            type: "number",
            minimum: 1,
            default: 30,
            description: "Timeout in seconds; then the user is asked.",
          },
          extra_body: { unused: true },
          reasoning_effort: { unused: true },
        },
      },
      goal_judge: {
        type: "object",
        properties: {
          ...sideModel("Provider of the model that judges whether a goal (`/goal`) is reached."),
          timeout: { type: "number", minimum: 1, default: 60, description: "Timeout of the judge in seconds." },
          extra_body: { unused: true },
          reasoning_effort: { unused: true },
        },
      },
      compression: {
        type: "object",
        properties: {
          ...sideModel("Provider of the model that summarises long conversations."),
          timeout: { unused: true },
          extra_body: { unused: true },
          reasoning_effort: { unused: true },
        },
      },
      vision: {
        type: "object",
        properties: {
          ...sideModel("Provider of the model that describes images for `vision_analyze`, if the main model cannot."),
          model: { type: "string", default: "", env: "AUXILIARY_VISION_MODEL", description: "Model name." },
          timeout: { type: "number", minimum: 1, default: 120, description: "Timeout in seconds." },
          download_timeout: {
            type: "number",
            minimum: 1,
            default: 30,
            description: "Timeout for downloading an image, in seconds.",
          },
          max_concurrency: { unused: true },
          extra_body: { unused: true },
          reasoning_effort: { unused: true },
        },
      },
      curator: {
        type: "object",
        properties: {
          ...sideModel("Provider of the model that finds overlapping skills (`curator.consolidate`)."),
          timeout: { type: "number", minimum: 1, default: 600, description: "Timeout in seconds." },
          extra_body: { unused: true },
          reasoning_effort: { unused: true },
        },
      },
      web_extract: {
        type: "object",
        properties: {
          ...sideModel(
            "Provider of the model that summarises long pages for `web_extract`; without a model, the beginning and end of a page are shown.",
          ),
          timeout: { type: "number", minimum: 1, default: 360, description: "Timeout for one page, in seconds." },
          extra_body: { unused: true },
          reasoning_effort: { unused: true },
        },
      },
      skills_hub: {
        type: "object",
        properties: {
          ...sideModel("Provider of the model that audits skills (`skills.llm_audit`)."),
          timeout: { type: "number", minimum: 1, default: 30, description: "Timeout for one skill, in seconds." },
          extra_body: { unused: true },
          reasoning_effort: { unused: true },
        },
      },
      moa_reference: asked("Timeout for each model that `mixture_of_agents` asks, in seconds."),
      moa_aggregator: asked("Timeout for the model that combines their answers, in seconds."),
      session_search: {
        type: "object",
        properties: {
          ...sideModel(
            "Provider of the model that summarises the results of `session_search`; without a model, the messages are shown.",
          ),
          timeout: {
            type: "number",
            minimum: 1,
            default: 60,
            description: "Timeout for one conversation, in seconds.",
          },
          extra_body: { unused: true },
          reasoning_effort: { unused: true },
          max_concurrency: { unused: true },
        },
      },
    },
    additionalProperties: { unused: true },
  },
};
