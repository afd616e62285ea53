import type { TokenCounts } from "../../contract/services/insights.ts";
import type { Usage } from "../../contract/providers/model.ts";

/** A running sum of tokens and prices. */
export interface Counts {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  reasoning: number;
  costUsd: number | undefined;
}

export function noTokens(): Counts {
  return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, costUsd: undefined };
}

export function plus(counts: Counts, usage: Partial<Usage>, costUsd: number | null): void {
  counts.input += usage.inputTokens ?? 0;
  counts.output += usage.outputTokens ?? 0;
  counts.cacheRead += usage.cacheReadTokens ?? 0;
  counts.cacheWrite += usage.cacheWriteTokens ?? 0;
  counts.reasoning += usage.reasoningTokens ?? 0;
  if (costUsd !== null) counts.costUsd = (counts.costUsd ?? 0) + costUsd;
}

export function counted({ costUsd, ...tokens }: Counts): { readonly tokens: TokenCounts; readonly costUsd?: number } {
  return { tokens, costUsd };
}
