import type { Clock } from "../contract/common/clock.ts";
import type { Fact, Recorded } from "../contract/conversation/fact.ts";
import { StoreConflict, type AnswerDraft, type Lease, type SessionStore } from "../contract/conversation/store.ts";

export interface MemoryStore extends SessionStore {
  /** The facts of a session, as stored. */
  facts(sessionId: string): readonly Recorded[];
  /** Takes the session away from its holder, as another process would. */
  steal(sessionId: string): void;
  /** The next append throws this instead. */
  failNext(error: Error): void;
  /** How many appends were made: each would be one sync of a disk. */
  readonly appends: number;
}

/** A whole store in memory: atomic appends, expected seq, leases with fencing. */
export function memoryStore(
  options: {
    readonly clock?: Pick<Clock, "now">;
    readonly facts?: { readonly [sessionId: string]: readonly Recorded[] };
  } = {},
): MemoryStore {
  const now = options.clock?.now ?? Date.now;
  const sessions = new Map<string, Recorded[]>(
    Object.entries(options.facts ?? {}).map(([id, facts]) => [id, [...facts]]),
  );
  const leases = new Map<string, { holder: string; fence: number; readonly lost: AbortController }>();
  const fences = new Map<string, number>();
  const drafts = new Map<string, AnswerDraft>();
  let failure: Error | undefined;
  let appends = 0;

  return {
    facts: (sessionId) => sessions.get(sessionId) ?? [],
    get appends() {
      return appends;
    },
    failNext: (error) => void (failure = error),
    steal(sessionId) {
      fences.set(sessionId, (fences.get(sessionId) ?? 0) + 1);
      leases.get(sessionId)?.lost.abort(new StoreConflict(`Session "${sessionId}" was taken over by another process.`));
      leases.delete(sessionId);
    },

    async append(sessionId: string, facts: readonly Fact[], { expect, fence } = {}) {
      if (failure !== undefined) {
        const thrown = failure;
        failure = undefined;
        throw thrown;
      }
      const stored = sessions.get(sessionId) ?? [];
      if (fence !== undefined && fence < (fences.get(sessionId) ?? 0))
        throw new StoreConflict(`Session "${sessionId}" is held by somebody else now.`);
      if (expect !== undefined && expect !== stored.length)
        throw new StoreConflict(
          `Session "${sessionId}" is at event ${stored.length}, not ${expect}: somebody else wrote to it.`,
        );
      appends++;
      // Through JSON and back, so that nothing passes here that a disk would not keep.
      const recorded = facts.map((fact, at): Recorded => ({
        seq: stored.length + at + 1,
        at: now(),
        v: 1,
        fact: JSON.parse(JSON.stringify(fact)) as Fact,
      }));
      sessions.set(sessionId, [...stored, ...recorded]);
      return recorded;
    },

    async *read(sessionId, after = 0) {
      for (const recorded of sessions.get(sessionId)?.slice() ?? []) if (recorded.seq > after) yield recorded;
    },

    saveDraft: async (sessionId, draft) => void drafts.set(sessionId, draft),
    draft: async (sessionId) => drafts.get(sessionId),

    async lastSeq(sessionId) {
      return sessions.get(sessionId)?.length ?? 0;
    },

    async lease(sessionId, holder) {
      const held = leases.get(sessionId);
      if (held !== undefined) return { heldBy: held.holder, untilAt: now() + 60_000 };
      const fence = (fences.get(sessionId) ?? 0) + 1;
      fences.set(sessionId, fence);
      const mine = { holder, fence, lost: new AbortController() };
      leases.set(sessionId, mine);
      const lease: Lease = {
        fence,
        lost: mine.lost.signal,
        async [Symbol.asyncDispose]() {
          if (leases.get(sessionId) === mine) leases.delete(sessionId);
        },
      };
      return lease;
    },

    async interrupted() {
      return [...sessions].flatMap(([sessionId, facts]) =>
        !leases.has(sessionId) && openTurn(facts) ? [sessionId] : [],
      );
    },

    async [Symbol.asyncDispose]() {
      for (const { lost } of leases.values()) lost.abort(new StoreConflict("The store was closed."));
      leases.clear();
    },
  };
}

function openTurn(facts: readonly Recorded[]): boolean {
  const last = facts.findLast(({ fact }) => fact.type === "turn.started" || fact.type === "turn.ended");
  return last?.fact.type === "turn.started";
}
