import type { SessionStore } from "../../../contract/conversation/store.ts";

/** Whose chat a session is in; `undefined`: the owner's, or nothing was said in it yet. */
export async function whoseSession(store: Pick<SessionStore, "read">, sessionId: string): Promise<string | undefined> {
  for await (const { fact } of store.read(sessionId)) return fact.type === "session.started" ? fact.whose : undefined;
  return undefined;
}
