import type { Usage } from "../../contract/providers/model.ts";

/**
 * Known data of models by name, if neither configuration nor provider has it. First match wins; `local` models can be
 * any loaded model.
 */
const CONTEXT: readonly (readonly [pattern: RegExp, tokens: number])[] = [
  [/^rules$/, 1_000_000],
  [/gpt-4\.1/, 1_047_576],
  [/gpt-5(\.|-|$)/, 400_000],
  [/gpt-oss/, 131_072],
  [/gpt-4o|gpt-4-turbo/, 128_000],
  [/(^|\/)o[134](-|$)/, 200_000],
  [/claude/, 200_000],
  [/gemini-(1\.5|2|3)/, 1_048_576],
  [/grok-4-(fast|1)/, 2_000_000],
  [/grok-4/, 256_000],
  [/kimi-k2/, 262_144],
  [/glm-4\.[67]|glm-5/, 200_000],
  [/qwen3/, 262_144],
  [/deepseek/, 131_072],
  [/minimax/, 204_800],
  [/mistral|devstral|codestral/, 131_072],
  [/llama-?[34]/, 131_072],
];

/** The assumed context length of a model with an unknown name. */
const USUAL_CONTEXT = 128_000;

export function contextTokensOf(model: string): number {
  const name = model.toLowerCase();
  return CONTEXT.find(([pattern]) => pattern.test(name))?.[1] ?? USUAL_CONTEXT;
}

/** USD per million tokens: input, output, read from cache, written to cache. */
type Price = readonly [input: number, output: number, cacheRead: number, cacheWrite: number];

/** List prices of the providers' own services; of other services for the same model a near guess. */
const PRICES: readonly (readonly [pattern: RegExp, price: Price])[] = [
  [/claude-opus-4[-.]([5-9])/, [5, 25, 0.5, 6.25]],
  [/claude-opus-4|claude-3-opus/, [15, 75, 1.5, 18.75]],
  [/claude-(sonnet-[34]|3[-.]\d-sonnet)/, [3, 15, 0.3, 3.75]],
  [/claude-haiku-4/, [1, 5, 0.1, 1.25]],
  [/claude-3[-.]5-haiku/, [0.8, 4, 0.08, 1]],
  [/gpt-5-nano/, [0.05, 0.4, 0.005, 0.05]],
  [/gpt-5-mini/, [0.25, 2, 0.025, 0.25]],
  [/gpt-5$/, [1.25, 10, 0.125, 1.25]],
  [/gpt-4\.1-mini/, [0.4, 1.6, 0.1, 0.4]],
  [/gpt-4\.1$/, [2, 8, 0.5, 2]],
  [/gpt-4o-mini/, [0.15, 0.6, 0.075, 0.15]],
  [/gpt-4o$/, [2.5, 10, 1.25, 2.5]],
  [/gemini-2\.5-pro/, [1.25, 10, 0.125, 1.25]],
  [/gemini-2\.5-flash$/, [0.3, 2.5, 0.03, 0.3]],
  [/deepseek-(chat|reasoner)/, [0.28, 0.42, 0.028, 0.28]],
];

/** The list price of a million tokens; `undefined`: unknown. */
export function listPriceOf(model: string): { readonly inputUsd: number; readonly outputUsd: number } | undefined {
  const price = PRICES.find(([pattern]) => pattern.test(model.toLowerCase()))?.[1];
  return price === undefined ? undefined : { inputUsd: price[0], outputUsd: price[1] };
}

/** What a token cached for an hour costs, in input tokens. */
const HOURLY_WRITE = 2;

/** The cost of a usage; `undefined` if the price is unknown, which is never shown as free. */
export function priceOf(model: string): ((usage: Usage) => number) | undefined {
  const name = model.toLowerCase();
  const price = PRICES.find(([pattern]) => pattern.test(name))?.[1];
  if (price === undefined) return undefined;
  const [input, output, cacheRead, cacheWrite] = price;
  return (usage) => {
    const plain = Math.max(0, usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens);
    return (
      (plain * input +
        usage.outputTokens * output +
        usage.cacheReadTokens * cacheRead +
        usage.cacheWriteTokens * cacheWrite +
        (usage.cacheWrite1hTokens ?? 0) * (HOURLY_WRITE * input - cacheWrite)) /
      1_000_000
    );
  };
}
