import { UserError } from "../../../contract/common/failure.ts";
import type { App } from "../../../contract/services/app.ts";
import type { Fact } from "../../../contract/conversation/fact.ts";
import type { LedgerRow } from "../../../contract/services/cost-service.ts";
import { detailsOf } from "./shown-call.ts";
import { TraceFold } from "./trace-fold.ts";
import type { CallDetails, ItemOf, TraceItem } from "./trace-item.ts";

type Called = Extract<Fact, { type: "tool.called" }>;
type Settled = Extract<Fact, { type: "tool.settled" }>;

/** Traces that stay in memory, so that an open page reads only what is new. */
const MOST = 4;

/** A session's trace, or what changed in it. */
export interface Trace {
  /** The last fact that it contains. */
  readonly seq: number;
  readonly items: readonly TraceItem[];
}

/** The traces of sessions that pages show. */
export class TraceBook {
  readonly #app: Pick<App, "sessions" | "costs" | "tools">;
  readonly #folds = new Map<string, { readonly fold: TraceFold; reading: Promise<void> }>();

  constructor(app: Pick<App, "sessions" | "costs" | "tools">) {
    this.#app = app;
  }

  /** Rows that changed after fact `after`; 0: all of them. */
  async read(sessionId: string, after: number): Promise<Trace> {
    const fold = await this.#fold(sessionId);
    const rows = await this.#app.costs.rows({ sessionId });
    const items = priced([...fold.items.values()], rows);
    return { seq: fold.seq, items: after === 0 ? items : items.filter(({ seq }) => seq > after) };
  }

  /** Everything about one call. @throws {UserError} The session has no such call. */
  async details(sessionId: string, callId: string): Promise<CallDetails> {
    const fold = await this.#fold(sessionId);
    const item = fold.items.get(`call-${callId}`);
    const places = fold.callFacts.get(callId);
    if (item?.kind !== "call" || places === undefined)
      throw new UserError(`Session "${sessionId}" has no call "${callId}".`);
    const called = await this.#fact(sessionId, places.called);
    const settled = places.settled === undefined ? undefined : await this.#fact(sessionId, places.settled);
    if (called?.type !== "tool.called") throw new UserError(`Session "${sessionId}" was removed.`);
    return detailsOf(item.call, called, settled?.type === "tool.settled" ? settled : undefined);
  }

  /** Everything about all calls, for an export. */
  async allDetails(sessionId: string): Promise<readonly CallDetails[]> {
    const fold = await this.#fold(sessionId);
    const called = new Map<string, Called>();
    const settled = new Map<string, Settled>();
    for await (const { fact } of this.#app.sessions.factsOf(sessionId)) {
      if (fact.type === "tool.called" && !called.has(fact.callId)) called.set(fact.callId, fact);
      if (fact.type === "tool.settled" && !settled.has(fact.callId)) settled.set(fact.callId, fact);
    }
    return [...called].flatMap(([callId, fact]) => {
      const item = fold.items.get(`call-${callId}`);
      return item?.kind === "call" ? [detailsOf(item.call, fact, settled.get(callId))] : [];
    });
  }

  async #fact(sessionId: string, seq: number): Promise<Fact | undefined> {
    for await (const { fact } of this.#app.sessions.factsOf(sessionId, seq - 1)) return fact;
    return undefined;
  }

  async #fold(sessionId: string): Promise<TraceFold> {
    const known = this.#folds.get(sessionId) ?? { fold: new TraceFold(this.#app.tools), reading: Promise.resolve() };
    this.#folds.delete(sessionId);
    this.#folds.set(sessionId, known);
    for (const [oldest] of this.#folds) if (this.#folds.size > MOST) this.#folds.delete(oldest);
    const reading = known.reading.then(async () => {
      for await (const recorded of this.#app.sessions.factsOf(sessionId, known.fold.seq)) known.fold.apply(recorded);
    });
    known.reading = reading.catch(() => undefined);
    await reading;
    return known.fold;
  }
}

/** Adds what the ledger knows of requests, and the sums of each turn. */
function priced(items: readonly TraceItem[], rows: readonly LedgerRow[]): readonly TraceItem[] {
  const byRequest = new Map(rows.map((row) => [`request-${row.requestId}`, row]));
  let turn: { -readonly [Key in keyof ItemOf<"turn">]: ItemOf<"turn">[Key] } | undefined;
  return items.map((item) => {
    if (item.kind === "turn") return (turn = { ...item });
    if (item.kind === "call" && turn !== undefined) {
      turn.calls++;
      turn.seq = Math.max(turn.seq, item.seq);
    }
    if (item.kind !== "request") return item;
    const row = byRequest.get(item.id);
    const request = row === undefined ? item : withRow(item, row);
    if (turn === undefined) return request;
    turn.requests++;
    turn.seq = Math.max(turn.seq, item.seq);
    turn.inputTokens += request.inputTokens;
    turn.cachedTokens += request.cachedTokens;
    turn.outputTokens += request.outputTokens;
    turn.costUsd += request.costUsd ?? 0;
    if (request.costUsd === undefined && request.state !== "open") turn.unknownCosts++;
    return request;
  });
}

function withRow(item: ItemOf<"request">, row: LedgerRow): ItemOf<"request"> {
  const ended = item.state === "open" && row.state !== "open";
  return {
    ...item,
    state: ended ? row.state : item.state,
    endedAt: item.endedAt ?? row.endedAt,
    failure: item.failure ?? row.failure,
    inputTokens: row.inputTokens || item.inputTokens,
    cachedTokens: row.cachedTokens || item.cachedTokens,
    outputTokens: row.outputTokens || item.outputTokens,
    reasoningTokens: row.reasoningTokens || item.reasoningTokens,
    costUsd: row.costUsd ?? item.costUsd,
  };
}
