import type { Setting, Settings } from "../setting.ts";

const MODEL_CHOICE: Settings = {
  provider: { type: "string", description: "Id of the provider." },
  model: { type: "string", description: "Model to ask for." },
  base_url: { type: "string", description: "Address of its endpoint." },
  key_env: { type: "string", description: "Variable that holds its key." },
  api_key: { type: "string", description: "Its key; better kept in `.env` and named by `key_env`." },
  api_mode: { type: "string", description: "Wire protocol, when it cannot be told from the provider." },
  package: { type: "string", description: "A provider package that speaks to it, as `model.package`." },
};

const ENDPOINT: Settings = {
  name: { type: "string", description: "What people call it." },
  base_url: { type: "string", aliases: ["api", "url"], description: "Address, up to and including `/v1`." },
  api_key: { type: "string", description: "Its key; better kept in `.env` and named by `key_env`." },
  key_env: { type: "string", description: "Variable that holds its key." },
  api_mode: {
    type: "string",
    aliases: ["transport"],
    enum: ["chat_completions", "anthropic_messages", "codex_responses", "gemini_generate_content", "bedrock_converse"],
    description:
      "Wire protocol. `codex_responses` (OpenAI Responses) and `gemini_generate_content` are spoken by provider packages; `bedrock_converse` is not spoken.",
  },
  package: {
    type: "string",
    description:
      "A provider package of the AI SDK that speaks to it: `@ai-sdk/mistral`. It is yours to install, into `packages/own` of the agent's home.",
  },
  model: { type: "string", aliases: ["default_model"], description: "Model used when none is named." },
  models: {
    type: "object",
    additionalProperties: {},
    description:
      "Facts about its models, by name: `context_length`; `timeout_seconds` and `stale_timeout_seconds`, which come before those of the service.",
  },
  enabled: { type: "boolean", description: "false hides it." },
  extra_body: { type: "object", description: "Further keys of every request." },
  extra_headers: {
    type: "object",
    additionalProperties: { type: "string" },
    description: "Further headers of every request.",
  },
  request_timeout_seconds: {
    type: "number",
    minimum: 1,
    description: "Seconds one request to it may take in all; else `agent.api_timeout`.",
  },
  stale_timeout_seconds: {
    type: "number",
    minimum: 1,
    description:
      "Seconds of silence, before and in its answer, until it is given up; else `agent.stream_read_timeout` and `agent.stream_stale_timeout`.",
  },
};

const sideModel = (description: string): Settings => ({
  provider: { type: "string", default: "auto", description },
  model: { type: "string", default: "", description: "Its model." },
  base_url: { type: "string", default: "", description: "Its address." },
  api_key: { type: "string", default: "", description: "Its key." },
});

/** Which model that is, `moa.presets` says. */
const asked = (timeout: string): Setting => ({
  type: "object",
  properties: { timeout: { type: "number", minimum: 1, default: 900, description: timeout } },
  additionalProperties: { unused: true },
});

