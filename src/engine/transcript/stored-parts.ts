import type { AnswerPart } from "../../contract/conversation/part.ts";
import { answerParts } from "./transcript-messages.ts";

const MAX_ARGS_CHARS = 4_000_000;

/** An answer as stored: unique call ids, no oversized part. The session makes its characters whole. */
export function storedParts(
  parts: readonly AnswerPart[],
  taken: (callId: string) => boolean,
  freshId: () => string,
): readonly AnswerPart[] {
  const short = parts.map((part): AnswerPart =>
    part.type === "tool-call" && part.args.length > MAX_ARGS_CHARS
      ? { ...part, args: `(${part.args.length} characters, too long to keep)` }
      : part,
  );
  return answerParts(short, taken, freshId) ?? short.filter((part) => part.type === "reasoning");
}
