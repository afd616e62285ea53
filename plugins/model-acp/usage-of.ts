import { isObject, type Usage } from "hermes-agent/plugin";

/** Token counts of a session's only prompt; `undefined` if the agent reports none, like most agents. */
export function usageOf(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const [input, output, read, written, thought, total] = [
    "inputTokens",
    "outputTokens",
    "cachedReadTokens",
    "cachedWriteTokens",
    "thoughtTokens",
    "totalTokens",
  ].map((name) => count(value[name])) as [number, number, number, number, number, number];
  if (input === 0 && output === 0) return undefined;
  // The protocol does not define whether input includes cached tokens; the total shows it.
  const apart = total >= input + output + read + written ? read + written : 0;
  return {
    inputTokens: input + apart,
    outputTokens: output,
    cacheReadTokens: read,
    cacheWriteTokens: written,
    reasoningTokens: thought,
  };
}

/** Estimates 3.8 characters a token if the agent reports no usage. */
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
