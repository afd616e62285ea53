import type { JsonObject, PluginContext, ToolContext } from "hermes-agent/plugin";
import type { Role } from "./conversation.ts";
import { findSessions } from "./find-sessions.ts";
import { recentSessions } from "./recent-sessions.ts";
import { showSession } from "./show-session.ts";
import { summarizer } from "./summarize.ts";

/** The arguments that a model sends; unusable values are ignored. */
export interface SearchInput {
  readonly query?: unknown;
  readonly limit?: unknown;
  readonly sort?: unknown;
  readonly session_id?: unknown;
  readonly around_message_id?: unknown;
  readonly window?: unknown;
  readonly role_filter?: unknown;
}

export type SearchOutput = JsonObject & { readonly untrusted?: readonly string[] };

const MAX_SOURCES = 10;

/** With a query, finds sessions; with a session ID, reads it; with neither, lists the latest. */
export async function useSessionSearch(
  input: SearchInput,
  call: Pick<ToolContext, "sessionId" | "config" | "signal">,
  ctx: Pick<PluginContext, "sessions" | "llm">,
): Promise<SearchOutput> {
  // In another user's chat, only that user's sessions are visible.
  const { sessions } = ctx;
  const query = textOf(input.query);
  const id = textOf(input.session_id);
  const roles = rolesOf(input.role_filter);
  const around = typeof input.around_message_id === "number" ? input.around_message_id : undefined;
  const sort = input.sort === "newest" || input.sort === "oldest" ? input.sort : undefined;
  const { result, sources: untrusted } =
    id !== ""
      ? await showSession(sessions, call.sessionId, {
          id,
          around,
          window: between(input.window, 5, 20),
          roles: roles ?? new Set(["user", "assistant"]),
        })
      : query !== ""
        ? await findSessions(
            sessions,
            call.sessionId,
            { query, limit: between(input.limit, 3, 10), sort, roles },
            summarizer(call, ctx),
          )
        : await recentSessions(sessions, call.sessionId, between(input.limit, 10, 10));
  return untrusted.length === 0 ? result : { ...result, untrusted: untrusted.slice(0, MAX_SOURCES) };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

function between(value: unknown, otherwise: number, most: number): number {
  const number = typeof value === "number" && Number.isFinite(value) ? Math.trunc(value) : otherwise;
  return Math.min(most, Math.max(1, number));
}

const ROLES: readonly Role[] = ["user", "assistant", "tool"];

function rolesOf(filter: unknown): ReadonlySet<Role> | undefined {
  const named = new Set(
    textOf(filter)
      .toLowerCase()
      .split(/[\s,]+/),
  );
  const wanted = ROLES.filter((role) => named.has(role));
  return wanted.length === 0 ? undefined : new Set(wanted);
}
