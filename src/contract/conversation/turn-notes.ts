import type { Fact } from "./fact.ts";

/** Shown where a summary replaced the beginning of the conversation. */
export const COMPACTION_NOTE = "The conversation was long, so a summary now replaces its beginning.";

/** The line that shows how a turn ended, live and when the session is resumed; `undefined` for a finished turn. */
export function turnEndNote({
  reason,
  detail,
}: Pick<Extract<Fact, { type: "turn.ended" }>, "reason" | "detail">):
  | { readonly text: string; readonly role: "stopped" | "failed" }
  | undefined {
  if (reason === "done") return undefined;
  if (reason === "failed") return { text: `✗ ${detail ?? reason}`, role: "failed" };
  return { text: `■ ${detail || (reason === "cancelled" ? "stopped" : reason)}`, role: "stopped" };
}
