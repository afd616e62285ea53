import type { Fact, Origin, ProjectNotes, Recorded } from "../../contract/conversation/fact.ts";
import type { Json } from "../../contract/common/json.ts";
import type { Message, Usage } from "../../contract/providers/model.ts";
import type { Part } from "../../contract/conversation/part.ts";
import { wellFormedCalls } from "../../contract/common/well-formed.ts";
import { NO_USAGE, sumOfUsage } from "../../contract/common/usage.ts";
import type { CallState } from "../dispatch/call-state.ts";
import { Conversation, type Place } from "./conversation.ts";
import { CarriedFold } from "./carried-fold.ts";
import { UntrustedFold } from "./untrusted-fold.ts";
import { meantCall } from "../arguments/intended-call.ts";
import type { Prefix } from "../ports.ts";
import { answerParts, environmentNote, projectNote } from "./transcript-messages.ts";

export interface QueuedInput {
  readonly inputId: string;
  readonly mode: "queue" | "steer";
  readonly origin: Origin;
  readonly parts: readonly Part[];
}

/** The events of the open turn, in order: enough to know what comes next, now and after a crash. */
export type TurnItem =
  | { readonly kind: "message"; readonly origin: Origin }
  | {
      readonly kind: "answer";
      readonly requestId: string;
      readonly text: string;
      readonly finish: "stop" | "tool-calls" | "length" | "filter";
      readonly calls: readonly CallState[];
      readonly request: number;
    };

export interface OpenTurn {
  readonly turnId: string;
  readonly items: TurnItem[];
  /** Model requests, without retries and without those that ended with their process. */
  requests: number;
  /** Requests that ended with their process: neither an answer nor a failure is stored. */
  interrupted: number;
  /** Retries counted. */
  attempts: number;
  toolCalls: number;
  usage: Usage;
  /** A request that has neither an answer nor a failure. */
  asking: string | undefined;
  /** Notes that Hermes has already added in this turn. */
  readonly said: Set<string>;
  /** The turn's first input, if a compaction removed it. */
  text?: string;
}

/**
 * The fold of a session's facts: everything a turn needs to know. Applying a fact costs nothing that grows with the
 * session; contents are shared with the facts, not copied.
 */
export class Transcript {
  lastSeq = 0;
  surface: string | undefined;
  cwd: string | undefined;
  notes: ProjectNotes | undefined;
  title: string | undefined;
  /** Of a subagent's session. */
  subagent: { readonly parentId: string; readonly goal: string; readonly depth: number } | undefined;
  model: { readonly provider: string; readonly model: string; readonly baseUrl?: string } | undefined;
  prefix: Prefix | undefined;
  turns = 0;
  usage: Usage = NO_USAGE;
  costUsd = 0;
  open: OpenTurn | undefined;
  readonly state = new Map<string, Json>();
  /** Waiting input, oldest first. */
  readonly queued = new Map<string, QueuedInput>();
  readonly calls = new Map<string, CallState>();
  readonly untrusted = new UntrustedFold();
  readonly carried = new CarriedFold();
  readonly #conversation = new Conversation();
  compactions = 0;
  /** The tokens of the last request and its answer; 0 before the first, and after a compaction. */
  lastTokens = 0;

  constructor(facts: Iterable<Recorded> = []) {
    for (const recorded of facts) this.applyStored(recorded);
  }

  /**
   * Applies a fact that may be from an earlier version: those stored halves of characters, and providers refuse each
   * request that has one.
   */
  applyStored(recorded: Recorded): void {
    const fact = wellFormedCalls(recorded.fact);
    this.apply(fact === recorded.fact ? recorded : { ...recorded, fact });
  }

