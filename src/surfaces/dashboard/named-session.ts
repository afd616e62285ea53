import { sessionName } from "../shared/conversation/session-name.ts";
import type { SessionSummary } from "../../contract/services/session-service.ts";

/** Adds the name shown to the user. */
export function named(session: SessionSummary): SessionSummary & { readonly name: string } {
  return { ...session, name: sessionName(session) };
}
