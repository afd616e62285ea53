import type { Fact, Recorded } from "../../../contract/conversation/fact.ts";
import { textOf, type Part } from "../../../contract/conversation/part.ts";
import type { Usage } from "../../../contract/providers/model.ts";
import type { ToolService } from "../../../contract/services/tool-service.ts";
import { calledCall, settledCall } from "./shown-call.ts";
import type { ItemOf, ShownCall, ShownImage, ShownSubagent, TraceItem } from "./trace-item.ts";

/** An item without what `put` adds. */
type Fresh = TraceItem extends infer Item ? (Item extends TraceItem ? Omit<Item, "id" | "seq" | "at"> : never) : never;

const NO_TOKENS = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };

/** Folds the facts of a session into the rows of its trace, one fact after the other. */
export class TraceFold {
  /** In the order in which they began. */
  readonly items = new Map<string, TraceItem>();
  /** The facts that began and ended each call. */
  readonly callFacts = new Map<string, { called: number; settled?: number }>();
  readonly #tools: Pick<ToolService, "get">;
  readonly #began = new Map<string, number>();
  #turn: string | undefined;
  #turns = 0;
  #seq = 0;

  constructor(tools: Pick<ToolService, "get">) {
    this.#tools = tools;
  }

  /** The last fact that was taken in. */
  get seq(): number {
    return this.#seq;
  }

