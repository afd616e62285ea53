import type { AnswerPart } from "../../contract/conversation/part.ts";
import { answerParts } from "./transcript-messages.ts";

const MAX_ARGS_CHARS = 4_000_000;

/** An answer as stored: whole characters, unique call ids, no oversized part. */
export function storedParts(
  parts: readonly AnswerPart[],
  taken: (callId: string) => boolean,
  freshId: () => string,
): readonly AnswerPart[] {
  const whole = parts.map((part): AnswerPart => {
    if (part.type === "text") return part.text.isWellFormed() ? part : { ...part, text: part.text.toWellFormed() };
    if (part.type === "reasoning") return part.text.isWellFormed() ? part : { ...part, text: part.text.toWellFormed() };
    if (part.args.length > MAX_ARGS_CHARS)
      return { ...part, args: `(${part.args.length} characters, too long to keep)` };
    return part.args.isWellFormed() ? part : { ...part, args: part.args.toWellFormed() };
  });
  return answerParts(whole, taken, freshId) ?? whole.filter((part) => part.type === "reasoning");
}
