import type { Recorded } from "../../../contract/conversation/fact.ts";
import { textOf } from "../../../contract/conversation/part.ts";
import type { TurnEnd } from "../../../contract/conversation/session.ts";
import { NO_USAGE, sumOfUsage } from "../../../contract/common/usage.ts";
import { endByFacts, inputByFacts } from "../../shared/conversation/turn-answer.ts";

/** How a turn ended, and the fact that records it. */
export interface ApiTurnEnd extends Pick<TurnEnd, "turnId" | "reason" | "text" | "detail" | "usage"> {
  readonly seq: number;
}

/** How the turn of an input ended, from the facts of its session; `undefined`: it has not ended. */
export function endOfInput(
  facts: readonly Recorded[],
  inputId: string,
): (ApiTurnEnd & { readonly at: number }) | undefined {
  const input = inputByFacts(facts, inputId);
  if (typeof input === "string") return undefined;
  const end = endByFacts(facts, input.turnId);
  const last = facts.find(({ fact }) => fact.type === "turn.ended" && fact.turnId === input.turnId);
  if (end === undefined || last === undefined) return undefined;
  const usage = facts.reduce(
    (sum, { fact }) =>
      fact.type === "model.answered" && fact.turnId === input.turnId ? sumOfUsage(sum, fact.usage) : sum,
    NO_USAGE,
  );
  return { ...end, turnId: input.turnId, usage, seq: last.seq, at: last.at };
}

/**
 * Whether a turn after this point has an answer. An interrupted turn has none: resending its message continues there.
 */
export function hasAnswerAfter(facts: readonly Recorded[], seq: number): boolean {
  const asked = new Set(
    facts.flatMap(({ fact }) => (fact.type === "message.added" && fact.origin === "person" ? [fact.turnId] : [])),
  );
  return facts.some(
    (recorded) =>
      recorded.seq > seq &&
      recorded.fact.type === "turn.ended" &&
      asked.has(recorded.fact.turnId) &&
      recorded.fact.reason !== "cancelled" &&
      recorded.fact.reason !== "failed",
  );
}

/** The session's system prompt, once it is fixed. */
export function systemPromptOf(facts: readonly Recorded[]): string | undefined {
  const fixed = facts.findLast(({ fact }) => fact.type === "prefix.fixed")?.fact;
  return fixed?.type === "prefix.fixed" ? fixed.system : undefined;
}

/** All assistant text of one turn, as a stream shows it. */
export function assistantTextOf(facts: readonly Recorded[], turnId: string): string {
  return facts
    .flatMap(({ fact }) =>
      fact.type === "model.answered" && fact.turnId === turnId
        ? [textOf(fact.parts.filter(({ type }) => type === "text"))]
        : [],
    )
    .filter((text) => text.trim() !== "")
    .join("\n\n");
}
