import type { Fact, Recorded } from "../../../contract/conversation/fact.ts";
import { textOf, type Part } from "../../../contract/conversation/part.ts";
import type { ToolService } from "../../../contract/services/tool-service.ts";
import { calledCall, detailsOf, settledCall } from "../trace/shown-call.ts";
import type { CallDetails, ItemOf, ShownCall, ShownImage } from "../trace/trace-item.ts";
import type { ChatItem, ItemsChange } from "./chat-state.ts";

type FactOf<Type extends Fact["type"]> = Extract<Fact, { type: Type }>;

const NOTHING: ItemsChange = { items: [], removed: [] };

/** The rows of a chat, folded from its facts. */
export class ChatItems {
  readonly #tools: Pick<ToolService, "get">;
  /** In the order of the conversation; queued messages are not among them. */
  readonly #items = new Map<string, ChatItem>();
  readonly #queued = new Map<string, ItemOf<"message">>();
  readonly #called = new Map<string, FactOf<"tool.called">>();
  readonly #settled = new Map<string, FactOf<"tool.settled">>();

  constructor(tools: Pick<ToolService, "get">) {
    this.#tools = tools;
  }

  /** All rows; queued messages last. */
  get all(): readonly ChatItem[] {
    return [...this.#items.values(), ...this.#queued.values()];
  }

  /** @returns `undefined` if there is no such call. */
  details(callId: string): CallDetails | undefined {
    const item = this.#items.get(callId);
    const called = this.#called.get(callId);
    return item?.kind === "call" && called !== undefined
      ? detailsOf(item.call, called, this.#settled.get(callId))
      : undefined;
  }

  /** @returns what changed. */
  apply({ seq, at, fact }: Recorded): ItemsChange {
    switch (fact.type) {
      case "input.queued":
        return this.#queue({ ...messageOf(fact, seq, at), id: fact.inputId, queued: true });
      case "input.withdrawn":
        this.#queued.delete(fact.inputId);
        return { items: [], removed: [fact.inputId] };
      case "message.added":
        return this.#added(fact, seq, at);
      case "model.answered":
        return this.#answered(fact, seq, at);
      case "model.failed":
        return this.#failed(fact, seq, at);
      case "tool.called":
        if (this.#called.has(fact.callId)) return NOTHING; // Run again after an interruption: still the same call.
        this.#called.set(fact.callId, fact);
        return this.#set({ kind: "call", id: fact.callId, seq, at, call: calledCall(fact, at, this.#tools) });
      case "tool.started":
        return this.#call(fact.callId, seq, (call) => ({ ...call, state: "running", startedAt: at }));
      case "approval.asked":
        return this.#call(fact.callId, seq, (call) => ({
          ...call,
          state: "approval",
          approval: { reasons: fact.risk.reasons, effects: fact.risk.effects },
        }));
      case "approval.given":
        return this.#call(fact.callId, seq, (call) => decided(call, fact));
      case "tool.settled":
        if (this.#settled.has(fact.callId)) return NOTHING; // The first end stands.
        this.#settled.set(fact.callId, fact);
        return this.#call(fact.callId, seq, (call) => settledCall(call, fact));
      case "subagent.started":
        return this.#call(fact.callId, seq, (call) => ({
          ...call,
          subagents: [...(call.subagents ?? []), { sessionId: fact.sessionId, goal: fact.goal }],
        }));
      case "subagent.ended":
        return this.#call(fact.callId, seq, (call) => ({
          ...call,
          subagents: call.subagents?.map((one) =>
            one.sessionId === fact.sessionId ? { ...one, reason: fact.reason, durationMs: fact.durationMs } : one,
          ),
        }));
      case "context.compacted":
        return this.#set({ kind: "compaction", id: `s${seq}`, seq, at, summary: fact.summary });
      case "turns.undone":
        return this.#undone(fact.from);
      case "turn.ended":
        return this.#ended(fact, seq, at);
      default:
        return NOTHING;
    }
  }

  #set(item: ChatItem): ItemsChange {
    this.#items.set(item.id, item);
    return { items: [item], removed: [] };
  }

  #queue(item: ItemOf<"message">): ItemsChange {
    this.#queued.set(item.id, item);
    return { items: [item], removed: [] };
  }

  #added(fact: FactOf<"message.added">, seq: number, at: number): ItemsChange {
    const { inputId } = fact;
    if (inputId !== undefined) this.#queued.delete(inputId);
    const text = textOf(fact.parts);
    if (fact.origin === "system") return this.#set({ kind: "note", id: `n${seq}`, seq, at, text, bad: false });
    return this.#set({ ...messageOf(fact, seq, at), id: inputId ?? `m${seq}` });
  }

  #answered({ parts }: FactOf<"model.answered">, seq: number, at: number): ItemsChange {
    const text = textOf(parts.filter(({ type }) => type === "text"));
    const thinking = parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("");
    return text.trim() === "" && thinking.trim() === ""
      ? NOTHING
      : this.#set({ kind: "answer", id: `a${seq}`, seq, at, text, thinking });
  }

  #failed({ text, failure }: FactOf<"model.failed">, seq: number, at: number): ItemsChange {
    const last = [...this.#items.values()].at(-1);
    const shown =
      text === undefined ? [] : this.#set({ kind: "answer", id: `a${seq}`, seq, at, text, thinking: "" }).items;
    // Retries for the same reason are shown once.
    if (last?.kind === "note" && last.text === failure.message) return { items: shown, removed: [] };
    const note = this.#set({ kind: "note", id: `n${seq}`, seq, at, text: failure.message, bad: true });
    return { items: [...shown, ...note.items], removed: [] };
  }

  #call(callId: string, seq: number, change: (call: ShownCall) => ShownCall): ItemsChange {
    const item = this.#items.get(callId);
    return item?.kind === "call" ? this.#set({ ...item, seq, call: change(item.call) }) : NOTHING;
  }

  #undone(from: number): ItemsChange {
    const removed: string[] = [];
    let gone = false;
    for (const item of this.#items.values()) {
      gone ||= firstSeq(item) >= from;
      if (!gone) continue;
      removed.push(item.id);
      this.#items.delete(item.id);
    }
    return { items: [], removed };
  }

  #ended({ reason, detail }: FactOf<"turn.ended">, seq: number, at: number): ItemsChange {
    const stopped = [...this.#items.values()].flatMap((item) =>
      item.kind === "call" && ["waiting", "running", "approval", "answer"].includes(item.call.state)
        ? this.#set({ ...item, call: { ...item.call, state: "stopped" } }).items
        : [],
    );
    if (reason === "done") return { items: stopped, removed: [] };
    const text = detail ?? `The turn ended: ${reason}.`;
    const note = this.#set({ kind: "note", id: `n${seq}`, seq, at, text, bad: reason === "failed" });
    return { items: [...stopped, ...note.items], removed: [] };
  }
}

/** The fact that made a row: its id names it, but for calls and messages with an input. */
function firstSeq(item: ChatItem): number {
  return /^[mans]\d+$/.test(item.id) ? Number(item.id.slice(1)) : item.seq;
}

function messageOf(
  { origin, parts }: { readonly origin: FactOf<"message.added">["origin"]; readonly parts: readonly Part[] },
  seq: number,
  at: number,
): Omit<ItemOf<"message">, "id"> {
  return { kind: "message", seq, at, origin, text: textOf(parts), images: parts.flatMap(imageOf) };
}

function imageOf(part: Part): readonly ShownImage[] {
  return part.type === "image" ? [{ mediaType: part.mediaType, data: part.data }] : [];
}

function decided(call: ShownCall, { decision }: FactOf<"approval.given">): ShownCall {
  const { kind, by, reason } = decision;
  return {
    ...call,
    state: "waiting",
    approval: {
      reasons: call.approval?.reasons ?? [],
      effects: call.approval?.effects ?? [],
      decision: kind,
      scope: kind === "allow" ? decision.scope : undefined,
      by,
      reason,
    },
  };
}
