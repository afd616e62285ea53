import type { TurnEndReason } from "../../contract/conversation/fact.ts";
import type { TurnConfig } from "../ports.ts";
import type { CallState } from "../dispatch/call-state.ts";
import type { OpenTurn, TurnItem } from "../transcript/transcript.ts";

/** The next step of a turn. Computed from its facts alone, so that a turn resumed after a crash takes the same step. */
export type Step =
  /** The model gets `notes` first; `last` forbids tools; `grow` doubles the output limit that often. */
  | { readonly kind: "ask"; readonly notes: readonly string[]; readonly last: boolean; readonly grow: number }
  | { readonly kind: "run"; readonly answer: AnswerItem }
  | { readonly kind: "end"; readonly reason: TurnEndReason; readonly detail?: string };

export type AnswerItem = Extract<TurnItem, { kind: "answer" }>;

const MAX_EMPTY = 5;
const MAX_CONTINUED = 3;
const MAX_BAD_ROUNDS = 3;
const MAX_LOOP_REFUSALS = 3;

export function nextStep(turn: OpenTurn, config: Pick<TurnConfig, "maxRequests">): Step {
  const last = turn.items.at(-1);
  if (last === undefined)
    return { kind: "end", reason: "cancelled", detail: "The turn was interrupted before its message was stored." };
  if (last.kind === "message") return ask(turn, config, []);
  if (last.request > config.maxRequests)
    return {
      kind: "end",
      reason: "limit",
      detail: `${config.maxRequests === 1 ? "The one model request" : `All ${config.maxRequests} model requests`} of this turn ${config.maxRequests === 1 ? "is" : "are"} used. Send another message to continue.`,
    };
  if (last.calls.length > 0) return afterCalls(turn, last, config);
  if (last.finish === "filter")
    return { kind: "end", reason: "failed", detail: "The provider's content filter ended the answer." };
  if (last.text.trim() === "") return afterEmpty(turn, config);
  if (last.finish !== "length") return { kind: "end", reason: "done" };
  const pieces = trailing(turn, isPiece);
  if (pieces > MAX_CONTINUED)
    return {
      kind: "end",
      reason: "limit",
      detail: `The answer was cut off at the model's output limit ${pieces} times; the text so far is saved.`,
    };
  return ask(turn, config, [CONTINUE_NOTE], pieces);
}

/** The final words of a turn: the last answer, with the pieces before it when the output limit had cut it. */
export function finalText(turn: OpenTurn): string {
  const answers = turn.items.filter((item) => item.kind === "answer");
  let text = answers.at(-1)?.text ?? "";
  for (let at = answers.length - 2; at >= 0 && text !== "" && isPiece(answers[at]!); at--)
    text = answers[at]!.text + text;
  return text;
}

function afterCalls(turn: OpenTurn, last: AnswerItem, config: Pick<TurnConfig, "maxRequests">): Step {
  if (last.calls.some((call) => call.outcome === undefined)) return { kind: "run", answer: last };
  const badRounds = trailing(turn, isBadRound);
  if (badRounds >= MAX_BAD_ROUNDS) {
    return {
      kind: "end",
      reason: "failed",
      detail: `The model made calls that cannot be run ${badRounds} times in a row (${why(last.calls[0]!)}). Another model may do better: hermes model.`,
    };
  }
  const refused = turn.items
    .flatMap((item) => (item.kind === "answer" ? item.calls : []))
    .filter((call) => failedWith(call, "loop")).length;
  if (refused >= MAX_LOOP_REFUSALS)
    return {
      kind: "end",
      reason: "failed",
      detail: `The model is in a loop: the same call was refused ${refused} times. Send a message that says what it should do instead.`,
    };
  return ask(
    turn,
    config,
    [],
    trailing(turn, (answer) => answer.finish === "length"),
  );
}

/** Empty answers in a row, so far. */
export function emptyAnswers(turn: OpenTurn): number {
  return trailing(turn, isEmpty);
}

function afterEmpty(turn: OpenTurn, config: Pick<TurnConfig, "maxRequests">): Step {
  const empty = trailing(turn, isEmpty);
  if (empty >= MAX_EMPTY)
    return { kind: "end", reason: "failed", detail: `The model gave ${empty} empty answers in a row.` };
  const grow =
    turn.items.at(-1)!.kind === "answer" && (turn.items.at(-1) as AnswerItem).finish === "length" ? empty : 0;
  return ask(turn, config, empty === 1 ? [EMPTY_NOTE] : [], grow);
}

function ask(
  turn: OpenTurn,
  { maxRequests }: Pick<TurnConfig, "maxRequests">,
  notes: readonly string[],
  grow = 0,
): Step {
  // A request that ends the process each time must not be repeated at every start.
  if (turn.interrupted >= maxRequests)
    return {
      kind: "end",
      reason: "failed",
      detail: `Hermes ended ${turn.interrupted} times while it waited for the model. Your message is in the session. Send it again to retry.`,
    };
  const last = turn.requests >= maxRequests;
  const all = [...notes, ...(last ? [summaryNote(maxRequests)] : budgetNote(turn, maxRequests))];
  return { kind: "ask", notes: all.filter((note) => note === CONTINUE_NOTE || !turn.said.has(note)), last, grow };
}

/** Two tiers, each reported once, with the result of the previous call. */
function budgetNote(turn: OpenTurn, maxRequests: number): readonly string[] {
  const last = turn.items.at(-1);
  if (last?.kind !== "answer" || last.calls.length === 0) return [];
  if (turn.requests >= maxRequests * 0.9)
    return [
      `[Budget: at least 90 % of this turn's ${maxRequests} requests are used. Finish now: give the user your answer.]`,
    ];
  if (turn.requests >= maxRequests * 0.7) {
    const caution = `[Budget: at least 70 % of this turn's ${maxRequests} requests are used. Start to finish the work.]`;
    return [caution];
  }
  return [];
}

function summaryNote(maxRequests: number): string {
  return `[All ${maxRequests} requests of this turn are used, and no further call is run. Tell the user what is done, what was found and what is left.]`;
}

const CONTINUE_NOTE =
  "[Your answer was cut off at the output limit. Continue exactly where it stopped, without repeating anything.]";
const EMPTY_NOTE = "[Your last answer was empty. Continue the work, or tell the user the result.]";

/** How many answers at the end of the turn, our own notes between them aside, are of this kind. */
function trailing(turn: OpenTurn, holds: (answer: AnswerItem) => boolean): number {
  let count = 0;
  for (let at = turn.items.length - 1; at >= 0; at--) {
    const item = turn.items[at]!;
    if (item.kind === "message") {
      if (item.origin === "system") continue;
      break;
    }
    if (!holds(item)) break;
    count++;
  }
  return count;
}

function isEmpty(answer: AnswerItem): boolean {
  return answer.calls.length === 0 && answer.text.trim() === "";
}

function isPiece(answer: AnswerItem): boolean {
  return answer.finish === "length" && answer.calls.length === 0 && answer.text.trim() !== "";
}

function isBadRound(answer: AnswerItem): boolean {
  return (
    answer.calls.length > 0 &&
    answer.calls.every((call) => failedWith(call, "unknown_tool") || failedWith(call, "bad_arguments"))
  );
}

function failedWith(call: CallState, code: string): boolean {
  return call.outcome?.kind === "failed" && call.outcome.code === code;
}

function why(call: CallState): string {
  return call.outcome?.kind === "failed" ? call.outcome.message.slice(0, 200) : call.tool;
}
