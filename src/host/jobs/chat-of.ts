import type { ChatLanes } from "../../contract/services/gateway-service.ts";
import type { JobOrigin } from "../../contract/services/job.ts";

/** The chat of the newest message that this session was handed and has not answered. */
export async function chatOf(lanes: Pick<ChatLanes, "unfinished">, sessionId: string): Promise<JobOrigin | undefined> {
  const found = (await lanes.unfinished()).findLast((one) => one.sessionId === sessionId);
  if (found === undefined) return undefined;
  const { chat_id, chat_name, thread_id, user_id } = found.message;
  return {
    platform: found.platform,
    chat_id,
    chat_name: chat_name ?? null,
    thread_id: thread_id ?? null,
    user_id: user_id ?? null,
  };
}
