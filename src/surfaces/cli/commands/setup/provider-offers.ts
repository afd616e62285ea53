import type { App } from "../../../../contract/services/app.ts";
import type { ModelService } from "../../../../contract/services/model-service.ts";
import type { Choice } from "../../input/questions.ts";

/** A provider in the list of `hermes setup`, or one model of a server on this machine. */
export interface Offer {
  readonly provider: string;
  readonly label: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly defaultModel?: string;
  /** Variables that may hold its key. */
  readonly keyEnv: readonly string[];
  readonly key: "required" | "optional" | "none";
}

type Provider = Awaited<ReturnType<ModelService["providers"]>>[number];

/** Providers that most new users have a key for, and the servers that need none; the others follow by name. */
const COMMON: readonly (readonly [id: string, about: string])[] = [
  ["openrouter", "hundreds of models with one key"],
  ["anthropic", "Claude"],
  ["openai", "GPT"],
  ["gemini", ""],
  ["nous", "Hermes and others"],
  ["ollama", "models on this machine, no key"],
  ["lmstudio", "models on this machine, no key"],
  ["xai", "Grok"],
  ["deepseek", ""],
  ["copilot", ""],
];
const MODELS_OF_A_SERVER = 5;

/**
 * What a user can choose: servers that answer on this machine, providers whose key is set, the common providers, any
 * other address, then the rest by name.
 */
export async function providerOffers(app: App, signal: AbortSignal): Promise<readonly Choice<Offer>[]> {
  const [local, all] = await Promise.all([app.models.findLocal(signal), app.models.providers()]);
  const running = local.flatMap(({ name, baseUrl, models }) =>
    models.slice(0, MODELS_OF_A_SERVER).map((model): Choice<Offer> => ({
      label: `${model} (${name} at ${baseUrl})`,
      value: { provider: "custom", label: name, model, baseUrl, keyEnv: [], key: "none" },
    })),
  );
  const known = all.filter(({ id }) => id !== "offline" && id !== "custom");
  const ready = known.filter((provider) => hasKey(app, provider));
  const common = COMMON.flatMap(([id]) => known.find((provider) => provider.id === id) ?? []);
  const rest = known.toSorted((a, b) => a.label.localeCompare(b.label));
  const [first, others] = [new Set([...ready, ...common]), new Set(rest)];
  return [
    ...running,
    ...[...first].map((provider) => choiceOf(app, provider)),
    {
      label: "Another OpenAI-compatible server",
      value: { provider: "custom", label: "The server", keyEnv: ["CUSTOM_API_KEY"], key: "optional" },
    },
    ...[...others.difference(first)].map((provider) => choiceOf(app, provider)),
  ];
}

function choiceOf(app: App, provider: Provider): Choice<Offer> {
  const { id, label, keyEnv, defaultModel } = provider;
  const needsKey = (!provider.ready || hasKey(app, provider)) && !provider.program;
  const notes = [COMMON.find(([common]) => common === id)?.[1] ?? "", stateOf(app, provider)].filter(Boolean);
  return {
    label: `${label}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`,
    value: { provider: id, label, keyEnv, key: needsKey ? "required" : "none", defaultModel },
  };
}

function hasKey(app: App, { ready, program, keyEnv }: Provider): boolean {
  return ready && !program && keyEnv.some((name) => app.config.hasVariable(name));
}

/** Servers that answered are listed above; a provider that needs no key may be a server that does not run. */
function stateOf(app: App, provider: Provider): string {
  if (!provider.ready || provider.id.startsWith("custom:")) return "";
  if (provider.program) return "a local program";
  if (hasKey(app, provider)) return "its key is set";
  return COMMON.some(([id]) => id === provider.id) ? "" : "a local server";
}
