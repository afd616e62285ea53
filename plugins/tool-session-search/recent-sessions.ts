import type { JsonObject, PluginContext } from "hermes-agent/plugin";
import { readConversation } from "./conversation.ts";
import { dayAndTime, isConversation, Lineages } from "./lineage.ts";

/** Of so many that are newest the conversations are told. */
const LOOKED_AT = 100;

/** The latest conversations but for the one that asks, each once. */
export async function recentSessions(
  sessions: PluginContext["sessions"],
  current: string,
  limit: number,
): Promise<{ readonly result: JsonObject; readonly foreign: readonly string[] }> {
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
    // A title may have been made of what strangers wrote.
    for (const source of (await readConversation(sessions.facts(id), new Set())).foreign) untrusted.add(source);
  }
  return {
    result: {
      success: true,
      mode: "browse",
      results,
      count: results.length,
      message:
        results.length === 0
          ? "There is no earlier conversation."
          : "query finds words in all of them, session_id reads one.",
    },
    foreign: [...untrusted],
  };
}
