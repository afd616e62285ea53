import type { ChatLanes, ChatPost } from "../../contract/services/gateway-service.ts";
import type { SessionStore } from "../../contract/conversation/store.ts";
import { chatOf } from "../jobs/chat-of.ts";
import { whoseSession } from "../store/facts/session-user.ts";

/** The user of a session, as stored: for tools that send messages. */
export async function speakerOf(
  sessionId: string,
  store: Pick<SessionStore, "read">,
  lanes: Pick<ChatLanes, "unfinished">,
): ReturnType<ChatPost["speaker"]> {
  const [whose, chat] = [await whoseSession(store, sessionId), await chatOf(lanes, sessionId)];
  return { whose, chat };
}
