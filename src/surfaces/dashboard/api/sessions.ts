import { exportedSession } from "../../shared/conversation/exported-session.ts";
import { readableExcerpt } from "../../shared/conversation/readable-excerpt.ts";
import { withStates } from "../live/session-states.ts";
import { named } from "../named-session.ts";
import { numberIn, route, textIn, type Route } from "../route.ts";

const MAX = 20_000;

/** Past conversations. */
export const SESSION_ROUTES: readonly Route[] = [
  route("GET /api/sessions", async ({ app, query }) =>
    withStates(
      app,
      await app.sessions.list({ limit: numberIn(query, "limit", 50, MAX), surface: query.get("surface") || undefined }),
    ),
  ),
  route("GET /api/sessions/search", async ({ app, query }) => {
    const hits = await app.sessions.search(query.get("words") ?? "", { limit: numberIn(query, "limit", 30, MAX) });
    return hits.map((hit) => ({ ...hit, snippet: readableExcerpt(hit), session: named(hit.session) }));
  }),
  route("GET /api/sessions/:id", async ({ app, params: [id = ""] }) => {
    const session = await app.sessions.find(id);
    const { entries, tools } = await app.sessions.view(session.id);
    return { session: named(session), entries, costUsd: session.costUsd, unknownCosts: session.unknownCosts, tools };
  }),
  {
    at: "GET /api/sessions/:id/export",
    async answer({ app, params: [id = ""], query }) {
      const session = await app.sessions.find(id);
      const format = query.get("format") === "jsonl" ? "jsonl" : "md";
      return { kind: "file", name: `${session.id}.${format}`, text: await exportedSession(app, session, format) };
    },
  },
  route("PUT /api/sessions/:id/title", async ({ app, params: [id = ""], body }) =>
    app.sessions.rename((await app.sessions.find(id)).id, textIn(body, "title").trim()),
  ),
  // Accept only the full id: never guess what to delete.
  route("DELETE /api/sessions/:id", async ({ app, params: [id = ""] }) => app.sessions.remove(id)),
];
