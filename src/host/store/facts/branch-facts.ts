import { StoreConflict } from "../../../contract/conversation/store.ts";
import type { Fact, Recorded } from "../../../contract/conversation/fact.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

/**
 * The facts of an independent copy of `records`: same numbers, a new start, nothing left open. Input waiting for a
 * turn is dropped, or it would be answered twice.
 */
export function branchFacts(
  records: readonly Recorded[],
  from: {
    readonly sessionId: string;
    readonly now: number;
    /** Where it goes on; default: where it was. */ readonly cwd?: string;
  },
): readonly { readonly at: number; readonly fact: Fact }[] {
  const first = records[0];
  const last = records.at(-1);
  if (first === undefined || last === undefined)
    throw new StoreConflict(`Session "${from.sessionId}" has nothing to copy.`);
  const taken = new Set(
    records.flatMap(({ fact }) => (fact.type === "message.added" && fact.inputId !== undefined ? [fact.inputId] : [])),
  );
  const copied = records.map(({ at, fact }, index) => {
    if (index === 0)
      return {
        at: from.now,
        fact: {
          ...startOf(fact, { sessionId: from.sessionId, seq: last.seq }),
          ...definedFields({ cwd: from.cwd }),
        },
      };
    if (fact.type === "input.queued" && !taken.has(fact.inputId)) return { at, fact: NOT_WAITING };
    return { at, fact };
  });
  return [...copied, ...endings(records).map((fact) => ({ at: from.now, fact }))];
}

const NOT_WAITING: Fact = { type: "state.set", key: "session.branch", value: { left: "input.queued" } };

function startOf(fact: Fact, parent: { readonly sessionId: string; readonly seq: number }): Fact {
  if (fact.type === "session.started") return { ...fact, parent };
  return { type: "session.started", surface: "unknown", cwd: "/", parent };
}

/** Ends what was under way at the cut: calls, then the turn. */
function endings(records: readonly Recorded[]): readonly Fact[] {
  const openCalls = new Set<string>();
  let openTurn: string | undefined;
  for (const { fact } of records) {
    if (fact.type === "turn.started") openTurn = fact.turnId;
    else if (fact.type === "turn.ended") {
      openTurn = undefined;
      openCalls.clear();
    } else if (fact.type === "tool.called") openCalls.add(fact.callId);
    else if (fact.type === "tool.settled") openCalls.delete(fact.callId);
    else if (fact.type === "model.answered")
      for (const part of fact.parts) if (part.type === "tool-call") openCalls.add(part.callId);
  }
  const reason = "the session was branched before this call ended";
  const settled = [...openCalls].map((callId): Fact => ({
    type: "tool.settled",
    callId,
    outcome: { kind: "cancelled", reason },
    durationMs: 0,
  }));
  return openTurn === undefined
    ? settled
    : [...settled, { type: "turn.ended", turnId: openTurn, reason: "cancelled", detail: reason }];
}
