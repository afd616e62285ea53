import type { SessionStore } from "../../../contract/conversation/store.ts";

/** The user whose chat a session is in; `undefined`: the owner, or the session is empty. */
export async function whoseSession(store: Pick<SessionStore, "read">, sessionId: string): Promise<string | undefined> {
  for await (const { fact } of store.read(sessionId)) return fact.type === "session.started" ? fact.whose : undefined;
  return undefined;
}
