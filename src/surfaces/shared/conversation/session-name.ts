import type { SessionSummary } from "../../../contract/services/session-service.ts";

/** The name that lists show for a session. */
export function sessionName({ title, preview, messages, toolCalls }: SessionSummary): string {
  if (title !== undefined || preview !== "" || messages > 0) return title ?? preview;
  return toolCalls === 0 ? "(empty)" : "(manual tool call)";
}
