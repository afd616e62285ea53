import type { TraceItem } from "../../trace/trace-item.ts";
import type { ListedSession } from "../../live/listed-session.ts";
import { ask } from "../ask.ts";
import type { TraceRow } from "./trace-row.ts";

export interface ReceivedTrace {
  readonly session: ListedSession;
  readonly seq: number;
  readonly items: readonly TraceItem[];
}

export const FILTERS = ["all", "conversation", "calls", "failed", "requests"] as const;
export type Filter = (typeof FILTERS)[number];

/** The rows of a session, and what a filter leaves of them. */
export class TraceData {
  readonly #path: string;
  #items = new Map<string, TraceItem>();
  #rows = new Map<string, TraceRow>();
  #seq = 0;

  constructor(sessionId: string) {
    this.#path = `/api/sessions/${encodeURIComponent(sessionId)}/trace`;
  }

  /** Reads what is new. */
  async update(signal: AbortSignal): Promise<ReceivedTrace> {
    const query = this.#seq === 0 ? "" : `?after=${this.#seq}`;
    const received = await ask<ReceivedTrace>("GET", `${this.#path}${query}`, undefined, signal);
    this.#seq = received.seq;
    for (const item of received.items) {
      // Queued input moves to where the model read it.
      const known = this.#items.get(item.id);
      if (known?.kind === "message" && known.queued === true) this.#items.delete(item.id);
      this.#items.set(item.id, item);
    }
    return received;
  }

  item(id: string): TraceItem | undefined {
    return this.#items.get(id);
  }

  /** The rows that pass. A row keeps its identity while it does not change. */
  rows(filter: Filter, words: string): readonly TraceRow[] {
    const wanted = words.toLowerCase().trim();
    const rows: TraceRow[] = [];
    const known = this.#rows;
    this.#rows = new Map();
    let turn: Extract<TraceItem, { kind: "turn" }> | undefined;
    for (const item of this.#items.values()) {
      if (item.kind === "turn") turn = item;
      const before = known.get(item.id);
      // Only the bar of a row depends on its turn, and only once the turn has ended.
      const same = before?.item === item && before.turn?.endedAt === turn?.endedAt;
      const row = same ? before : { item, turn };
      this.#rows.set(item.id, row);
      if (passes(item, filter) && (wanted === "" || textOf(item).includes(wanted))) rows.push(row);
    }
    return rows;
  }
}

function passes(item: TraceItem, filter: Filter): boolean {
  switch (filter) {
    case "all":
      return true;
    case "conversation":
      return item.kind === "turn" || item.kind === "message" || item.kind === "answer" || item.kind === "compaction";
    case "calls":
      return item.kind === "call";
    case "requests":
      return item.kind === "request" || item.kind === "turn" || item.kind === "compaction";
    case "failed":
      return (
        (item.kind === "call" && ["failed", "denied", "stopped"].includes(item.call.state)) ||
        (item.kind === "request" && item.state === "failed") ||
        (item.kind === "turn" && item.reason !== undefined && item.reason !== "done")
      );
  }
}

function textOf(item: TraceItem): string {
  switch (item.kind) {
    case "call":
      return [item.call.tool, item.call.title, item.call.ending, ...item.call.lines.map(({ text }) => text)]
        .join("\n")
        .toLowerCase();
    case "message":
    case "answer":
    case "note":
      return item.text.toLowerCase();
    case "compaction":
      return item.summary.toLowerCase();
    case "request":
      return `${item.model} ${item.failure ?? ""}`.toLowerCase();
    case "turn":
      return (item.detail ?? "").toLowerCase();
  }
}