  /**
   * Applies a fact that has whole characters only. `recorded` is kept: it may be given another `seq` until it is
   * stored.
   */
  apply(recorded: Recorded): void {
    const { fact } = recorded;
    this.lastSeq = recorded.seq;
    switch (fact.type) {
      case "session.started":
        this.surface = fact.surface;
        this.cwd = fact.cwd;
        this.notes = fact.notes;
        if (fact.subagent !== undefined)
          this.subagent = {
            parentId: fact.parent?.sessionId ?? "",
            goal: fact.subagent.goal,
            depth: fact.subagent.depth,
          };
        if (fact.subagent?.foreign !== undefined) this.untrusted.inherit(fact.subagent.foreign);
        return;
      case "session.titled":
        this.title = fact.title;
        return;
      case "prefix.fixed":
        this.prefix = { system: fact.system, tools: fact.tools, hash: fact.hash };
        return;
      case "model.chosen":
        this.model = {
          provider: fact.provider,
          model: fact.model,
          baseUrl: fact.baseUrl,
        };
        return;
      case "input.queued":
        this.queued.set(fact.inputId, {
          inputId: fact.inputId,
          mode: fact.mode,
          origin: fact.origin,
          parts: fact.parts,
        });
        return;
      case "input.withdrawn":
        this.queued.delete(fact.inputId);
        return;
      case "turn.started":
        this.turns++;
        this.open = {
          turnId: fact.turnId,
          items: [],
          requests: 0,
          interrupted: 0,
          attempts: 0,
          toolCalls: 0,
          usage: NO_USAGE,
          asking: undefined,
          said: new Set(),
        };
        return;
      case "message.added":
        return this.#message(recorded, fact);
      case "model.asked":
        if (this.open === undefined) return;
        this.open.attempts++;
        if (this.open.asking !== undefined) this.open.interrupted++;
        else if (fact.attempt <= 1) this.open.requests++;
        this.open.asking = fact.requestId;
        return;
      case "model.answered":
        return this.#answer(recorded, fact);
      case "model.failed":
        if (this.open?.asking === fact.requestId) this.open.asking = undefined;
        // The user may refer to what they have read.
        if (fact.text !== undefined)
          this.#conversation.answer(recorded, fact.turnId, [{ type: "text", text: fact.text }], []);
        return;
      case "tool.called":
        return this.#called(fact);
      case "tool.started": {
        const call = this.calls.get(fact.callId);
        if (call !== undefined) call.started = true;
        return;
      }
      case "tool.settled":
        return this.#settled(fact);
      case "approval.asked": {
        const call = this.calls.get(fact.callId);
        if (call === undefined) return;
        call.asked = { risk: fact.risk, digest: fact.digest };
        delete call.given;
        return;
      }
      case "approval.given": {
        const call = this.calls.get(fact.callId);
        if (call?.asked === undefined) return;
        call.given = fact.decision;
        return;
      }
      case "subagent.started": {
        const call = this.calls.get(fact.callId);
        if (call !== undefined) (call.subagents ??= []).push({ sessionId: fact.sessionId, goal: fact.goal });
        return;
      }
      case "subagent.ended":
        this.usage = sumOfUsage(this.usage, fact.usage);
        this.costUsd += fact.costUsd ?? 0;
        if (this.open !== undefined) this.open.usage = sumOfUsage(this.open.usage, fact.usage);
        return;
      case "state.set":
        this.state.set(fact.key, fact.value);
        return;
      case "context.compacted":
        return this.#compact(fact);
      case "turns.undone":
        return this.#cut(fact.from);
      case "turn.ended":
        if (this.open?.turnId === fact.turnId) this.open = undefined;
        if (fact.reason === "cancelled") this.#conversation.stopped(recorded, fact.turnId);
        return;
    }
  }

  /** Made by a model's answer, or by the tool of such a call. */
  isModels(call: CallState): boolean {
    for (let at: CallState | undefined = call, depth = 0; at !== undefined && depth < 32; depth++) {
      if (at.part !== undefined) return true;
      at = at.called?.parentCallId === undefined ? undefined : this.calls.get(at.called.parentCallId);
    }
    return false;
  }

  /** Calls that were made or started and have no end. */
  unsettled(): readonly CallState[] {
    return [...this.calls.values()].filter((call) => call.outcome === undefined);
  }

  /**
   * The conversation for the model. Messages of the past are the same objects every time.
   * @param injected Context that joins one turn's user message in this request only and is not stored.
   */
  messages(injected?: { readonly turnId: string; readonly text: string }): readonly Message[] {
    const opening = [
      ...(this.cwd === undefined ? [] : [environmentNote(this.surface ?? "", this.cwd)]),
      ...(this.notes === undefined ? [] : [projectNote(this.notes)]),
    ];
    return this.#conversation.messages(opening, injected);
  }

