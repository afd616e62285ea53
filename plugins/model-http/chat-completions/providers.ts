import type { Service } from "../wire/connection.ts";

/**
 * How one service differs from the common wire. Fields that a service refuses by name are also dropped at run time (see
 * `wire/refused-fields.ts`).
 */
export interface Traits {
  /**
   * `effort`: `reasoning_effort`; `openrouter`: `reasoning: { effort }`; `thinking`: `thinking: { type }`. Default
   * `effort`.
   */
  readonly reasoning?: "effort" | "openrouter" | "thinking";
  /** The strongest effort the service knows. Default `high`. */
  readonly strongestEffort?: "high" | "xhigh" | "max";
  /** Default `max_tokens`. */
  readonly maxTokens?: "max_completion_tokens";
  /** Sends `prompt_cache_key`, so that requests of one session reach the same cache. */
  readonly promptCacheKey?: true;
  /** A header that carries the session for the same purpose. */
  readonly sessionHeader?: string;
  /** Where the key goes instead of `authorization: Bearer`. */
  readonly keyHeader?: string;
  /** Takes `cache_control` markers for Claude (and others that need them). */
  readonly cacheMarkers?: RegExp;
  readonly headers?: { readonly [name: string]: string };
}

export interface ChatService extends Service {
  readonly traits?: Traits;
}

/**
 * Every service that speaks OpenAI chat completions, in the order in which a key found in the environment picks one.
 */
