import type { Recorded } from "../../../contract/conversation/fact.ts";
import { textOf } from "../../../contract/conversation/part.ts";
import type { TurnEnd } from "../../../contract/conversation/session.ts";
import { NO_USAGE, sumOfUsage } from "../../../contract/common/usage.ts";
import { endByFacts, inputByFacts } from "../../shared/conversation/turn-answer.ts";

/** How a turn ended, and the fact that says so. */
export interface ApiTurnEnd extends Pick<TurnEnd, "turnId" | "reason" | "text" | "detail" | "usage"> {
  readonly seq: number;
}

/** How the turn of an input ended, by the facts of its session; `undefined` while it has not. */
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

/** Whether an answer was given after this point. What was broken off is none: whoever sends it again goes on there. */
export function wentOn(facts: readonly Recorded[], seq: number): boolean {
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

/** What the session's system prompt says, once it is fixed. */
export function systemPromptOf(facts: readonly Recorded[]): string | undefined {
  const fixed = facts.findLast(({ fact }) => fact.type === "prefix.fixed")?.fact;
  return fixed?.type === "prefix.fixed" ? fixed.system : undefined;
}

/** Everything that was said in one turn, as a stream shows it. */
export function spokenIn(facts: readonly Recorded[], turnId: string): string {
  return facts
    .flatMap(({ fact }) =>
      fact.type === "model.answered" && fact.turnId === turnId
        ? [textOf(fact.parts.filter(({ type }) => type === "text"))]
        : [],
    )
    .filter((text) => text.trim() !== "")
    .join("\n\n");
}
