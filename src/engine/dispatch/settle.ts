import { parseExact } from "../../contract/common/parse-exact.ts";
import type { Fact } from "../../contract/conversation/fact.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import type { SettledOutcome } from "../../contract/tools/outcome.ts";
import type { CallState } from "./call-state.ts";
import { isObjectText } from "../transcript/transcript-messages.ts";

/**
 * It may be run once more after an interruption: it changes nothing, or says so itself, and had begun no subagent,
 * which may have done anything.
 */
export function mayRunAgain(call: CallState): boolean {
  const { called, subagents } = call;
  return (
    called !== undefined &&
    subagents === undefined &&
    (called.repeatable || called.effect === "none" || called.effect === "read")
  );
}

/** It began and did not end, and what it did cannot be known. */
export function isAmbiguous(call: CallState): boolean {
  return call.outcome === undefined && call.started && !mayRunAgain(call);
}

/** The facts that end a call which will not be run, or not be waited for any longer. */
export function settleFacts(call: CallState, reason: string): readonly Fact[] {
  return [
    ...intentFacts(call),
    {
      type: "tool.settled",
      callId: call.callId,
      outcome: isAmbiguous(call) ? { kind: "unknown", reason } : { kind: "cancelled", reason },
      durationMs: 0,
    },
  ];
}

/** The facts of a call that is answered without being run. */
export function answerFacts(call: CallState, outcome: SettledOutcome): readonly Fact[] {
  return [...intentFacts(call), { type: "tool.settled", callId: call.callId, outcome, durationMs: 0 }];
}

function intentFacts(call: CallState): readonly Fact[] {
  if (call.called !== undefined) return [];
  const text = call.args ?? "";
  const args = isObjectText(text) ? (parseExact(text) as JsonObject) : undefined;
  return [
    {
      type: "tool.called",
      turnId: call.turnId,
      callId: call.callId,
      tool: call.tool,
      args,
      by: "model",
      effect: "none",
      repeatable: true,
    },
  ];
}
