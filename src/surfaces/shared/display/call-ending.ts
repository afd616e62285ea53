import { shownOf, type SettledOutcome } from "../../../contract/tools/outcome.ts";
import { textOf } from "../../../contract/conversation/part.ts";

/** How a call ended, for display: its kind, and the reason if it did not succeed. */
export interface CallEnding {
  readonly kind: "ok" | "failed" | "refused" | "stopped";
  /** "" when there is nothing to add. */
  readonly text: string;
}

export function endingOf(outcome: SettledOutcome): CallEnding {
  switch (outcome.kind) {
    case "ok":
      return { kind: "ok", text: exitOf(textOf(shownOf(outcome))) };
    case "failed":
      return { kind: "failed", text: outcome.message };
    case "denied":
      return { kind: "refused", text: outcome.by === "person" ? "denied by you" : firstSentence(outcome.reason) };
    case "cancelled":
      return { kind: "stopped", text: "stopped" };
    case "unknown":
      return { kind: "stopped", text: "interrupted, outcome unknown" };
  }
}

/** Does the same for a past call, from the stored text that the model read. */
export function endingOfText(ok: boolean, text: string): CallEnding {
  if (ok) return { kind: "ok", text: exitOf(text) };
  const { error, status } = fields(text);
  return {
    kind: status === "blocked" ? "refused" : "failed",
    text: firstSentence(typeof error === "string" ? error : text),
  };
}

/** A command that ran and failed is a successful call with an exit code. */
function exitOf(text: string): string {
  const { exit_code: code } = fields(text);
  return typeof code === "number" && code !== 0 ? `exit ${code}` : "";
}

/** The rest of a denial is for the model: what not to do next. */
function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
}

function fields(text: string): { readonly [key: string]: unknown } {
  if (!text.startsWith("{")) return {};
  try {
    return JSON.parse(text) as { readonly [key: string]: unknown };
  } catch {
    return {}; // Not JSON.
  }
}
