import type { Fact } from "../../../contract/conversation/fact.ts";
import { textOf } from "../../../contract/conversation/part.ts";
import type { ToolService } from "../../../contract/services/tool-service.ts";
import { shownOf, type SettledOutcome } from "../../../contract/tools/outcome.ts";
import { endingOf } from "../../shared/display/call-ending.ts";
import { previewOf } from "../../shared/display/call-preview.ts";
import { callTitle } from "../../shared/display/call-title.ts";
import type { PreviewLine } from "../../shared/display/preview-line.ts";
import type { CallDetails, CallState, ResultForm, ShownCall, ShownImage } from "./trace-item.ts";

type Called = Extract<Fact, { type: "tool.called" }>;
type Settled = Extract<Fact, { type: "tool.settled" }>;

/** Longest title argument, in columns. */
const ARGUMENT = 160;
/** Of a command's output: its end. */
const OUTPUT_LINES = 5;
/** Most lines of a card that is closed. */
const SHORT = 12;

interface Result {
  readonly summary: string;
  readonly form: ResultForm;
  readonly lines: readonly PreviewLine[];
  readonly shortLines: number;
  readonly fromEnd: boolean;
}

/** A call that has not ended. */
export function calledCall(fact: Called, at: number, tools: Pick<ToolService, "get">): ShownCall {
  const { callId, tool, args, by, parentCallId } = fact;
  return {
    callId,
    tool,
    title: callTitle({ name: tool, declaration: tools.get(tool), args }, ARGUMENT),
    state: "waiting",
    at,
    ending: "",
    summary: "",
    form: "lines",
    lines: [],
    more: 0,
    images: 0,
    by,
    parentCallId,
  };
}

/** The call with its result. */
export function settledCall(call: ShownCall, { outcome, durationMs }: Settled): ShownCall {
  const { summary, form, lines, shortLines, fromEnd } = resultOf(outcome);
  const count = Math.min(shortLines, SHORT, lines.length);
  const ending = endingOf(outcome);
  return {
    ...call,
    state: stateOf(outcome, ending.text),
    durationMs,
    ending: ending.text,
    summary,
    form,
    lines: fromEnd ? lines.slice(lines.length - count) : lines.slice(0, count),
    more: lines.length - count,
    images: imagesOf(outcome).length,
  };
}

/** Everything about a call, for an open card. */
export function detailsOf(call: ShownCall, called: Called, settled: Settled | undefined): CallDetails {
  const { form, lines } = settled === undefined ? { form: "lines" as const, lines: [] } : resultOf(settled.outcome);
  return {
    call,
    args: called.args,
    form,
    lines,
    result: settled === undefined ? "" : textOf(shownOf(settled.outcome)),
    images: settled === undefined ? [] : imagesOf(settled.outcome),
    touched: settled?.touched ?? [],
  };
}

/** A command that ran and ended with an error is a successful call to the model, and a failure to the user. */
function stateOf(outcome: SettledOutcome, ending: string): CallState {
  switch (outcome.kind) {
    case "ok":
      return ending === "" ? "done" : "failed";
    case "failed":
      return "failed";
    case "denied":
      return "denied";
    default:
      return "stopped";
  }
}

function resultOf(outcome: SettledOutcome): Result {
  const text = textOf(shownOf(outcome));
  const output = outputOf(text);
  if (output === undefined) {
    const { summary, lines, shortLines, shortPart, isDiff } = previewOf(text);
    return { summary, form: isDiff === true ? "diff" : "lines", lines, shortLines, fromEnd: shortPart === "end" };
  }
  // The page draws the colours, so it needs the control sequences.
  const raw = output === "" ? [] : output.replace(/\n+$/, "").split("\n");
  return {
    summary: "",
    form: "terminal",
    lines: raw.map((line) => ({ kind: "plain", text: line })),
    shortLines: OUTPUT_LINES,
    fromEnd: true,
  };
}

/** The output of a command, or other text with colours. */
function outputOf(text: string): string | undefined {
  if (!text.startsWith("{")) return text.includes("\u001b[") ? text : undefined;
  try {
    const { output, exit_code: code } = JSON.parse(text) as { readonly output?: unknown; readonly exit_code?: unknown };
    return typeof output === "string" && typeof code === "number" ? output : undefined;
  } catch {
    return undefined; // Truncated, or not JSON.
  }
}

function imagesOf(outcome: SettledOutcome): readonly ShownImage[] {
  return outcome.kind === "ok"
    ? outcome.shown.flatMap((part) => (part.type === "image" ? [{ mediaType: part.mediaType, data: part.data }] : []))
    : [];
}
