import type { Fact, Recorded } from "../../contract/conversation/fact.ts";
import type { Message } from "../../contract/providers/model.ts";
import { textOf, type AnswerPart, type Part } from "../../contract/conversation/part.ts";
import type { CallState } from "../dispatch/call-state.ts";
import {
  inputParts,
  joined,
  noteParts,
  remarkOf,
  requestCall,
  resultPart,
  summaryParts,
} from "./transcript-messages.ts";

/** Where a fact stands; that of a held one may still change. */
export type Place = Pick<Recorded, "seq">;

type Entry =
  | {
      readonly kind: "user";
      readonly at: Place;
      readonly turnId: string;
      readonly message: Extract<Message, { role: "user" }>;
    }
  | {
      readonly kind: "answer";
      readonly at: Place;
      readonly turnId: string;
      readonly assistant: Message;
      readonly calls: readonly CallState[];
      readonly notes: Part[];
      readonly remarks: string[];
      results: Message | undefined;
    };

/**
 * The messages of a conversation, and the only builder of a request's messages. Whatever it is given, each call has
 * exactly one result, in call order, and no message is empty.
 */
export class Conversation {
  #entries: Entry[] = [];
  #summary: string | undefined;
  /** Replaces the part that was compacted away. */
  #head: readonly Message[] = [];
  /** Outlives compactions; no context engine gets it. */
  #carried: string | undefined;

  say(at: Place, { turnId, origin, parts }: Extract<Fact, { type: "message.added" }>): void {
    // Input that arrives during work joins the last result: roles alternate, and earlier messages stay unchanged.
    const last = this.#entries.at(-1);
    if (last?.kind === "answer" && last.turnId === turnId && last.calls.length > 0) {
      const remark = origin === "system" ? remarkOf(parts) : undefined;
      if (remark === undefined) last.notes.push(...noteParts(origin, parts));
      else last.remarks.push(remark);
      last.results = undefined;
      return;
    }
    const text = inputParts(origin, parts);
    this.#entries.push({
      kind: "user",
      at,
      turnId,
      message: { role: "user", parts: text.length === 0 ? [{ type: "text", text: "(empty message)" }] : text },
    });
  }

  answer(at: Place, turnId: string, parts: readonly AnswerPart[], calls: readonly CallState[]): void {
    const assistant: Message = {
      role: "assistant",
      parts: parts.map((part): AnswerPart => (part.type === "tool-call" ? requestCall(part) : part)),
    };
    this.#entries.push({ kind: "answer", at, turnId, assistant, calls, notes: [], remarks: [], results: undefined });
  }

  /** A call of an answer has its end. */
  settled(call: CallState): void {
    for (let at = this.#entries.length - 1; at >= 0; at--) {
      const entry = this.#entries[at]!;
      if (entry.kind !== "answer" || !entry.calls.includes(call)) continue;
      entry.results = undefined;
      return;
    }
  }

  /** Otherwise the next message would read as if the one before were still to be done. */
  stopped(at: Place, turnId: string): void {
    if (this.#entries.at(-1)?.turnId === turnId)
      this.#entries.push({ kind: "user", at, turnId, message: { role: "user", parts: [STOPPED] } });
  }

  compact({ summary, messages, carried, keepFrom }: Extract<Fact, { type: "context.compacted" }>): void {
    this.#summary = messages === undefined ? summary : undefined;
    this.#head = messages ?? [];
    this.#carried = carried;
    this.#entries = this.#entries.filter((entry) => entry.at.seq >= keepFrom);
  }

  /** The user took back everything from here on. Messages before stay the same objects, so services still cache them. */
  cut(from: number): void {
    this.#entries = this.#entries.filter((entry) => entry.at.seq < from);
  }

  /**
   * The messages for the model, after `opening`. Messages of the past are the same objects every time.
   * @param injected Injected context that joins one turn's user message in this request only and is not stored.
   */
  messages(
    opening: readonly Part[],
    injected?: { readonly turnId: string; readonly text: string },
  ): readonly Message[] {
    const messages: Message[] = [];
    const carried: readonly Part[] = this.#carried === undefined ? [] : [{ type: "text", text: this.#carried }];
    const first = [...opening, ...carried, ...(this.#summary === undefined ? [] : summaryParts(this.#summary))];
    if (first.length > 0 && this.#entries.length + this.#head.length + carried.length > 0)
      messages.push({ role: "user", parts: first });
    else if ((this.#head[0]?.role ?? this.#entries[0]?.kind ?? "user") !== "user")
      messages.push({
        role: "user",
        parts: [{ type: "text", text: "(The beginning of this conversation is not available.)" }],
      });
    // The guest joins the turn's last message before its first answer.
    const host =
      injected === undefined
        ? -1
        : this.#entries.findLastIndex(
            (entry, at) =>
              entry.kind === "user" && entry.turnId === injected.turnId && !this.#answeredBefore(at, injected.turnId),
          );
    messages.push(...this.#head);
    // The turn's first input may be part of the summary by now.
    if (injected !== undefined && host < 0)
      messages.push({ role: "user", parts: [{ type: "text", text: injected.text }] });
    this.#entries.forEach((entry, at) => {
      if (entry.kind === "user") {
        messages.push(
          at === host
            ? { role: "user", parts: [...entry.message.parts, { type: "text", text: injected!.text }] }
            : entry.message,
        );
        return;
      }
      messages.push(entry.assistant);
      if (entry.calls.length > 0) messages.push((entry.results ??= resultsOf(entry)));
    });
    return joined(messages);
  }

  /** One message after the other, each with the first fact it stands for; 0 for what was compacted. */
  list(): readonly { readonly seq: number; readonly message: Message }[] {
    return [
      ...(this.#summary === undefined
        ? []
        : [{ seq: 0, message: { role: "user" as const, parts: summaryParts(this.#summary) } }]),
      ...this.#head.map((message) => ({ seq: 0, message })),
      ...this.#entries.flatMap((entry) => {
        const { seq } = entry.at;
        if (entry.kind === "user") return [{ seq, message: entry.message as Message }];
        return [
          { seq, message: entry.assistant },
          ...(entry.calls.length > 0 ? [{ seq, message: (entry.results ??= resultsOf(entry)) }] : []),
        ];
      }),
    ];
  }

  /** The text of a turn's first input; `undefined` if none of it is here any more. */
  userText(turnId: string): string | undefined {
    const texts: string[] = [];
    for (let at = this.#entries.length - 1; at >= 0; at--) {
      const entry = this.#entries[at]!;
      if (entry.turnId !== turnId) break;
      if (entry.kind === "user" && !this.#answeredBefore(at, turnId)) texts.unshift(textOf(entry.message.parts));
    }
    return texts.length === 0 ? undefined : texts.join("\n");
  }

  #answeredBefore(at: number, turnId: string): boolean {
    for (let before = at - 1; before >= 0; before--) {
      const entry = this.#entries[before]!;
      if (entry.turnId !== turnId) return false;
      if (entry.kind === "answer") return true;
    }
    return false;
  }
}

const STOPPED: Part = { type: "text", text: "[This turn was stopped before it was finished.]" };
const NOTHING_MORE = { notes: [], remarks: [] };

/** Notes join the last result: the model reads it next. */
function resultsOf(entry: Extract<Entry, { kind: "answer" }>): Message {
  const last = entry.calls.length - 1;
  return {
    role: "tool",
    results: entry.calls.map((call, at) => resultPart(call.part!, call.outcome, at === last ? entry : NOTHING_MORE)),
  };
}
