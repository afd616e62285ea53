import { UserError } from "../../../contract/common/failure.ts";
import type { EventHub } from "../live/event-hub.ts";
import type { Route } from "../route.ts";

/** `GET /api/events?topics=sessions,jobs&session=ID&after=POSITION`: server-sent events of what changes. */
export function eventRoutes(hub: EventHub): readonly Route[] {
  return [
    {
      at: "GET /api/events",
      answer({ query, signal }) {
        const topics = new Set((query.get("topics") ?? "").split(",").filter((topic) => topic !== ""));
        const unknown = [...topics].find((topic) => !hub.topics.has(topic));
        if (unknown !== undefined)
          throw new UserError(`There is no topic "${unknown}".`, {
            hint: `The topics are ${[...hub.topics].join(", ")}.`,
          });
        const after = query.get("after");
        if (after !== null && !/^\d{1,15}$/.test(after)) throw new UserError("The position must be a whole number.");
        return {
          kind: "events",
          events: hub.open({
            topics,
            session: query.get("session") ?? undefined,
            after: after === null ? undefined : Number(after),
            signal,
          }),
        };
      },
    },
  ];
}
