import { UserError } from "../../contract/common/failure.ts";
import type { Fact, Recorded } from "../../contract/conversation/fact.ts";
import type { Part } from "../../contract/conversation/part.ts";
import type { Undone } from "../../contract/conversation/session.ts";

/** A turn that is part of the conversation. */
interface Turn {
  readonly turnId: string;
  readonly seq: number;
  /** Of the user; empty for a turn that a process or a plugin started. */
  readonly inputs: Part[];
}

const MAX_CALL_CHARS = 120;

/**
 * Finds the last exchanges of a conversation: each begins with a turn that has a message of the user.
 * @returns where they begin, and what the user needs to know; `undefined` if the conversation is empty.
 * @throws {UserError} A summary contains the exchange, so that it cannot be taken back alone.
 */
export function lastExchanges(
  facts: readonly Recorded[],
  exchanges: number,
): (Undone & { readonly from: number; readonly turns: number }) | undefined {
  let turns: Turn[] = [];
  let compactedAt = 0;
  for (const { seq, fact } of facts) {
    if (fact.type === "turn.started") turns.push({ turnId: fact.turnId, seq, inputs: [] });
    else if (fact.type === "turns.undone") turns = turns.filter((turn) => turn.seq < fact.from);
    else if (fact.type === "context.compacted") compactedAt = seq;
    else if (fact.type === "message.added" && fact.origin === "person")
      turns.findLast(({ turnId }) => turnId === fact.turnId)?.inputs.push(...fact.parts);
  }
  const ofUser = turns.filter(({ inputs }) => inputs.length > 0).slice(-exchanges);
  const [first] = ofUser;
  if (first === undefined) return undefined;
  if (first.seq < compactedAt)
    throw new UserError("The conversation was compressed since, so its summary contains this exchange.", {
      hint: "/new starts a conversation without it.",
    });
  return {
    from: first.seq,
    turns: turns.filter(({ seq }) => seq >= first.seq).length,
    exchanges: ofUser.length,
    parts: first.inputs,
    ...effectsOf(facts.filter(({ seq }) => seq >= first.seq)),
  };
}

/** What calls did outside the conversation, in the order in which they ended. */
function effectsOf(facts: readonly Recorded[]): Pick<Undone, "files" | "calls"> {
  const called = new Map<string, Extract<Fact, { type: "tool.called" }>>();
  const files = new Set<string>();
  const calls: string[] = [];
  for (const { fact } of facts) {
    if (fact.type === "tool.called") called.set(fact.callId, fact);
    if (fact.type !== "tool.settled") continue;
    const call = called.get(fact.callId);
    const { kind } = fact.outcome;
    if (call === undefined || kind === "denied" || call.effect === "none" || call.effect === "read") continue;
    // A failed write has changed nothing; a failed command may have.
    if (call.effect === "write" && kind === "failed") continue;
    for (const file of fact.touched ?? []) files.add(file);
    if (call.effect !== "write" || (fact.touched ?? []).length === 0) calls.push(callLine(call));
  }
  return { files: [...files], calls };
}

function callLine({ tool, args }: Extract<Fact, { type: "tool.called" }>): string {
  const subject = Object.values(args ?? {}).find((value) => typeof value === "string" && value !== "");
  const line = `${tool} ${typeof subject === "string" ? subject.replaceAll(/\s+/g, " ") : ""}`.trim();
  return line.length <= MAX_CALL_CHARS ? line : `${line.slice(0, MAX_CALL_CHARS - 1)}…`.toWellFormed();
}
