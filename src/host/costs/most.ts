import type { ModelRequest, Usage } from "../../contract/providers/model.ts";
import { NO_USAGE } from "../../contract/common/usage.ts";
import { estimateTokens } from "../../engine/turn/token-estimate.ts";

/** Output that is reserved for a request that sets no limit. */
const UNLIMITED_OUTPUT = 32_000;
/** A service may count more tokens than the estimate, for some languages half as much again. */
const ESTIMATE_SHARE = 1.5;
const ESTIMATE_TOKENS = 200;
/** A limit below this makes answers useless. */
const LEAST_OUTPUT = 256;
const CHARS_PER_TOKEN = 3;

/** What a request may cost at most, before it is sent. */
export interface MostCost {
  readonly inputUsd: number;
  readonly perOutputTokenUsd: number;
  readonly outputTokens: number;
}

export function mostCost(request: ModelRequest, price: (usage: Usage) => number): MostCost {
  const inputTokens = Math.ceil(estimateTokens(request) * ESTIMATE_SHARE) + ESTIMATE_TOKENS;
  return {
    inputUsd: Math.max(
      price({ ...NO_USAGE, inputTokens }),
      price({ ...NO_USAGE, inputTokens, cacheWriteTokens: inputTokens }),
    ),
    perOutputTokenUsd: price({ ...NO_USAGE, outputTokens: 1_000_000 }) / 1_000_000,
    outputTokens: request.maxOutputTokens ?? UNLIMITED_OUTPUT,
  };
}

/** Output tokens that fit below a limit of one request; `undefined`: not even a short answer does. */
export function affordableOutput({ inputUsd, perOutputTokenUsd, outputTokens }: MostCost, limitUsd: number) {
  const left = limitUsd - inputUsd;
  const fits = perOutputTokenUsd === 0 ? outputTokens : Math.floor(left / perOutputTokenUsd);
  return left <= 0 || fits < Math.min(LEAST_OUTPUT, outputTokens) ? undefined : Math.min(fits, outputTokens);
}

/** About what a request cost whose answer broke off after so many characters. */
export function brokenOffUsd({ inputUsd, perOutputTokenUsd, outputTokens }: MostCost, chars: number): number {
  return inputUsd + Math.min(outputTokens, Math.ceil(chars / CHARS_PER_TOKEN)) * perOutputTokenUsd;
}
