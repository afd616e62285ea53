import type { PluginContext, SessionSummary } from "hermes-agent/plugin";

/** A session and all sessions branched or split off from it are one conversation. */
export class Lineages {
  readonly #find: PluginContext["sessions"]["find"];
  readonly #parents = new Map<string, Promise<string | undefined>>();

  constructor(sessions: Pick<PluginContext["sessions"], "find">) {
    this.#find = (id) => sessions.find(id);
  }

  async rootOf(id: string): Promise<string> {
    const seen = new Set<string>();
    let root = id;
    for (
      let parent = await this.#parentOf(root);
      parent !== undefined && !seen.has(parent);
      parent = await this.#parentOf(root)
    ) {
      seen.add(root);
      root = parent;
    }
    return root;
  }

  #parentOf(id: string): Promise<string | undefined> {
    const known =
      this.#parents.get(id) ??
      this.#find(id).then(
        ({ parentId }) => parentId,
        () => undefined,
      );
    this.#parents.set(id, known);
    return known;
  }
}

/** Conversations of users: excludes subagents and single calls from the command line. */
export function isConversation({ surface, turns, messages }: SessionSummary): boolean {
  return surface !== "subagent" && surface !== "tool" && (turns > 0 || messages > 0);
}

/** The fields that the result shows of each session. */
export function metaOf({ startedAt, surface, model, title }: SessionSummary): {
  readonly when: string;
  readonly source: string;
  readonly model: string | null;
  readonly title: string | null;
} {
  return { when: dayAndTime(startedAt), source: surface, model: model ?? null, title: title ?? null };
}

export function dayAndTime(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}
