import type { JsonObject, PluginContext } from "hermes-agent/plugin";
import { fitted, readConversation, type Message, type Role } from "./conversation.ts";
import { isConversation, Lineages, metaOf } from "./lineage.ts";
import { asJson, type Shown } from "./show-session.ts";
import type { Summarize } from "./summarize.ts";
import { definedFields } from "hermes-agent/plugin";

const RESULT_CHARS = 30_000;
const QUERY_CHARS = 2048;
const SCANNED = 300;
const AROUND = 5;
const ENDS = 3;
const ANYBODY: ReadonlySet<string> = new Set(["title", "summary", "user", "assistant"]);

type Hit = Awaited<ReturnType<PluginContext["sessions"]["search"]>>[number];

export interface Wanted {
  readonly query: string;
  readonly limit: number;
  readonly sort: "newest" | "oldest" | undefined;
  /** Absent: what people and models said, and titles and summaries, which nobody said. */
  readonly roles: ReadonlySet<string> | undefined;
}

/**
 * Conversations in which the words occur, but for the one that asks; each once, with what was said around the first hit.
 * @param summarize Absent: the messages themselves are shown.
 */
export async function findSessions(
  sessions: PluginContext["sessions"],
  current: string,
  wanted: Wanted,
  summarize: Summarize | undefined,
): Promise<Shown> {
  const query = wanted.query.slice(0, QUERY_CHARS).toWellFormed();
  const hits = await oncePerConversation(sessions, current, await sessions.search(query, { limit: SCANNED }), wanted);
  const chosen = hits.slice(0, wanted.limit);
  const untrusted = new Set<string>();
  const results = await Promise.all(
    chosen.map(async (hit): Promise<JsonObject> => {
      const conversation = await readConversation(
        sessions.facts(hit.session.id),
        new Set<Role>(wanted.roles?.has("tool") === true ? ["user", "assistant", "tool"] : ["user", "assistant"]),
      );
      for (const source of conversation.foreign) untrusted.add(source);
      const message = headOf(hit);
      const summary = await summarize?.(query, hit.session, conversation.messages, hit.seq);
      if (summary !== undefined && "text" in summary) return { ...message, summary: summary.text };
      return {
        ...message,
        ...excerptOf(conversation.messages, hit.seq, RESULT_CHARS / chosen.length),
        ...definedFields({ summary_error: summary?.error }),
      };
    }),
  );
  return {
    result: definedFields({
      success: true,
      mode: "discover",
      query,
      results,
      count: results.length,
      sessions_searched: hits.length,
      message:
        results.length === 0 ? "No earlier conversation holds these words. Fewer or other words may." : undefined,
    }),
    foreign: [...untrusted],
  };
}

/** Titles come first, as their sessions are about the words; what ran on a schedule comes last. */
async function oncePerConversation(
  sessions: PluginContext["sessions"],
  current: string,
  hits: readonly Hit[],
  { sort, roles }: Wanted,
): Promise<readonly Hit[]> {
  const lineages = new Lineages(sessions);
  const seen = new Set([await lineages.rootOf(current)]);
  const found: Hit[] = [];
  const asked = hits.filter(({ role, session }) => isConversation(session) && (roles ?? ANYBODY).has(role));
  for (const hit of [
    ...asked.filter(({ role }) => role === "title"),
    ...asked.filter(({ role }) => role !== "title"),
  ]) {
    const root = await lineages.rootOf(hit.session.id);
    if (seen.has(root)) continue;
    seen.add(root);
    found.push(hit);
  }
  const sorted = sort === undefined ? found : found.toSorted((a, b) => (sort === "newest" ? b.at - a.at : a.at - b.at));
  return [
    ...sorted.filter(({ session }) => session.surface !== "cron"),
    ...sorted.filter(({ session }) => session.surface === "cron"),
  ];
}

function headOf({ session, role, seq, snippet }: Hit): JsonObject {
  return {
    session_id: session.id,
    ...metaOf(session),
    matched_role: role === "title" ? "session_title" : role,
    match_message_id: seq,
    snippet,
    ...definedFields({ parent_session_id: session.parentId }),
  };
}

/** What was said around the hit, and how the conversation began and ended where that is not there anyway. */
function excerptOf(messages: readonly Message[], seq: number, chars: number): JsonObject {
  const exact = messages.findIndex(({ id }) => id >= seq);
  const at = exact === -1 ? Math.max(0, messages.length - 1) : exact;
  const from = Math.max(0, at - AROUND);
  const to = Math.min(messages.length, at + AROUND + 1);
  const pieces = [
    messages.slice(0, Math.min(ENDS, from)),
    messages.slice(from, to),
    messages.slice(Math.max(to, messages.length - ENDS)),
  ] as const;
  const whole = fitted(pieces.flat(), chars);
  const [start, middle, end] = [
    whole.slice(0, pieces[0].length),
    whole.slice(pieces[0].length, pieces[0].length + pieces[1].length),
    whole.slice(pieces[0].length + pieces[1].length),
  ];
  return {
    bookend_start: asJson(start),
    messages: asJson(middle, messages[at]?.id),
    bookend_end: asJson(end),
    // Fewer than could be shown: there the conversation begins, or ends.
    messages_before: Math.max(0, at - from),
    messages_after: Math.max(0, to - 1 - at),
  };
}
