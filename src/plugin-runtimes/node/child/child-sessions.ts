import { definedFields } from "../../../contract/common/defined-fields.ts";
import type { Recorded } from "../../../contract/conversation/fact.ts";
import type { Json, JsonObject } from "../../../contract/common/json.ts";
import type { PluginContext } from "../../../contract/plugins/plugin.ts";

/** `ctx.sessions`: each method is a request to the agent. */
export function childSessions(
  ask: (method: string, params: JsonObject) => Promise<Json | undefined>,
): PluginContext["sessions"] {
  const session = (what: string, id: Json, seq: Json = null, whose?: string) =>
    ask("ctx.sessions", definedFields({ what, id, seq, whose }));
  return {
    list: async (options) =>
      (await session("list", options?.surface ?? null, options?.limit ?? null, options?.whose)) as never,
    search: async (words, options) => (await session("search", words, options?.limit ?? null, options?.whose)) as never,
    find: async (word) => (await session("find", word)) as never,
    latest: async (surface) => (await session("latest", surface ?? null)) as never,
    branch: async (id, seq) => (await session("branch", id, seq ?? null)) as never,
    async *facts(id) {
      yield* (await session("facts", id)) as unknown as readonly Recorded[];
    },
  };
}
