import type { App } from "../../../contract/services/app.ts";
import { sessionName } from "../conversation/session-name.ts";

/** The titles of the sessions that still exist, by id. */
export async function sessionTitles({ sessions }: Pick<App, "sessions">): Promise<ReadonlyMap<string, string>> {
  return new Map((await sessions.list()).map((session) => [session.id, sessionName(session)]));
}
