import { ToolFailure, UserError } from "../../contract/common/failure.ts";
import type { PluginContext } from "../../contract/plugins/plugin.ts";

type Sessions = PluginContext["sessions"];

/**
 * The conversations that a plugin sees: all, while it works for the owner or outside any chat; during a call or a
 * command in another user's chat, that user's.
 * @param whose The user of the current chat; `undefined` is the owner.
 */
export function visibleSessions(sessions: Sessions, whose: () => Promise<string | undefined>): Sessions {
  const ofTheirs = (own: string | undefined) => (own === undefined ? {} : { whose: own });

  /** Reports another user's session as missing, so that its existence stays secret. */
  async function find(id: string, own: string): ReturnType<Sessions["find"]> {
    const found = await sessions.find(id).catch((cause: unknown) => {
      if (cause instanceof UserError) return undefined; // It may name sessions of others.
      throw cause;
    });
    if (found?.whose !== own) throw notThere(id);
    return found;
  }

  return {
    list: async (options) => sessions.list({ ...options, ...ofTheirs(await whose()) }),
    search: async (words, options) => sessions.search(words, { ...options, ...ofTheirs(await whose()) }),
    async find(id) {
      const own = await whose();
      return own === undefined ? sessions.find(id) : find(id, own);
    },
    async latest(surface) {
      const own = await whose();
      if (own === undefined) return sessions.latest(surface);
      return (await sessions.list({ whose: own, surface })).find(({ turns, messages }) => turns > 0 || messages > 0);
    },
    facts(id) {
      const asked = whose(); // Evaluated now, not when they are read.
      asked.catch(() => undefined);
      return (async function* () {
        const own = await asked;
        let first = true;
        for await (const recorded of sessions.facts(id)) {
          if (first && own !== undefined && (recorded.fact.type !== "session.started" || recorded.fact.whose !== own))
            throw notThere(id);
          first = false;
          yield recorded;
        }
      })();
    },
    async branch(id, seq) {
      const own = await whose();
      return sessions.branch(own === undefined ? id : (await find(id, own)).id, seq);
    },
  };
}

function notThere(id: string): ToolFailure {
  return new ToolFailure("not_found", `No session has the id or title "${id.trim()}".`);
}
