import type { Recorded } from "../../../contract/conversation/fact.ts";
import { textOf } from "../../../contract/conversation/part.ts";
import type { TurnEnd } from "../../../contract/conversation/session.ts";

export const NOTHING_TO_SAY = "(Done, without an answer.)";

const SILENT = new Set(["[silent]", "silent", "no_reply", "no reply"]);
const LONGEST_SILENCE = 64;

/** The message to a chat at the end of a turn; `undefined`: none. */
export function answerOf({ reason, text, detail }: Pick<TurnEnd, "reason" | "text" | "detail">): string | undefined {
  if (reason === "done") return text.trim() === "" ? NOTHING_TO_SAY : isSilent(text) ? undefined : text;
  // The user who stopped it knows.
  if (reason === "cancelled") return undefined;
  const why = detail ?? (reason === "failed" ? "The turn failed." : "The turn reached its limit.");
  return text.trim() === "" ? `⚠ ${why}` : `${text}\n\n⚠ ${why}`;
}

/** How a turn ended, from its facts; `undefined` while it runs. */
export function endByFacts(
  facts: readonly Recorded[],
  turnId: string,
): Pick<TurnEnd, "reason" | "text" | "detail"> | undefined {
  let text = "";
  for (const { fact } of facts) {
    if (fact.type === "model.answered" && fact.turnId === turnId)
      text = textOf(fact.parts.filter(({ type }) => type === "text"));
    if (fact.type === "turn.ended" && fact.turnId === turnId) return { reason: fact.reason, text, detail: fact.detail };
  }
  return undefined;
}

/** The state of an input: the turn that read it, or that it is queued, or that the session does not know it. */
export function inputByFacts(
  facts: readonly Recorded[],
  inputId: string,
): { readonly turnId: string } | "waits" | "unknown" {
  let found: { readonly turnId: string } | "waits" | "unknown" = "unknown";
  for (const { fact } of facts) {
    if (fact.type === "input.queued" && fact.inputId === inputId) found = "waits";
    if (fact.type === "input.withdrawn" && fact.inputId === inputId) found = "unknown";
    if (fact.type === "message.added" && fact.inputId === inputId) found = { turnId: fact.turnId };
  }
  return found;
}

/** Whether a partial answer may still become a silent one, such as "[SILENT]". */
export function mayBecomeSilent(written: string): boolean {
  const word = written
    .trim()
    .toLowerCase()
    .replace(/^["'`*_]+/, "");
  return (
    word.length <= LONGEST_SILENCE && [...SILENT].some((silence) => silence.startsWith(word.replace(/["'`*_.!]+$/, "")))
  );
}

function isSilent(text: string): boolean {
  return (
    text.trim().length <= LONGEST_SILENCE &&
    SILENT.has(
      text
        .trim()
        .toLowerCase()
        .replace(/^["'`*_]+|["'`*_.!]+$/g, ""),
    )
  );
}