export const CHAT_SERVICES: readonly ChatService[] = [
  {
    id: "openrouter",
    label: "OpenRouter",
    keyEnv: ["OPENROUTER_API_KEY"],
    baseUrlEnv: "OPENROUTER_BASE_URL",
    baseUrl: "https://openrouter.ai/api/v1",
    defaultModel: "anthropic/claude-sonnet-4.5",
    traits: {
      reasoning: "openrouter",
      strongestEffort: "xhigh",
      cacheMarkers: /claude|^anthropic\/|^minimax\/|^moonshotai\/|^qwen\//i,
      headers: { "x-title": "Hermes" },
    },
  },
  {
    id: "openai",
    label: "OpenAI",
    aliases: ["openai-api"],
    keyEnv: ["OPENAI_API_KEY"],
    baseUrl: "https://api.openai.com/v1",
    defaultModel: "gpt-5",
    traits: { strongestEffort: "xhigh", maxTokens: "max_completion_tokens", promptCacheKey: true },
  },
  {
    id: "nous",
    label: "Nous Research",
    keyEnv: ["NOUS_API_KEY"],
    baseUrl: "https://inference-api.nousresearch.com/v1",
    defaultModel: "Hermes-4-405B",
    traits: { reasoning: "openrouter", cacheMarkers: /claude|^anthropic\/|^minimax\/|^moonshotai\/|^qwen\//i },
  },
  {
    id: "lmstudio",
    label: "LM Studio",
    aliases: ["lm-studio"],
    keyEnv: ["LM_API_KEY"],
    baseUrlEnv: "LM_BASE_URL",
    baseUrl: "http://127.0.0.1:1234/v1",
    keyless: true,
  },
  { id: "ollama", label: "Ollama", keyEnv: [], baseUrl: "http://127.0.0.1:11434/v1", keyless: true },
  { id: "vllm", label: "vLLM", aliases: ["local"], keyEnv: [], baseUrl: "http://127.0.0.1:8000/v1", keyless: true },
  {
    id: "llamacpp",
    label: "llama.cpp",
    aliases: ["llama.cpp", "llama-cpp"],
    keyEnv: [],
    baseUrl: "http://127.0.0.1:8080/v1",
    keyless: true,
  },
  {
    id: "copilot",
    label: "GitHub Copilot",
    aliases: ["github", "github-copilot", "github-models"],
    keyEnv: ["COPILOT_GITHUB_TOKEN"],
    baseUrlEnv: "COPILOT_API_BASE_URL",
    baseUrl: "https://api.githubcopilot.com",
    defaultModel: "gpt-4.1",
    traits: { headers: { "copilot-integration-id": "vscode-chat", "editor-version": "vscode/1.104.0" } },
  },
  {
    id: "gemini",
    label: "Google Gemini",
    aliases: ["google", "google-gemini", "google-ai-studio"],
    keyEnv: ["GOOGLE_API_KEY", "GEMINI_API_KEY"],
    baseUrlEnv: "GEMINI_BASE_URL",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    defaultModel: "gemini-2.5-pro",
  },
  {
    id: "zai",
    label: "Z.AI GLM",
    aliases: ["glm", "z-ai", "z.ai", "zhipu"],
    keyEnv: ["GLM_API_KEY", "ZAI_API_KEY", "Z_AI_API_KEY"],
    baseUrlEnv: "GLM_BASE_URL",
    baseUrl: "https://api.z.ai/api/paas/v4",
    defaultModel: "glm-4.6",
    traits: { reasoning: "thinking" },
  },
  {
    id: "kimi-coding",
    label: "Kimi (Moonshot)",
    aliases: ["kimi", "moonshot", "kimi-for-coding"],
    keyEnv: ["KIMI_API_KEY", "KIMI_CODING_API_KEY", "MOONSHOT_API_KEY"],
    baseUrlEnv: "KIMI_BASE_URL",
    baseUrl: "https://api.moonshot.ai/v1",
    defaultModel: "kimi-k2-thinking",
    traits: { reasoning: "thinking" },
  },
  {
    id: "kimi-coding-cn",
    label: "Kimi (Moonshot China)",
    aliases: ["kimi-cn", "moonshot-cn"],
    keyEnv: ["KIMI_CN_API_KEY"],
    baseUrl: "https://api.moonshot.cn/v1",
    defaultModel: "kimi-k2-thinking",
    traits: { reasoning: "thinking" },
  },
  {
    id: "stepfun",
    label: "StepFun",
    aliases: ["step"],
    keyEnv: ["STEPFUN_API_KEY"],
    baseUrlEnv: "STEPFUN_BASE_URL",
    baseUrl: "https://api.stepfun.ai/step_plan/v1",
    defaultModel: "step-3",
  },
  {
    id: "arcee",
    label: "Arcee AI",
    keyEnv: ["ARCEEAI_API_KEY"],
    baseUrlEnv: "ARCEE_BASE_URL",
    baseUrl: "https://api.arcee.ai/api/v1",
    defaultModel: "trinity-large-preview",
  },
  {
    id: "gmi",
    label: "GMI Cloud",
    keyEnv: ["GMI_API_KEY"],
    baseUrlEnv: "GMI_BASE_URL",
    baseUrl: "https://api.gmi-serving.com/v1",
  },
  {
    id: "alibaba",
    label: "Alibaba Cloud Model Studio",
    keyEnv: ["DASHSCOPE_API_KEY"],
    baseUrlEnv: "DASHSCOPE_BASE_URL",
    baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    defaultModel: "qwen3-max",
    traits: { cacheMarkers: /qwen/i },
  },
  {
    id: "alibaba-coding-plan",
    label: "Alibaba Coding Plan",
    keyEnv: ["ALIBABA_CODING_PLAN_API_KEY", "DASHSCOPE_API_KEY"],
    baseUrlEnv: "ALIBABA_CODING_PLAN_BASE_URL",
    baseUrl: "https://coding-intl.dashscope.aliyuncs.com/v1",
    defaultModel: "qwen3-coder-plus",
  },
  {
    id: "deepseek",
    label: "DeepSeek",
    keyEnv: ["DEEPSEEK_API_KEY"],
    baseUrlEnv: "DEEPSEEK_BASE_URL",
    baseUrl: "https://api.deepseek.com/v1",
    defaultModel: "deepseek-chat",
    traits: { reasoning: "thinking" },
  },
  {
    id: "xai",
    label: "xAI",
    aliases: ["grok", "x-ai", "x.ai"],
    keyEnv: ["XAI_API_KEY"],
    baseUrlEnv: "XAI_BASE_URL",
    baseUrl: "https://api.x.ai/v1",
    defaultModel: "grok-4",
    traits: { sessionHeader: "x-grok-conv-id" },
  },
  {
    id: "nvidia",
    label: "NVIDIA NIM",
    keyEnv: ["NVIDIA_API_KEY"],
    baseUrlEnv: "NVIDIA_BASE_URL",
    baseUrl: "https://integrate.api.nvidia.com/v1",
    defaultModel: "nvidia/llama-3.3-nemotron-super-49b-v1.5",
  },
  {
    id: "opencode-zen",
    label: "OpenCode Zen",
    aliases: ["opencode", "zen"],
    keyEnv: ["OPENCODE_ZEN_API_KEY"],
    baseUrlEnv: "OPENCODE_ZEN_BASE_URL",
    baseUrl: "https://opencode.ai/zen/v1",
    defaultModel: "kimi-k2",
  },
  {
    id: "opencode-go",
    label: "OpenCode Go",
    aliases: ["go"],
    keyEnv: ["OPENCODE_GO_API_KEY"],
    baseUrlEnv: "OPENCODE_GO_BASE_URL",
    baseUrl: "https://opencode.ai/zen/go/v1",
    defaultModel: "glm-4.6",
  },
  {
    id: "kilocode",
    label: "Kilo Code",
    aliases: ["kilo"],
    keyEnv: ["KILOCODE_API_KEY"],
    baseUrlEnv: "KILOCODE_BASE_URL",
    baseUrl: "https://api.kilo.ai/api/gateway",
    defaultModel: "anthropic/claude-sonnet-4.5",
    traits: { cacheMarkers: /claude|^anthropic\//i },
  },
  {
    id: "huggingface",
    label: "Hugging Face",
    aliases: ["hf"],
    keyEnv: ["HF_TOKEN"],
    baseUrlEnv: "HF_BASE_URL",
    baseUrl: "https://router.huggingface.co/v1",
    defaultModel: "moonshotai/Kimi-K2-Instruct-0905",
  },
  {
    id: "xiaomi",
    label: "Xiaomi MiMo",
    aliases: ["mimo"],
    keyEnv: ["XIAOMI_API_KEY"],
    baseUrlEnv: "XIAOMI_BASE_URL",
    baseUrl: "https://api.xiaomimimo.com/v1",
    defaultModel: "mimo-v2-flash",
    traits: { reasoning: "thinking" },
  },
  {
    id: "tencent-tokenhub",
    label: "Tencent TokenHub",
    aliases: ["tencent", "tokenhub"],
    keyEnv: ["TOKENHUB_API_KEY"],
    baseUrlEnv: "TOKENHUB_BASE_URL",
    baseUrl: "https://tokenhub.tencentmaas.com/v1",
  },
  {
    id: "ollama-cloud",
    label: "Ollama Cloud",
    keyEnv: ["OLLAMA_API_KEY"],
    baseUrlEnv: "OLLAMA_BASE_URL",
    baseUrl: "https://ollama.com/v1",
    defaultModel: "gpt-oss:120b",
  },
  {
    id: "azure-foundry",
    label: "Azure AI Foundry",
    aliases: ["azure"],
    keyEnv: ["AZURE_FOUNDRY_API_KEY"],
    baseUrlEnv: "AZURE_FOUNDRY_BASE_URL",
    traits: { keyHeader: "api-key", maxTokens: "max_completion_tokens" },
  },
  {
    id: "groq",
    label: "Groq",
    keyEnv: ["GROQ_API_KEY"],
    baseUrlEnv: "GROQ_BASE_URL",
    baseUrl: "https://api.groq.com/openai/v1",
    defaultModel: "openai/gpt-oss-120b",
    traits: { maxTokens: "max_completion_tokens" },
  },
  {
    id: "mistral",
    label: "Mistral",
    keyEnv: ["MISTRAL_API_KEY"],
    baseUrlEnv: "MISTRAL_BASE_URL",
    baseUrl: "https://api.mistral.ai/v1",
    defaultModel: "mistral-large-latest",
  },
  {
    id: "together",
    label: "Together AI",
    keyEnv: ["TOGETHER_API_KEY"],
    baseUrlEnv: "TOGETHER_BASE_URL",
    baseUrl: "https://api.together.xyz/v1",
    defaultModel: "moonshotai/Kimi-K2-Instruct-0905",
  },
  {
    id: "fireworks",
    label: "Fireworks AI",
    aliases: ["fw"],
    keyEnv: ["FIREWORKS_API_KEY"],
    baseUrl: "https://api.fireworks.ai/inference/v1",
    defaultModel: "accounts/fireworks/models/kimi-k2-instruct-0905",
  },
  {
    id: "deepinfra",
    label: "DeepInfra",
    keyEnv: ["DEEPINFRA_API_KEY"],
    baseUrlEnv: "DEEPINFRA_BASE_URL",
    baseUrl: "https://api.deepinfra.com/v1/openai",
    defaultModel: "moonshotai/Kimi-K2-Instruct-0905",
  },
  {
    id: "novita",
    label: "Novita AI",
    keyEnv: ["NOVITA_API_KEY"],
    baseUrlEnv: "NOVITA_BASE_URL",
    baseUrl: "https://api.novita.ai/openai/v1",
    defaultModel: "moonshotai/kimi-k2-instruct",
  },
  {
    id: "upstage",
    label: "Upstage",
    aliases: ["solar"],
    keyEnv: ["UPSTAGE_API_KEY"],
    baseUrlEnv: "UPSTAGE_BASE_URL",
    baseUrl: "https://api.upstage.ai/v1",
    defaultModel: "solar-pro2",
  },
  {
    id: "ai-gateway",
    label: "Vercel AI Gateway",
    keyEnv: ["AI_GATEWAY_API_KEY"],
    baseUrlEnv: "AI_GATEWAY_BASE_URL",
    baseUrl: "https://ai-gateway.vercel.sh/v1",
    defaultModel: "anthropic/claude-sonnet-4.5",
  },
  /** Any other endpoint: the base URL comes from `model.base_url`. */
  { id: "custom", label: "Custom endpoint", keyEnv: ["CUSTOM_API_KEY"], baseUrlEnv: "CUSTOM_BASE_URL", keyless: true },
];
