import { ToolFailure, UserError, type PluginContext } from "hermes-agent/plugin";

type Sessions = PluginContext["sessions"];

/**
 * The sessions that the conversation of `sessionId` may see: all, where it is the owner's; in the chat of somebody else, theirs.
 * @throws when it cannot be told whose it is.
 */
export async function visibleTo(sessionId: string, sessions: Sessions): Promise<Sessions> {
  const whose = await whoseIs(sessionId, sessions);
  if (whose === undefined) return sessions;
  return {
    ...sessions,
    list: (options) => sessions.list({ ...options, whose }),
    search: (words, options) => sessions.search(words, { ...options, whose }),
    async find(id) {
      const found = await sessions.find(id).catch((cause: unknown) => {
        if (cause instanceof UserError) return undefined; // It may name sessions of others.
        throw cause;
      });
      // In the words of one that is not there: whether it is, is not theirs to know.
      if (found?.whose !== whose) throw new ToolFailure("not_found", `No session has the id or title "${id.trim()}".`);
      return found;
    },
  };
}

async function whoseIs(sessionId: string, sessions: Sessions): Promise<string | undefined> {
  for await (const { fact } of sessions.facts(sessionId)) return fact.type === "session.started" ? fact.whose : undefined;
  return undefined; // Nothing was said in it: a tool that is called by hand.
}
