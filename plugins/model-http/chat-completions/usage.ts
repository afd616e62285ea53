import type { Usage } from "hermes-agent/plugin";

type Fields = { readonly [key: string]: unknown };

/** Token counts in any of the spellings that services use; `undefined` when they say nothing. */
export function usageOf(value: unknown): Usage | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const usage = value as Fields;
  const input = (usage["prompt_tokens_details"] ?? {}) as Fields;
  const output = (usage["completion_tokens_details"] ?? {}) as Fields;
  const inputTokens = count(usage["prompt_tokens"]);
  const outputTokens = count(usage["completion_tokens"]);
  if (inputTokens === 0 && outputTokens === 0) return undefined;
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: count(input["cached_tokens"] ?? usage["prompt_cache_hit_tokens"] ?? usage["cached_tokens"]),
    cacheWriteTokens: count(input["cache_write_tokens"] ?? input["cache_creation_tokens"]),
    reasoningTokens: count(output["reasoning_tokens"]),
  };
}

/**
 * USD that the service says it charges for the request. With the user's own key of another provider (OpenRouter), that
 * provider's charge is separate.
 */
export function costOf(value: unknown): number | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { cost, is_byok: ownKey, cost_details: details } = value as Fields;
  const upstream = ownKey === true ? amount((details as Fields | null | undefined)?.["upstream_inference_cost"]) : 0;
  const own = amount(cost);
  return own === undefined ? undefined : own + (upstream ?? 0);
}

/** A decimal number, also as text in a header. */
export function amount(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** 3.8 characters a token, when the service does not say. */
export function estimatedUsage(chars: {
  readonly request: number;
  readonly answer: number;
  readonly thinking: number;
}): Usage {
  const tokens = (of: number): number => Math.ceil(of / 3.8);
  return {
    inputTokens: tokens(chars.request),
    outputTokens: tokens(chars.answer + chars.thinking),
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: tokens(chars.thinking),
  };
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