  /**
   * The conversation without what we put before it (what is carried included), one message after the other, each with
   * the first fact it stands for; 0 for what was compacted.
   */
  conversation(): readonly { readonly seq: number; readonly message: Message }[] {
    return this.#conversation.list();
  }

  /** The text of a turn's first input. */
  userText(turnId: string): string {
    return this.#conversation.userText(turnId) ?? (this.open?.turnId === turnId ? (this.open.text ?? "") : "");
  }

  #message(at: Place, fact: Extract<Fact, { type: "message.added" }>): void {
    if (fact.inputId !== undefined) this.queued.delete(fact.inputId);
    this.untrusted.message(fact);
    this.carried.message(at, fact);
    if (this.open?.turnId === fact.turnId) {
      this.open.items.push({ kind: "message", origin: fact.origin });
      if (fact.origin === "system")
        for (const part of fact.parts) if (part.type === "text") this.open.said.add(part.text);
    }
    this.#conversation.say(at, fact);
  }

  #compact(fact: Extract<Fact, { type: "context.compacted" }>): void {
    if (this.open !== undefined) this.open.text = this.userText(this.open.turnId);
    this.#conversation.compact(fact);
    this.compactions++;
    this.lastTokens = 0;
    this.usage = sumOfUsage(this.usage, fact.usage ?? NO_USAGE);
    this.costUsd += fact.costUsd ?? 0;
  }

  #cut(from: number): void {
    this.#conversation.cut(from);
    this.carried.cut(from);
    // The size of the shorter conversation is known after its next request.
    this.lastTokens = 0;
  }

  #answer(at: Place, fact: Extract<Fact, { type: "model.answered" }>): void {
    this.usage = sumOfUsage(this.usage, fact.usage);
    this.costUsd += fact.costUsd ?? 0;
    this.lastTokens = countsSession(fact) ? 0 : fact.usage.inputTokens + fact.usage.outputTokens;
    const parts =
      answerParts(
        fact.parts,
        (callId) => this.calls.has(callId),
        (index) => `call_${at.seq}_${index}`,
      ) ?? [];
    const calls = parts.flatMap((part): CallState[] =>
      part.type === "tool-call"
        ? [{ callId: part.callId, turnId: fact.turnId, ...meantCall(part), part, started: false }]
        : [],
    );
    for (const call of calls) this.calls.set(call.callId, call);
    if (this.open?.turnId === fact.turnId) {
      const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
      this.open.items.push({
        kind: "answer",
        requestId: fact.requestId,
        text,
        finish: fact.finish,
        calls,
        request: this.open.requests,
      });
      this.open.usage = sumOfUsage(this.open.usage, fact.usage);
      this.open.asking = undefined;
    }
    if (parts.length > 0) this.#conversation.answer(at, fact.turnId, parts, calls);
  }

  #called(fact: Extract<Fact, { type: "tool.called" }>): void {
    let call = this.calls.get(fact.callId);
    if (call === undefined)
      this.calls.set(
        fact.callId,
        (call = { callId: fact.callId, turnId: fact.turnId, tool: fact.tool, started: false }),
      );
    if (call.called === undefined && fact.by === "model" && this.open?.turnId === fact.turnId) this.open.toolCalls++;
    call.called = {
      args: fact.args,
      effect: fact.effect,
      repeatable: fact.repeatable,
      by: fact.by,
      parentCallId: fact.parentCallId,
    };
    // Called again after a crash: what was known of the first start was about that one.
    if (call.outcome === undefined) call.started = false;
  }

  #settled({ callId, outcome, touched, web }: Extract<Fact, { type: "tool.settled" }>): void {
    const call = this.calls.get(callId);
    if (call === undefined || call.outcome !== undefined) return; // The first end stands: a model may have read it.
    call.outcome = outcome;
    this.untrusted.settled(outcome, call.called?.effect, web);
    this.carried.settled(call, touched, this.cwd ?? "/");
    if (call.part !== undefined) this.#conversation.settled(call);
  }
}

/** The usage is the sum of an imported session. Earlier versions stored none but the id of the imported request. */
function countsSession({ counts, requestId }: Extract<Fact, { type: "model.answered" }>): boolean {
  return counts === "session" || /^original-\d+$/.test(requestId);
}
