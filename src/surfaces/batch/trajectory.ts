import { parseExact } from "../../contract/common/parse-exact.ts";
import type { Fact, Recorded } from "../../contract/conversation/fact.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { ToolOffer } from "../../contract/providers/model.ts";
import { shownOf } from "../../contract/tools/outcome.ts";
import { textOf, type AnswerPart, type ToolCallPart } from "../../contract/conversation/part.ts";

export interface SentMessage {
  readonly from: "system" | "human" | "gpt" | "tool";
  readonly value: string;
}

export interface ToolCount {
  readonly count: number;
  readonly success: number;
  readonly failure: number;
}

/** The result of an item, from its session's facts. */
export interface Trajectory {
  readonly conversations: readonly SentMessage[];
  readonly apiCalls: number;
  readonly tools: ReadonlyMap<string, ToolCount>;
  readonly answers: number;
  readonly answersWithReasoning: number;
  /** How the last turn ended; `undefined` if it has not ended or there is none. */
  readonly ended: Extract<Fact, { type: "turn.ended" }> | undefined;
  readonly begun: boolean;
}

type Answer = Extract<Fact, { type: "model.answered" }>;

/** A conversation in ShareGPT format, with each result after its call. */
export function trajectoryOf(facts: readonly Recorded[]): Trajectory {
  const settled = new Map(
    facts.flatMap(({ fact }) => (fact.type === "tool.settled" ? [[fact.callId, fact.outcome] as const] : [])),
  );
  const answers = facts.flatMap(({ fact }) => (fact.type === "model.answered" ? [fact] : []));
  const offers = facts.flatMap(({ fact }) => (fact.type === "prefix.fixed" ? [fact.tools] : []))[0] ?? [];
  const conversations: SentMessage[] = [{ from: "system", value: systemOf(offers) }];
  const tools = new Map<string, ToolCount>();
  for (const { fact } of facts) {
    if (fact.type === "message.added") conversations.push({ from: "human", value: textOf(fact.parts) });
    if (fact.type !== "model.answered") continue;
    conversations.push({ from: "gpt", value: answerText(fact) });
    const results = callsOf(fact).flatMap((call) => {
      const outcome = settled.get(call.callId);
      if (outcome === undefined) return [];
      const content = jsonOrText(textOf(shownOf(outcome)));
      count(tools, call.tool, outcome.kind === "ok" && !reportsFailure(content));
      return [
        `<tool_response>\n${JSON.stringify({ tool_call_id: call.callId, name: call.tool, content })}\n</tool_response>`,
      ];
    });
    if (results.length > 0) conversations.push({ from: "tool", value: results.join("\n") });
  }
  const last = facts.findLast(({ fact }) => fact.type === "turn.started" || fact.type === "turn.ended")?.fact;
  return {
    conversations,
    apiCalls: answers.length,
    tools,
    answers: answers.length,
    answersWithReasoning: answers.filter(({ parts }) => reasoningOf(parts) !== "").length,
    ended: last?.type === "turn.ended" ? last : undefined,
    begun: facts.length > 0,
  };
}

function systemOf(offers: readonly ToolOffer[]): string {
  const tools = offers.map(({ name, description, parameters }) => ({ name, description, parameters, required: null }));
  return (
    "You are a model that calls functions. Their signatures are inside <tools>. Call as many as the user's request needs, and do not invent missing values.\n" +
    `<tools>\n${JSON.stringify(tools)}\n</tools>\n` +
    'A call is a JSON object inside <tool_call>:\n<tool_call>\n{"name": <name of the function>, "arguments": <object of its arguments>}\n</tool_call>\nIts result comes inside <tool_response>.'
  );
}

function answerText({ parts }: Answer): string {
  const thought = reasoningOf(parts);
  const calls = parts.flatMap((part) =>
    part.type === "tool-call"
      ? [`<tool_call>\n${JSON.stringify({ name: part.tool, arguments: argumentsOf(part) })}\n</tool_call>`]
      : [],
  );
  const message = [textOf(parts), ...calls].filter((text) => text !== "");
  return `<think>\n${thought === "" ? "" : `${thought}\n`}</think>\n${message.join("\n")}`;
}

function reasoningOf(parts: readonly AnswerPart[]): string {
  return parts
    .flatMap((part) => (part.type === "reasoning" ? [part.text] : []))
    .join("\n")
    .trim();
}

function callsOf({ parts }: Answer): readonly ToolCallPart[] {
  return parts.flatMap((part) => (part.type === "tool-call" ? [part] : []));
}

function argumentsOf({ args }: ToolCallPart): Json {
  const value = jsonOrText(args);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

function jsonOrText(text: string): Json {
  if (!/^\s*[{[]/.test(text)) return text;
  try {
    return parseExact(text) as Json;
  } catch {
    return text;
  }
}

/** A call may succeed and still report in its result that it failed. */
function reportsFailure(content: Json): boolean {
  if (typeof content !== "object" || content === null || Array.isArray(content)) return false;
  const { error, success } = content as JsonObject;
  return success === false || (error !== undefined && error !== null);
}

function count(tools: Map<string, ToolCount>, name: string, ok: boolean): void {
  const { count: all, success, failure } = tools.get(name) ?? { count: 0, success: 0, failure: 0 };
  tools.set(name, { count: all + 1, success: success + (ok ? 1 : 0), failure: failure + (ok ? 0 : 1) });
}