/** Which model answers, and what stands in for it. Owner: `src/host/models/model-service.ts`. */
export const MODEL_SETTINGS: Settings = {
  model: {
    type: "object",
    shorthand: "default",
    description: "The model of every session that names no other.",
    properties: {
      default: {
        type: "string",
        env: "HERMES_INFERENCE_MODEL",
        description: "Name of the model, as its provider calls it.",
      },
      provider: {
        type: "string",
        env: "HERMES_INFERENCE_PROVIDER",
        description: "Id of the provider; `auto` looks at keys and local servers.",
        default: "auto",
      },
      base_url: { type: "string", description: "Address of an OpenAI-compatible or Anthropic endpoint." },
      api_key: { type: "string", description: "Key of that endpoint; better kept in `.env`." },
      api_mode: ENDPOINT["api_mode"]!,
      package: ENDPOINT["package"]!,
      client: {
        enum: ["own", "package"],
        default: "own",
        description:
          "Who speaks to model services: `own`, the agent itself, which starts sooner; `package`, the provider packages of the AI SDK, installed when first used, after a question.",
      },
      context_length: {
        type: "integer",
        minimum: 1,
        description: "Tokens the model can read, when the provider does not say.",
      },
      max_tokens: { type: "integer", minimum: 1, description: "Longest answer, in tokens." },
      aliases: { type: "object", additionalProperties: {}, unused: true },
      openai_runtime: { type: "string", unused: true },
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
    description: "Tried in order when the model fails for good.",
  },
  fallback_model: {
    type: ["object", "array"],
    properties: MODEL_CHOICE,
    items: { type: "object", properties: MODEL_CHOICE },
    description: "One more of these, as earlier versions wrote it; tried after them.",
  },
  model_aliases: { type: "object", additionalProperties: {}, unused: true },
  credential_pool_strategies: {
    type: "object",
    additionalProperties: { enum: ["fill_first", "round_robin", "least_used", "random"] },
    description:
      "Which of several keys of a provider is taken, by provider: `OPENROUTER_API_KEY`, then `OPENROUTER_API_KEY_2` to `_9`. Default `fill_first`.",
  },
  prompt_caching: {
    type: "object",
    properties: {
      cache_ttl: { enum: ["5m", "1h"], default: "5m", description: "How long a provider keeps the cached prefix." },
    },
  },
  auxiliary: {
    type: "object",
    description: "Models for side tasks; what is left open is the main model's.",
    properties: {
      approval: {
        type: "object",
        properties: {
          ...sideModel("Provider of the model that `approvals.mode: smart` asks."),
          timeout: {
            type: "number",
            minimum: 1,
            default: 30,
            description: "Seconds it has; then the person is asked.",
          },
          extra_body: { unused: true },
          reasoning_effort: { unused: true },
        },
      },
      compression: {
        type: "object",
        properties: {
          ...sideModel("Provider of the model that writes summaries of long conversations."),
          timeout: { unused: true },
          extra_body: { unused: true },
          reasoning_effort: { unused: true },
        },
      },
      vision: {
        type: "object",
        properties: {
          ...sideModel("Provider of the model that looks at pictures for `vision_analyze`, where the main one cannot."),
          model: { type: "string", default: "", env: "AUXILIARY_VISION_MODEL", description: "Its model." },
          timeout: { type: "number", minimum: 1, default: 120, description: "Seconds it has." },
          download_timeout: {
            type: "number",
            minimum: 1,
            default: 30,
            description: "Seconds that fetching a picture may take.",
          },
          extra_body: { unused: true },
          reasoning_effort: { unused: true },
        },
      },
      curator: {
        type: "object",
        properties: {
          ...sideModel(
            "Provider of the model that says which of the agent's own skills overlap (`curator.consolidate`).",
          ),
          timeout: { type: "number", minimum: 1, default: 600, description: "Seconds it has." },
          extra_body: { unused: true },
          reasoning_effort: { unused: true },
        },
      },
      web_extract: {
        type: "object",
        properties: {
          ...sideModel(
            "Provider of the model that summarises long pages for `web_extract`; without one their beginning and end are shown.",
          ),
          timeout: { type: "number", minimum: 1, default: 360, description: "Seconds it has for one page." },
          extra_body: { unused: true },
          reasoning_effort: { unused: true },
        },
      },
      skills_hub: {
        type: "object",
        properties: {
          ...sideModel("Provider of the model that audits skills (`skills.llm_audit`)."),
          timeout: { type: "number", minimum: 1, default: 30, description: "Seconds it has for one skill." },
          extra_body: { unused: true },
          reasoning_effort: { unused: true },
        },
      },
      moa_reference: asked("Seconds that one of the models has which `mixture_of_agents` asks."),
      moa_aggregator: asked("Seconds that the model has which combines their answers."),
      session_search: {
        type: "object",
        properties: {
          ...sideModel(
            "Provider of the model that summarises what `session_search` finds; without one the messages themselves are shown.",
          ),
          timeout: { type: "number", minimum: 1, default: 60, description: "Seconds it has for one conversation." },
          extra_body: { unused: true },
          reasoning_effort: { unused: true },
          max_concurrency: { unused: true },
        },
      },
    },
    additionalProperties: { unused: true },
  },
};
