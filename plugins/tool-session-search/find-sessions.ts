import type { JsonObject, PluginContext } from "hermes-agent/plugin";
import { fitted, readConversation, type Message, type Role } from "./conversation.ts";
import { isConversation, Lineages, metaOf } from "./lineage.ts";
import { asJson, type Shown } from "./show-session.ts";
import type { Summarize } from "./summarize.ts";
import { definedFields } from "hermes-agent/plugin";

const RESULT_CHARS = 30_000;
const QUERY_CHARS = 2048;
/** Sessions that a search returns, newest first, before those of one conversation are merged. */
const SCANNED = 2_000;
const AROUND = 5;
const ENDS = 3;
const ANYBODY = ["title", "summary", "user", "assistant"];

type Hit = Awaited<ReturnType<PluginContext["sessions"]["search"]>>[number];

export interface Wanted {
  readonly query: string;
  readonly limit: number;
  readonly sort: "newest" | "oldest" | undefined;
  /** Absent: user and assistant messages, titles and summaries. */
  readonly roles: ReadonlySet<string> | undefined;
}

/**
 * Conversations that contain the words, except the current one; each once, with the messages around the first hit.
 * @param summarize Absent: returns the messages themselves.
 */
export async function findSessions(
  sessions: PluginContext["sessions"],
  current: string,
  wanted: Wanted,
  summarize: Summarize | undefined,
): Promise<Shown> {
  const query = wanted.query.slice(0, QUERY_CHARS).toWellFormed();
  let onlyNewest = false;
  const all = await sessions.search(query, {
    limit: SCANNED,
    roles: [...(wanted.roles ?? ANYBODY)],
    onlyNewest: () => (onlyNewest = true),
  });
  const hits = await oncePerConversation(sessions, current, all, wanted);
  const chosen = hits.slice(0, wanted.limit);
  const untrusted = new Set<string>();
  const results = await Promise.all(
    chosen.map(async (hit): Promise<JsonObject> => {
      const conversation = await readConversation(
        sessions.facts(hit.session.id),
        new Set<Role>(wanted.roles?.has("tool") === true ? ["user", "assistant", "tool"] : ["user", "assistant"]),
      );
      for (const source of conversation.sources) untrusted.add(source);
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
        onlyNewest || all.length === SCANNED
          ? "These words are in so many messages that only the newest were searched. Add a word to find older conversations."
          : results.length === 0
            ? "No earlier conversation contains these words. Try fewer or other words."
            : undefined,
    }),
    sources: [...untrusted],
  };
}

/** Title matches come first, because their sessions are about the words; scheduled runs come last. */
async function oncePerConversation(
  sessions: PluginContext["sessions"],
  current: string,
  hits: readonly Hit[],
  { sort }: Pick<Wanted, "sort">,
): Promise<readonly Hit[]> {
  const lineages = new Lineages(sessions);
  const seen = new Set([await lineages.rootOf(current)]);
  const found: Hit[] = [];
  const asked = hits.filter(({ session }) => isConversation(session));
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

/** The messages around the hit, and the beginning and end of the conversation unless they are included. */
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
    // Fewer than the limit: the conversation begins or ends there.
    messages_before: Math.max(0, at - from),
    messages_after: Math.max(0, to - 1 - at),
  };
}
