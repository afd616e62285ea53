import type { ListedSession } from "../../live/listed-session.ts";
import type { CallDetails, ShownSubagent } from "../../trace/trace-item.ts";
import { ask } from "../ask.ts";
import { element, fill } from "../element.ts";
import { count, dollars, duration } from "../parts/figures.ts";
import { errorText } from "../parts-of-page.ts";
import { say } from "../text.ts";
import { TraceData } from "./trace-data.ts";
import { traceRow, type RowContext } from "./trace-row.ts";

/** More rows than that are on the subagent's own page. */
const MOST = 200;

/** Rows of open subagents that are drawn again when their sessions change. */
export class NestedSessions {
  readonly #signal: AbortSignal;
  readonly #open = new Map<string, () => Promise<void>>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  changed({ id }: ListedSession): void {
    void this.#open.get(id)?.();
  }

  /** A subagent below its call; its trace is read when the user opens it. */
  draw(subagent: ShownSubagent): HTMLElement {
    const { sessionId, goal, reason, durationMs, tokens, costUsd } = subagent;
    const body = element("div", { class: "nested-rows" });
    const figures = [
      reason === undefined ? say("running") : say(reason),
      durationMs === undefined ? undefined : duration(durationMs),
      tokens === undefined ? undefined : say("{} tokens", count(tokens)),
      costUsd === undefined ? undefined : dollars(costUsd),
    ];
    const box: HTMLDetailsElement = element(
      "details",
      { class: "nested", open: this.#open.has(sessionId), ontoggle: () => toggle() },
      element(
        "summary",
        {},
        element("span", { class: "quiet" }, `↳ ${say("Subagent")} · `),
        goal,
        element("span", { class: "quiet small" }, ` · ${figures.filter((text) => text !== undefined).join(" · ")}`),
      ),
      body,
    );
    const toggle = (): void => {
      if (!box.open) return void this.#open.delete(sessionId);
      const draw = this.#drawer(sessionId, body);
      this.#open.set(sessionId, draw);
      void draw();
    };
    return box;
  }

  #drawer(sessionId: string, body: HTMLElement): () => Promise<void> {
    const data = new TraceData(sessionId);
    let interrupted = false;
    const context: RowContext = {
      sessionId,
      interrupted: () => interrupted,
      load: (callId) =>
        ask<CallDetails>(
          "GET",
          `/api/sessions/${encodeURIComponent(sessionId)}/calls/${encodeURIComponent(callId)}`,
          undefined,
          this.#signal,
        ),
      open: new Set(),
      nested: (subagent) => this.draw(subagent),
    };
    return async () => {
      try {
        const { session } = await data.update(this.#signal);
        interrupted = session.state === "interrupted";
        const rows = data.rows("all", "");
        fill(
          body,
          rows.slice(0, MOST).map((row) => traceRow(row, context)),
          element(
            "a",
            { class: "small", href: `#/sessions/${encodeURIComponent(sessionId)}` },
            rows.length > MOST ? say("All {} rows of this subagent", rows.length) : say("Page of this subagent"),
          ),
        );
      } catch (error) {
        if (!this.#signal.aborted) fill(body, errorText(error));
      }
    };
  }
}
