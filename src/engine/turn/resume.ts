import type { Fact } from "../../contract/conversation/fact.ts";
import { textOf } from "../../contract/conversation/part.ts";
import type { AnswerDraft } from "../../contract/conversation/store.ts";
import { makeVisible } from "../../safety/text/visible.ts";
import { isAmbiguous, settleFacts } from "../dispatch/settle.ts";
import type { CallState } from "../dispatch/call-state.ts";
import type { Transcript } from "../transcript/transcript.ts";

const AMBIGUOUS = "the process ended while it ran.";

/**
 * The facts to write before an interrupted turn resumes: calls that started, changed something and did not end are
 * never rerun. Calls made by others than the model end with their caller.
 * @param stale Calls that an earlier process left without an end; any other may be running now.
 */
export function settleInterrupted(transcript: Transcript, stale: ReadonlySet<string>): readonly Fact[] {
  return left(transcript, stale)
    .filter((call) => !isOpenTurns(call, transcript) || isAmbiguous(call))
    .flatMap((call) => settleFacts(call, AMBIGUOUS));
}

/** The facts that end an interrupted turn at its current state. */
export function closeInterrupted(transcript: Transcript, stale: ReadonlySet<string>, detail: string): readonly Fact[] {
  const turn = transcript.open;
  return [
    ...left(transcript, stale).flatMap((call) => settleFacts(call, AMBIGUOUS)),
    ...(turn === undefined
      ? []
      : [{ type: "turn.ended" as const, turnId: turn.turnId, reason: "cancelled" as const, detail }]),
  ];
}

/**
 * What `resume` would do, for people.
 * @param draft The beginning of an answer; shown only if that answer never came.
 */
export function interruptedLines(
  transcript: Transcript,
  stale: ReadonlySet<string>,
  draft?: AnswerDraft,
): readonly string[] {
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
  if (draft !== undefined && turn?.asking === draft.requestId)
    lines.push(
      "It had written this when it was interrupted; it is not an answer:",
      ...draft.text
        .trim()
        .split("\n")
        .map((line) => `  ${makeVisible(line)}`.trimEnd()),
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

/** In the model's own answer of the open turn: the turn itself resumes it. */
function isOpenTurns(call: CallState, transcript: Transcript): boolean {
  return call.part !== undefined && call.turnId === transcript.open?.turnId;
}
