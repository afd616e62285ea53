import type { Json, ModelRequest } from "hermes-agent/plugin";

/** Abilities of a model that its requests depend on, by model name. */
export interface ModelTraits {
  /** Required by the wire, so there is always one. */
  readonly maxOutputTokens: number;
  /** `adaptive`: the model budgets itself by effort; `budget`: tokens are given; `none`: it does not think. */
  readonly thinking: "adaptive" | "budget" | "none";
}

export function traitsOf(model: string): ModelTraits {
  const version = versionOf(model);
  if (version === undefined) return { maxOutputTokens: 32_000, thinking: "budget" };
  if (version < 3.5) return { maxOutputTokens: 4_096, thinking: "none" };
  if (version < 3.7) return { maxOutputTokens: 8_192, thinking: "none" };
  if (/opus/.test(model) && version < 4.5) return { maxOutputTokens: 32_000, thinking: "budget" };
  return { maxOutputTokens: 64_000, thinking: version < 4.6 ? "budget" : "adaptive" };
}

/**
 * `claude-opus-4-5-20251101` → 4.5, `claude-3-7-sonnet-latest` → 3.7; `undefined` for other families and names without
 * a number.
 */
function versionOf(model: string): number | undefined {
  const found = /claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/.exec(model);
  return found === null ? undefined : Number(`${found[1]}.${found[2] ?? 0}`);
}

const BUDGETS = { minimal: 1_024, low: 4_096, medium: 10_000, high: 20_000, xhigh: 32_000, max: 48_000 } as const;
const EFFORTS = { minimal: "low", low: "low", medium: "medium", high: "high", xhigh: "high", max: "max" } as const;

/** The fields that request thinking; empty if thinking is not requested or not supported. */
export function thinkingFields(request: ModelRequest, maxTokens: number): Record<string, Json> {
  const effort = request.reasoningEffort;
  const { thinking } = traitsOf(request.model);
  if (effort === undefined || effort === "none" || thinking === "none") return {};
  if (thinking === "adaptive") return { thinking: { type: "adaptive" }, output_config: { effort: EFFORTS[effort] } };
  // The budget is part of the output limit and must leave room for the answer.
  const budget = Math.min(BUDGETS[effort], maxTokens - 1_024);
  if (budget < 1_024 || !loopStartedThinking(request)) return {};
  return { thinking: { type: "enabled", budget_tokens: budget } };
}

/**
 * With a budget, a running tool loop must have started with signed thinking; otherwise it continues without thinking.
 */
function loopStartedThinking(request: ModelRequest): boolean {
  const last = request.messages.at(-1);
  if (last?.role !== "tool") return true;
  const answer = request.messages.findLast((message) => message.role === "assistant");
  const first = answer?.role === "assistant" ? answer.parts[0] : undefined;
  return first?.type === "reasoning" && first.provider !== undefined;
}