  apply({ seq, at, fact }: Recorded): void {
    this.#seq = seq;
    if (fact.type.startsWith("tool.") || fact.type.startsWith("approval.") || fact.type.startsWith("subagent."))
      return this.#applyToCall(fact, at);
    switch (fact.type) {
      case "turn.started":
        this.#turn = `turn-${fact.turnId}`;
        return this.#put(this.#turn, at, {
          kind: "turn",
          number: ++this.#turns,
          requests: 0,
          calls: 0,
          ...NO_TOKENS,
          costUsd: 0,
          unknownCosts: 0,
        });
      case "turn.ended":
        this.#turn = undefined;
        this.#stopCalls();
        return this.#change<"turn">(`turn-${fact.turnId}`, { endedAt: at, reason: fact.reason, detail: fact.detail });
      case "input.queued":
        return this.#put(`input-${fact.inputId}`, at, {
          kind: "message",
          ...said(fact.parts, fact.origin),
          queued: true,
        });
      case "input.withdrawn":
        return this.#takeBack([`input-${fact.inputId}`]);
      case "message.added":
        return this.#addMessage(fact, at);
      case "model.asked":
        return this.#put(`request-${fact.requestId}`, at, {
          kind: "request",
          model: fact.model,
          attempt: fact.attempt,
          state: "open",
          ...NO_TOKENS,
          reasoningTokens: 0,
        });
      case "model.answered":
        return this.#answer(fact, at);
      case "model.failed":
        this.#change<"request">(`request-${fact.requestId}`, {
          state: "failed",
          endedAt: at,
          failure: fact.failure.message,
        });
        if (fact.text !== undefined) this.#put(`answer-${seq}`, at, { kind: "answer", text: fact.text, thinking: "" });
        return;
      case "context.compacted":
        return this.#put(`compaction-${seq}`, at, {
          kind: "compaction",
          summary: fact.summary,
          tokensBefore: fact.tokensBefore,
          tokensAfter: fact.tokensAfter,
          costUsd: fact.costUsd,
        });
      case "turns.undone":
        return this.#takeBack([...this.#began].filter(([, began]) => began >= fact.from).map(([id]) => id));
    }
  }

  #addMessage(fact: Extract<Fact, { type: "message.added" }>, at: number): void {
    if (fact.origin === "system")
      return this.#put(`note-${this.#seq}`, at, { kind: "note", text: textOf(fact.parts), bad: false });
    const id = `input-${fact.inputId ?? this.#seq}`;
    // Queued input belongs where the model reads it.
    this.items.delete(id);
    this.#put(id, at, { kind: "message", ...said(fact.parts, fact.origin) });
  }

  #answer(fact: Extract<Fact, { type: "model.answered" }>, at: number): void {
    const { requestId, parts, usage, costUsd, counts } = fact;
    if (counts !== "session")
      this.#change<"request">(`request-${requestId}`, { state: "answered", endedAt: at, costUsd, ...tokens(usage) });
    const text = textOf(parts);
    const thinking = parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("");
    if (text !== "" || thinking !== "") this.#put(`answer-${requestId}`, at, { kind: "answer", text, thinking });
  }

  #applyToCall(fact: Fact, at: number): void {
    if (fact.type === "tool.called") {
      const id = `call-${fact.callId}`;
      const known = this.callFacts.get(fact.callId);
      if (known !== undefined && known.settled === undefined) return; // Run again after an interruption.
      this.callFacts.set(fact.callId, { called: this.#seq });
      this.#put(id, at, { kind: "call", call: calledCall(fact, at, this.#tools) });
      return;
    }
    if (!("callId" in fact)) return;
    const item = this.items.get(`call-${fact.callId}`);
    if (item?.kind !== "call") return;
    const { call } = item;
    const set = (change: Partial<ShownCall>): void => this.#change<"call">(item.id, { call: { ...call, ...change } });
    switch (fact.type) {
      case "tool.started":
        return set({
          state: this.#tools.get(call.tool)?.interactive === true ? "answer" : "running",
          startedAt: at,
        });
      case "tool.settled": {
        const facts = this.callFacts.get(fact.callId);
        if (facts?.settled !== undefined) return; // The first end stands.
        if (facts !== undefined) facts.settled = this.#seq;
        return this.#change<"call">(item.id, { call: settledCall(call, fact) });
      }
      case "approval.asked":
        return set({ state: "approval", approval: { reasons: fact.risk.reasons, effects: fact.risk.effects } });
      case "approval.given": {
        const { kind, by, reason } = fact.decision;
        const scope = fact.decision.kind === "allow" ? fact.decision.scope : undefined;
        const approval = call.approval ?? { reasons: [], effects: [] };
        return set({ state: "waiting", approval: { ...approval, decision: kind, scope, by, reason } });
      }
      case "subagent.started":
        return set({ subagents: [...(call.subagents ?? []), { sessionId: fact.sessionId, goal: fact.goal }] });
      case "subagent.ended":
        return set({
          subagents: (call.subagents ?? []).map((one): ShownSubagent =>
            one.sessionId !== fact.sessionId
              ? one
              : {
                  ...one,
                  reason: fact.reason,
                  durationMs: fact.durationMs,
                  tokens: fact.usage.inputTokens + fact.usage.outputTokens,
                  costUsd: fact.costUsd,
                },
          ),
        });
    }
  }

  /** A turn ended, so nothing of it runs. */
  #stopCalls(): void {
    for (const [callId, { settled }] of this.callFacts) {
      if (settled !== undefined) continue;
      const item = this.items.get(`call-${callId}`);
      if (item?.kind === "call" && item.call.state !== "stopped")
        this.#change<"call">(item.id, { call: { ...item.call, state: "stopped" } });
    }
  }

  #takeBack(ids: readonly string[]): void {
    for (const id of ids) {
      const item = this.items.get(id);
      if (item !== undefined) this.items.set(id, { ...item, seq: this.#seq, undone: true });
    }
  }

  #put(id: string, at: number, item: Fresh): void {
    this.#began.set(id, this.#seq);
    this.items.set(id, { ...item, id, seq: this.#seq, at } as TraceItem);
  }

  #change<Kind extends TraceItem["kind"]>(id: string, change: Partial<ItemOf<Kind>>): void {
    const item = this.items.get(id);
    if (item !== undefined) this.items.set(id, { ...item, ...change, seq: this.#seq } as TraceItem);
  }
}

function said(
  parts: readonly Part[],
  origin: ItemOf<"message">["origin"],
): Pick<ItemOf<"message">, "origin" | "text" | "images"> {
  const images = parts.flatMap((part): readonly ShownImage[] =>
    part.type === "image" ? [{ mediaType: part.mediaType, data: part.data }] : [],
  );
  return { origin, text: textOf(parts), images };
}

function tokens({ inputTokens, outputTokens, cacheReadTokens, reasoningTokens }: Usage) {
  return { inputTokens, outputTokens, cachedTokens: cacheReadTokens, reasoningTokens };
}
