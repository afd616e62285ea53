import type { SessionSummary } from "../../../contract/services/session-service.ts";

/** What a person knows a session by. */
export function sessionName({ title, preview, messages, toolCalls }: SessionSummary): string {
  if (title !== undefined || preview !== "" || messages > 0) return title ?? preview;
  return toolCalls === 0 ? "(nothing was said)" : "(a tool called by hand)";
}
