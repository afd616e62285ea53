import { resolve } from "node:path";
import type { ListSessionsRequest, ListSessionsResponse } from "@agentclientprotocol/sdk/unstable";
import type { App } from "../../contract/services/app.ts";
import { sessionName } from "../shared/conversation/session-name.ts";

const PAGE = 50;

/**
 * Editor conversations, newest first, fifty a page; with `cwd` only those of that folder. An unknown cursor gives an
 * empty page.
 */
export async function sessionPage(
  { sessions }: Pick<App, "sessions">,
  surface: string,
  request: ListSessionsRequest,
): Promise<ListSessionsResponse> {
  const { cwd, cursor } = { cwd: request.cwd ?? undefined, cursor: request.cursor ?? undefined };
  const all = (await sessions.list({ surface })).filter((one) => cwd === undefined || one.cwd === resolve(cwd));
  const from = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1;
  const page = cursor !== undefined && from === 0 ? [] : all.slice(from, from + PAGE);
  return {
    sessions: page.map((one) => ({
      sessionId: one.id,
      cwd: one.cwd,
      title: sessionName(one),
      updatedAt: new Date(one.lastAt).toISOString(),
    })),
    nextCursor: page.length > 0 && from + PAGE < all.length ? page.at(-1)!.id : undefined,
  };
}
