import type { JsonObject } from "../../contract/common/json.ts";
import type { Usage } from "../../contract/providers/model.ts";

/** The tokens and cost of a request, under every name that the original uses. */
export function usageOf(usage: Usage): JsonObject {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage;
  return {
    prompt_tokens: inputTokens,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    cache_read_tokens: cacheReadTokens,
    cache_write_tokens: cacheWriteTokens,
    reasoning_tokens: reasoningTokens,
  };
}
