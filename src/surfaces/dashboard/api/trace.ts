import { withStates } from "../live/session-states.ts";
import { numberIn, route, type Route } from "../route.ts";
import { TraceBook } from "../trace/trace-book.ts";
import type { App } from "../../../contract/services/app.ts";

const ALL_FACTS = 1e15;

/** A session as a trace of its turns, and its calls one by one. */
export function traceRoutes(app: App): readonly Route[] {
  const book = new TraceBook(app);
  return [
    route("GET /api/sessions/:id/trace", async ({ params: [id = ""], query }) => {
      const found = await app.sessions.find(id);
      const trace = await book.read(found.id, numberIn(query, "after", 0, ALL_FACTS));
      const [session] = await withStates(app, [found]);
      return { session, ...trace };
    }),
    route("GET /api/sessions/:id/calls", async ({ params: [id = ""] }) =>
      book.allDetails((await app.sessions.find(id)).id),
    ),
    route("GET /api/sessions/:id/calls/:call", ({ params: [id = "", call = ""] }) => book.details(id, call)),
  ];
}
