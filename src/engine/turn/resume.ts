import type { Fact } from "../../contract/conversation/fact.ts";
import { textOf } from "../../contract/conversation/part.ts";
import { isAmbiguous, settleFacts } from "../dispatch/settle.ts";
import type { CallState } from "../dispatch/call-state.ts";
import type { Transcript } from "../transcript/transcript.ts";

const AMBIGUOUS = "the process ended while it ran.";

/**
 * What has to be written before an interrupted turn goes on: calls that began, changed something and did not end are never run again.
 * Calls that others than the model made end with whoever made them.
 * @param stale Calls that a former process left without an end; any other may be running now.
 */
export function settleInterrupted(transcript: Transcript, stale: ReadonlySet<string>): readonly Fact[] {
  return left(transcript, stale)
    .filter((call) => !isOpenTurns(call, transcript) || isAmbiguous(call))
    .flatMap((call) => settleFacts(call, AMBIGUOUS));
}

/** What has to be written to end an interrupted turn where it stands. */
export function closeInterrupted(transcript: Transcript, stale: ReadonlySet<string>, detail: string): readonly Fact[] {
  const turn = transcript.open;
  return [
    ...left(transcript, stale).flatMap((call) => settleFacts(call, AMBIGUOUS)),
    ...(turn === undefined
      ? []
      : [{ type: "turn.ended" as const, turnId: turn.turnId, reason: "cancelled" as const, detail }]),
  ];
}

/** What `resume` would do, for people. */
export function interruptedLines(transcript: Transcript, stale: ReadonlySet<string>): readonly string[] {
  const turn = transcript.open;
  // Equal calls of one answer are one act.
  const lines = [
    ...new Set(
      left(transcript, stale).map((call) =>
        isOpenTurns(call, transcript) ? callLine(call) : `${callName(call)} was interrupted and is not run again.`,
      ),
    ),
  ];
  if (turn !== undefined && lines.length === 0)
    lines.push(
      turn.asking === undefined
        ? "The last turn was interrupted; it resumes where it stopped."
        : "The model was asked and had not answered; it is asked again.",
    );
  for (const input of transcript.queued.values())
    lines.push(`Queued message: ${JSON.stringify(textOf(input.parts).slice(0, 80))}`);
  return lines;
}

function left(transcript: Transcript, stale: ReadonlySet<string>): readonly CallState[] {
  return transcript
    .unsettled()
    .filter((call) => stale.has(call.callId) || (call.turnId === transcript.open?.turnId && transcript.isModels(call)));
}

function callLine(call: CallState): string {
  if (isAmbiguous(call))
    return `${callName(call)} was interrupted. It may or may not have happened; it is not run again.`;
  if (call.asked !== undefined && call.given === undefined)
    return `${callName(call)} waits for your approval (${call.asked.risk.key}); you are asked again.`;
  return `${callName(call)} had not ${call.started ? "ended; it changes nothing and is run again" : "started; it is run"}.`;
}

function callName(call: CallState): string {
  const text = call.called?.args === undefined ? (call.args ?? "") : JSON.stringify(call.called.args);
  return `${call.tool} ${text.length > 80 ? `${text.slice(0, 77)}...` : text}`.trim();
}

/** In the model's own answer of the open turn: the turn itself carries it on. */
function isOpenTurns(call: CallState, transcript: Transcript): boolean {
  return call.part !== undefined && call.turnId === transcript.open?.turnId;
}
