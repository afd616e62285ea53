import type { ChatMessage } from "../../contract/conversation/chat-message.ts";
import type { Fact } from "../../contract/conversation/fact.ts";
import type { Message } from "../../contract/providers/model.ts";
import { carriedText, type CarriedText } from "../transcript/carried-text.ts";
import { textOf } from "../../contract/conversation/part.ts";
import { TODO_STATE } from "../../contract/conversation/todo-state.ts";
import { chatForm, restoreMessages, wordsOf } from "../transcript/chat-form.ts";
import type { ContextManager, ManagedContext, ModelInUse } from "../ports.ts";
import { estimateTokens } from "./token-estimate.ts";
import type { Transcript } from "../transcript/transcript.ts";
import type { TurnResources } from "./turn-resources.ts";

type Model = Omit<ModelInUse, "fallbacks">;
type Prefix = NonNullable<Transcript["prefix"]>;

/** Estimates the tokens of the next request. The provider's count of the last request is better than an estimate. */
export function nextTokens({ transcript }: Pick<TurnResources, "transcript">, prefix: Prefix): number {
  return Math.max(
    estimateTokens({ system: prefix.system, tools: prefix.tools, messages: transcript.messages() }),
    transcript.lastTokens,
  );
}

export function managedContext(
  { sessionId, surface, transcript, flush }: Pick<TurnResources, "sessionId" | "surface" | "transcript" | "flush">,
  model: Model,
  tokens: number,
  prefix: Prefix,
): ManagedContext {
  return {
    sessionId,
    surface,
    model,
    tokens,
    get fixedTokens() {
      return prefixTokens(prefix) + Math.ceil(carriedOf(transcript, prefix, model, () => false).text.length / CHARS);
    },
    compactions: transcript.compactions,
    messages: async () => (await flush(), transcript.conversation().flatMap(({ message }) => chatForm(message))),
  };
}

/**
 * Shortens the conversation and stores the result. The system prompt is rebuilt: its content may have changed since,
 * and the conversation after it has changed anyway.
 * @returns `undefined` if there was nothing to shorten. Rejects with a sentence on failure; then nothing has changed.
 */
export async function shorten(
  resources: TurnResources,
  model: Model,
  wanted: { readonly focus?: string; readonly force: boolean; readonly signal: AbortSignal },
): Promise<Compacted | undefined> {
  const { ports, transcript, sessionId, surface, prompter, cwd } = resources;
  const { prefix } = transcript;
  if (ports.context === undefined || prefix === undefined) return undefined;
  await resources.flush(); // Facts get their final position when they are stored, and the position says what is kept.
  const fact = await compacted({ ...resources, transcript, contextManager: ports.context, prefix }, model, wanted);
  if (fact === undefined) return undefined;
  wanted.signal.throwIfAborted();
  const fresh = await ports.prefix({ sessionId, surface, prompter, cwd, model: model.model });
  await resources.write([
    fact,
    ...(fresh.hash === prefix.hash ? [] : [{ type: "prefix.fixed" as const, ...fresh, reason: "compaction" }]),
  ]);
  return fact;
}

export type Compacted = Extract<Fact, { type: "context.compacted" }>;

/**
 * Shortens the conversation and returns the fact to store; `undefined` if the result is not shorter. Rejects if the
 * context engine does.
 */
