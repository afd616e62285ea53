import type { AnswerPart, Message, ModelEvent, ModelRequest, ToolCallPart, ToolResultPart } from "hermes-agent/plugin";
import { callFor, type Plan } from "./call-for.ts";
import { understand, type Request } from "./request.ts";
import { reportResult } from "./describe-result.ts";

/** How the offline model describes itself when it cannot help, so that no user takes it for a language model. */
const WHO = "I am Hermes' built-in rule-based model, not a language model.";

const HELP = `${WHO} I understand a few plain requests, and several in a row joined by “then”:

- list the files here · list the files in DIR
- read FILE
- search for WORDS in DIR · find files named *.ts
- write FILE with TEXT
- run COMMAND · $ COMMAND
- add a to-do: TEXT · show my to-dos
- delegate TASK · delegate in parallel: TASK; TASK
- use the NAME tool for VALUE · use the NAME tool with key=value

To talk with a real model, connect one with \`hermes setup\` or \`hermes model\`.`;

/**
 * Answers from the request alone: the user's last message and the results since then. Each step of a message is one
 * answer, so that every call passes the dispatch pipeline, and the last answer describes all results.
 */
export async function* answerByRules(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  if (signal.aborted) {
    yield cancelled();
    return;
  }
  const parts = decide(request);
  for (const part of parts) {
    if (part.type === "tool-call") yield { type: "call.delta", tool: part.tool };
    if (part.type !== "text") continue;
    for (const text of part.text.match(/\S+\s*|\s+/g) ?? []) yield { type: "text.delta", text };
  }
  if (signal.aborted) yield cancelled();
  else
    yield {
      type: "end",
      kind: "answer",
      parts,
      finish: parts.some((part) => part.type === "tool-call") ? "tool-calls" : "stop",
      usage: NOTHING_USED,
      model: "rules",
    };
}

const NOTHING_USED = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };

function decide(request: ModelRequest): readonly AnswerPart[] {
  const at = request.messages.findLastIndex((message) => message.role === "user");
  const asked = request.messages[at];
  const { words, steps } = asked?.role === "user" ? read(asked) : { words: "", steps: [] };
  if (steps.length === 0) return [say(words === "" ? HELP : `I do not understand “${short(words)}”. ${HELP}`)];

  const output = reportAll(steps, resultsIn(request.messages.slice(at + 1)), request);
  const next = output.goOn ? steps[output.done] : undefined;
  if (next === undefined) return [say(output.texts.join("\n\n"))];
  if (next.kind === "help") return [say([...output.texts, HELP].join("\n\n"))];
  const plan = callFor(next, request.tools);
  if (plan.kind === "say") return [say([...output.texts, plan.text].join("\n\n"))];
  if (request.toolChoice === "none")
    return [say([...output.texts, `I may call no more tools in this turn. Not done: ${describe(next)}.`].join("\n\n"))];
  return [toCall(plan, request.messages)];
}

interface Report {
  readonly texts: readonly string[];
  /** Steps that have a result. */
  readonly done: number;
  /** Whether no step failed, so that the next one still makes sense. */
  readonly goOn: boolean;
}

function reportAll(steps: readonly Request[], results: readonly ToolResultPart[], request: ModelRequest): Report {
  const texts: string[] = [];
  for (const [index, result] of results.entries()) {
    const step = steps[index];
    if (step === undefined) break;
    const { text, ok } = reportResult(step, result);
    texts.push(text);
    if (ok) continue;
    const left = steps.slice(index + 1);
    if (left.length > 0) texts.push(`So I stopped there and did not ${left.map(describe).join(", nor ")}.`);
    return { texts, done: index + 1, goOn: false };
  }
  return { texts, done: Math.min(results.length, steps.length), goOn: request.messages.length > 0 };
}

/** The user's own text, without the other parts of the message (environment, summaries, untrusted content). */
function read(message: Extract<Message, { role: "user" }>): {
  readonly words: string;
  readonly steps: readonly Request[];
} {
  const texts: string[] = [];
  let inData = false;
  for (const part of message.parts) {
    if (part.type !== "text") continue;
    const text = part.text.trim();
    if (text.startsWith("[From a ")) inData = true;
    if (!inData && text !== "" && !/^(<environment>|<memory-context>|\[Summary of |\(The beginning of )/.test(text))
      texts.push(text);
    if (text.startsWith("[End of data ")) inData = false;
  }
  // Several inputs may have become one message; the last that can be understood is the one to answer.
  for (const words of texts.toReversed()) {
    const steps = understand(words);
    if (steps.length > 0) return { words, steps };
  }
  return { words: texts.at(-1) ?? "", steps: [] };
}

function resultsIn(messages: readonly Message[]): readonly ToolResultPart[] {
  return messages.flatMap((message) => (message.role === "tool" ? message.results : []));
}

/** Ids count the calls of the conversation, so the same conversation gives the same bytes. */
function toCall(plan: Extract<Plan, { kind: "call" }>, messages: readonly Message[]): ToolCallPart {
  const calls = messages.flatMap((message) =>
    message.role === "assistant" ? message.parts.filter((part) => part.type === "tool-call") : [],
  );
  const used = new Set(calls.map(({ callId }) => callId));
  let number = calls.length + 1;
  while (used.has(`call_${number}`)) number++;
  return { type: "tool-call", callId: `call_${number}`, tool: plan.tool, args: JSON.stringify(plan.args) };
}

function describe(request: Request): string {
  switch (request.kind) {
    case "list":
      return `list ${request.path === "." ? "the files" : `\`${request.path}\``}`;
    case "read":
      return `read \`${request.path}\``;
    case "search":
      return `search for “${request.words}”`;
    case "find":
      return `find \`${request.pattern}\``;
    case "write":
      return `write \`${request.path}\``;
    case "run":
      return `run \`${short(request.command)}\``;
    case "add-todo":
      return `add the to-do “${short(request.text)}”`;
    case "show-todos":
      return "show the to-dos";
    case "delegate":
      return `delegate “${short(request.goals.join("; "))}”`;
    case "use":
      return `use \`${request.tool}\``;
    case "help":
      return "help";
  }
}

function say(text: string): AnswerPart {
  return { type: "text", text };
}

function short(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

function cancelled(): ModelEvent {
  return {
    type: "end",
    kind: "failure",
    failure: { code: "cancelled", message: "The answer was cancelled.", retryable: false },
  };
}
