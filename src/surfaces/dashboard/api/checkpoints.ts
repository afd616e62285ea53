import { UserError } from "../../../contract/common/failure.ts";
import { sessionTitles } from "../../shared/costs/session-titles.ts";
import { jsonOfCommand, textOfCommand } from "../operations.ts";
import { route, textIn, type Asked, type Route } from "../route.ts";

interface Stored {
  readonly bytes: number;
  readonly checkpoints: readonly { readonly sessionId: string; readonly at: number; readonly root: string }[];
}

interface Turn {
  readonly number: number;
  readonly turnId: string;
}

/** Checkpoints: the work of `hermes checkpoints` and `hermes rollback`. */
export const CHECKPOINT_ROUTES: readonly Route[] = [
  route("GET /api/checkpoints", async ({ app, signal }) => {
    const [{ bytes, checkpoints }, titles] = await Promise.all([
      jsonOfCommand<Stored>(app, "checkpoints", { action: "list", json: true }, signal),
      sessionTitles(app),
    ]);
    const sessions = [...Map.groupBy(checkpoints, ({ sessionId }) => sessionId)].flatMap(([id, all]) => {
      const name = titles.get(id);
      if (name === undefined) return []; // It was deleted.
      return [
        {
          id,
          name,
          count: all.length,
          at: Math.max(...all.map(({ at }) => at)),
          folders: [...new Set(all.map(({ root }) => root))],
        },
      ];
    });
    return { bytes, sessions: sessions.toSorted((one, other) => other.at - one.at) };
  }),
  route("GET /api/checkpoints/:session", turnsOf),
  route("GET /api/checkpoints/:session/:turn/diff", async (asked) => {
    const { app, params, signal } = asked;
    const which = String(await numberOf(asked));
    return { text: await textOfCommand(app, "rollback", { action: "diff", which, session: params[0] }, signal) };
  }),
  route("POST /api/checkpoints/:session/:turn/restore", async (asked) => {
    const { app, params, body, signal } = asked;
    const which = String(await numberOf(asked));
    const file = body["file"] === undefined ? undefined : textIn(body, "file");
    return jsonOfCommand(app, "rollback", { action: "restore", which, file, session: params[0], json: true }, signal);
  }),
  // Reverses the newest rollback of a session.
  route("POST /api/checkpoints/:session/redo", ({ app, params: [session], signal }) =>
    jsonOfCommand(app, "rollback", { action: "redo", session, json: true }, signal),
  ),
];

function turnsOf({ app, params: [session], signal }: Asked): Promise<readonly Turn[]> {
  return jsonOfCommand<readonly Turn[]>(app, "rollback", { action: "list", session, json: true }, signal);
}

/** The number of a turn now: each new turn changes the numbers. @throws {UserError} */
async function numberOf(asked: Asked): Promise<number> {
  const turn = (await turnsOf(asked)).find(({ turnId }) => turnId === asked.params[1]);
  if (turn === undefined)
    throw new UserError("This checkpoint no longer exists.", { hint: "Load the page again to see the current ones." });
  return turn.number;
}