async function compacted(
  resources: Pick<TurnResources, "sessionId" | "surface" | "transcript" | "flush" | "ports"> & {
    readonly contextManager: ContextManager;
    readonly prefix: Prefix;
  },
  model: Model,
  wanted: { readonly focus?: string; readonly force: boolean; readonly signal: AbortSignal },
): Promise<Compacted | undefined> {
  const { transcript, prefix, ports, sessionId } = resources;
  const before = nextTokens(resources, prefix);
  const conversation = transcript.conversation();
  const short = await resources.contextManager.compress(managedContext(resources, model, before, prefix), {
    ...wanted,
    focus: wanted.focus,
  });
  const { keepFrom, head } = split(conversation, short.messages, transcript.lastSeq + 1);
  const saved = conversation.filter(({ seq }) => seq >= keepFrom).map(({ message }) => message);
  // Measured with the same rule as before, not with the model's own count, which only the past has.
  const estimate = (messages: readonly Message[]): number =>
    estimateTokens({ system: prefix.system, tools: prefix.tools, messages });
  const was = estimate(conversation.map(({ message }) => message));
  const after = estimate([...head, ...saved]);
  if (after >= was || (head.length === 0 && saved.length === 0)) return undefined;
  const carried = await spilled(
    carriedOf(transcript, prefix, model, shownIn([...head, ...saved])),
    ports.spill && ((text) => ports.spill!(sessionId, `kept-${transcript.compactions + 1}`, text)),
  );
  const { engine, usage, costUsd } = short;
  return {
    type: "context.compacted",
    summary: summaryOf(head, conversation),
    keepFrom,
    messages: head,
    carried: carried === "" ? undefined : carried,
    engine,
    focus: wanted.focus,
    tokensBefore: Math.max(before, was),
    tokensAfter: after + Math.ceil(carried.length / CHARS),
    usage,
    costUsd,
  };
}

/** Largest share of the context window, without the prefix, that a compacted conversation may take. */
const CARRIED_SHARE = 0.35;
const MIN_CARRIED = 400;
const MAX_CARRIED = 12_000;
const CHARS = 3.8;

/** @param shown Whether a text stands in the conversation anyway. */
function carriedOf(
  transcript: Transcript,
  prefix: Prefix,
  model: Model,
  shown: (text: string) => boolean,
): CarriedText {
  const tokens = (model.contextTokens - prefixTokens(prefix)) * CARRIED_SHARE;
  return carriedText(transcript.carried, {
    todos: transcript.state.get(TODO_STATE),
    openTurn: transcript.open?.turnId,
    shown,
    room: Math.floor(Math.min(Math.max(tokens, MIN_CARRIED), MAX_CARRIED) * CHARS),
  });
}

function prefixTokens({ system, tools }: Prefix): number {
  return estimateTokens({ system, tools, messages: [] });
}

function shownIn(messages: readonly Message[]): (text: string) => boolean {
  const texts = new Set(
    messages.flatMap((message) =>
      message.role === "user" ? message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [],
    ),
  );
  return (text) => texts.has(text);
}

/** What had to be cut is whole in a file. */
async function spilled(
  { text, whole }: CarriedText,
  spill: ((text: string) => Promise<string>) | undefined,
): Promise<string> {
  if (whole === undefined || spill === undefined) return text;
  return `${text}\n\nAll of what is kept, without gaps, is in the file ${await spill(whole)}.`;
}

/** Where what was returned goes on word for word as it was given, and what stands before that. */
function split(
  conversation: readonly { readonly seq: number; readonly message: Message }[],
  returned: readonly ChatMessage[],
  end: number,
): { readonly keepFrom: number; readonly head: readonly Message[] } {
  const given = conversation.map((one) => ({ ...one, forms: chatForm(one.message).map(wordsOf) }));
  const forms = returned.map(wordsOf);
  let same = forms.length;
  let first = given.length;
  // An answer and its results are kept together or not at all.
  for (let at = given.length - 1, left = forms.length; at >= 0; at--) {
    const one = given[at]!;
    left -= one.forms.length;
    if (one.seq === 0 || left < 0 || !one.forms.every((form, index) => forms[left + index] === form)) break;
    if (at > 0 && given[at - 1]!.seq === one.seq) continue;
    first = at;
    same = left;
  }
  return {
    keepFrom: given[first]?.seq ?? end,
    head: restoreMessages(
      returned.slice(0, same),
      conversation.map(({ message }) => message),
    ),
  };
}

/** The new text among the messages, displayed as the summary. */
function summaryOf(head: readonly Message[], conversation: readonly { readonly message: Message }[]): string {
  const old = new Set(conversation.map(({ message }) => message));
  return head
    .flatMap((message) => (old.has(message) || message.role === "tool" ? [] : [textOf(message.parts)]))
    .filter((text) => text !== "")
    .join("\n\n");
}
