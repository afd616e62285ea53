import type { SessionSummary } from "../../../contract/services/session-service.ts";

/** `answer`: a call waits for the user's answer. `done`: no turn is open. */
export type SessionState = "running" | "approval" | "answer" | "interrupted" | "done";

/** A session as lists show it. */
export type ListedSession = SessionSummary & { readonly name: string; readonly state: SessionState };
