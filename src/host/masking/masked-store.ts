import type { SessionStore } from "../../contract/conversation/store.ts";
import { maskFact, maskRecorded, type Mask } from "./mask-fact.ts";

/**
 * A store that never keeps a known secret and never gives one back: what is written is masked before it is durable, so
 * the transcript, and with it every request, is folded from masked facts; what was written before the value was known
 * is masked when it is read.
 */
export function maskedStore(store: SessionStore, mask: Mask): SessionStore {
  return {
    append: (sessionId, facts, options) =>
      store.append(
        sessionId,
        facts.map((fact) => maskFact(fact, mask)),
        options,
      ),
    async *read(sessionId, after) {
      for await (const recorded of store.read(sessionId, after)) yield maskRecorded(recorded, mask);
    },
    lastSeq: (sessionId) => store.lastSeq(sessionId),
    lease: (sessionId, holder) => store.lease(sessionId, holder),
    async saveDraft(sessionId, { requestId, text }) {
      await store.saveDraft?.(sessionId, { requestId, text: mask(text) });
    },
    async draft(sessionId) {
      const draft = await store.draft?.(sessionId);
      return draft === undefined ? undefined : { requestId: draft.requestId, text: mask(draft.text) };
    },
    interrupted: () => store.interrupted(),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
