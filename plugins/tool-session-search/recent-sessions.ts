import type { JsonObject, PluginContext } from "hermes-agent/plugin";
import { readConversation } from "./conversation.ts";
import { dayAndTime, isConversation, Lineages } from "./lineage.ts";

/** Number of newest sessions that are considered. */
const LOOKED_AT = 100;

/** The latest conversations except the current one, each once. */
export async function recentSessions(
  sessions: PluginContext["sessions"],
  current: string,
  limit: number,
): Promise<{ readonly result: JsonObject; readonly sources: readonly string[] }> {
  const lineages = new Lineages(sessions);
  const seen = new Set([await lineages.rootOf(current)]);
  const results: JsonObject[] = [];
  const untrusted = new Set<string>();
  for (const session of await sessions.list({ limit: LOOKED_AT })) {
    if (results.length >= limit) break;
    const root = await lineages.rootOf(session.id);
    if (seen.has(root) || !isConversation(session)) continue;
    seen.add(root);
    const { id, title, surface, startedAt, lastAt, messages, preview } = session;
    results.push({
      session_id: id,
      title: title ?? null,
      source: surface,
      started_at: dayAndTime(startedAt),
      last_active: dayAndTime(lastAt),
      message_count: messages,
      preview,
    });
    // A title may be derived from untrusted content.
    for (const source of (await readConversation(sessions.facts(id), new Set())).sources) untrusted.add(source);
  }
  return {
    result: {
      success: true,
      mode: "browse",
      results,
      count: results.length,
      message:
        results.length === 0
          ? "There are no earlier conversations."
          : "Use query to search all of them, session_id to read one.",
    },
    sources: [...untrusted],
  };
}
