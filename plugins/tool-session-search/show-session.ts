import {
  definedFields,
  ToolFailure,
  type JsonObject,
  type PluginContext,
  type SessionSummary,
} from "hermes-agent/plugin";
import { fitted, readConversation, type Message, type Role } from "./conversation.ts";
import { dayAndTime, Lineages, metaOf } from "./lineage.ts";

const RESULT_CHARS = 30_000;
const FIRST = 20;
const LAST = 10;

export interface Shown {
  readonly result: JsonObject;
  readonly sources: readonly string[];
}

/** The beginning and end of a session, or the messages around one of them. */
export async function showSession(
  sessions: PluginContext["sessions"],
  current: string,
  wanted: {
    readonly id: string;
    readonly around: number | undefined;
    readonly window: number;
    readonly roles: ReadonlySet<Role>;
  },
): Promise<Shown> {
  const session = await sessions.find(wanted.id).catch((cause: unknown) => {
    throw new ToolFailure("not_found", cause instanceof Error ? cause.message : String(cause), {
      data: { success: false },
      hint: "Call it without arguments to list the latest sessions.",
    });
  });
  const lineages = new Lineages(sessions);
  if ((await lineages.rootOf(session.id)) === (await lineages.rootOf(current)))
    throw new ToolFailure(
      "bad_arguments",
      `Session ${session.id} is the current conversation; its messages are above.`,
      { data: { success: false } },
    );
  const { messages, sources: untrusted } = await readConversation(sessions.facts(session.id), wanted.roles);
  return {
    result:
      wanted.around === undefined ? whole(session, messages) : around(session, messages, wanted.around, wanted.window),
    sources: untrusted,
  };
}

function whole(session: SessionSummary, messages: readonly Message[]): JsonObject {
  const truncated = messages.length > FIRST + LAST;
  const shown = truncated ? [...messages.slice(0, FIRST), ...messages.slice(-LAST)] : messages;
  return definedFields({
    success: true,
    mode: "read",
    session_id: session.id,
    session_meta: metaOf(session),
    message_count: messages.length,
    truncated,
    messages: asJson(fitted(shown, RESULT_CHARS)),
    message: truncated
      ? `The first ${FIRST} and the last ${LAST} of ${messages.length} messages; use around_message_id to read those between.`
      : undefined,
  });
}

function around(session: SessionSummary, messages: readonly Message[], id: number, window: number): JsonObject {
  const exact = messages.findIndex((message) => message.id >= id);
  const at = exact === -1 ? messages.length - 1 : exact;
  if (at < 0)
    throw new ToolFailure("not_found", `Session ${session.id} has no messages with these roles.`, {
      data: { success: false },
    });
  const from = Math.max(0, at - window);
  const shown = messages.slice(from, at + window + 1);
  return {
    success: true,
    mode: "scroll",
    session_id: session.id,
    around_message_id: messages[at]!.id,
    session_meta: metaOf(session),
    window,
    messages: asJson(fitted(shown, RESULT_CHARS), messages[at]!.id),
    messages_before: at - from,
    messages_after: from + shown.length - 1 - at,
    ...definedFields({
      warning: messages[at]!.id === id ? undefined : `No message ${id} with these roles exists; this is the nearest.`,
    }),
  };
}

/** @param anchor The message in the middle. */
export function asJson(messages: readonly Message[], anchor?: number): JsonObject[] {
  return messages.map(({ id, role, content, at }) => ({
    id,
    role,
    content,
    timestamp: dayAndTime(at),
    anchor: id === anchor ? true : undefined,
  }));
}
