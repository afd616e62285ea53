import type { CallDetails, ItemOf, ShownSubagent, TraceItem } from "../../trace/trace-item.ts";
import { element } from "../element.ts";
import { callCard, imageView } from "../parts/call-card.ts";
import { count, dollars, duration } from "../parts/figures.ts";
import { markdown } from "../parts/markdown.ts";
import { when } from "../parts-of-page.ts";
import { say } from "../text.ts";

/** An item with the turn it belongs to. */
export interface TraceRow {
  readonly item: TraceItem;
  readonly turn: ItemOf<"turn"> | undefined;
}

export interface RowContext {
  readonly sessionId: string;
  /** No process works on the session: what still runs in its facts does not. */
  readonly interrupted: () => boolean;
  readonly load: (callId: string) => Promise<CallDetails>;
  /** Calls whose cards are open. */
  readonly open: Set<string>;
  /** Draws a call for a document without scripts. */
  readonly staticCall?: (callId: string) => HTMLElement | undefined;
  /** The work of a subagent, nested. */
  readonly nested: (subagent: ShownSubagent) => HTMLElement;
}

/** Draws a row of the trace. */
export function traceRow({ item, turn }: TraceRow, context: RowContext): HTMLElement {
  const row = element(
    "div",
    { class: `trace of-${item.kind}${item.undone === true ? " undone" : ""}` },
    ...content(item, turn, context),
  );
  if (item.undone === true) row.prepend(element("span", { class: "quiet small" }, say("taken back")));
  return row;
}

/** About how high a row is before it is drawn. */
export function rowEstimate({ item }: TraceRow): number {
  switch (item.kind) {
    case "message":
      return 70 + Math.min(600, item.text.length / 4) + item.images.length * 200;
    case "answer":
      return 50 + Math.min(900, item.text.length / 3);
    case "call":
      return 44 + item.call.lines.length * 20 + (item.call.more > 0 ? 20 : 0);
    case "turn":
      return 62;
    default:
      return 34;
  }
}

function content(
  item: TraceItem,
  turn: ItemOf<"turn"> | undefined,
  context: RowContext,
): readonly (Node | string | false)[] {
  switch (item.kind) {
    case "turn":
      return turnHead(item, context);
    case "message":
      return [
        element(
          "div",
          { class: "entry user" },
          element(
            "div",
            { class: "who" },
            `${item.origin === "person" ? say("You") : item.origin} · ${when(item.at)}`,
            item.queued === true && ` · ${say("waiting")}`,
          ),
          item.origin === "person" ? markdown(item.text) : element("div", { class: "plain" }, item.text),
          item.images.map(imageView),
        ),
      ];
    case "answer":
      return [
        element(
          "div",
          { class: "entry" },
          element(
            "div",
            { class: "who" },
            item.id === "draft" ? `Hermes · ${say("is writing")}` : `Hermes · ${when(item.at)}`,
          ),
          item.thinking !== "" &&
            element(
              "details",
              { class: "quiet small" },
              element("summary", {}, say("Thoughts")),
              element("div", { class: "plain" }, item.thinking),
            ),
          item.text !== "" && markdown(item.text),
        ),
      ];
    case "request":
      return requestLine(item, turn);
    case "call":
      return callParts(item, turn, context);
    case "compaction":
      return compaction(item);
    case "note":
      return [element("p", { class: `small plain ${item.bad ? "bad" : "quiet"}` }, item.text)];
  }
}

function turnHead(item: ItemOf<"turn">, { interrupted }: RowContext): readonly (Node | false)[] {
  const { number, at, endedAt, reason, detail, requests, calls, inputTokens, cachedTokens, outputTokens } = item;
  const state = reason ?? (interrupted() ? "interrupted" : "running");
  const kind = state === "done" ? "good" : state === "running" ? "accent" : state === "cancelled" ? "quiet" : "bad";
  const figures = [
    when(at),
    endedAt === undefined ? undefined : duration(endedAt - at),
    counted("request", requests),
    counted("call", calls),
    say("{} tokens in, {} out", count(inputTokens), count(outputTokens)),
    inputTokens > 0 ? say("{} % cached", Math.round((100 * cachedTokens) / inputTokens)) : undefined,
    dollars(item.costUsd, item.unknownCosts),
  ];
  return [
    element(
      "div",
      { class: "turn-head" },
      element("h2", {}, say("Turn {}", number)),
      element("span", { class: `tag ${kind}` }, say(state)),
      element("span", { class: "quiet small" }, figures.filter((text) => text !== undefined).join(" · ")),
    ),
    detail !== undefined && element("p", { class: "small bad plain" }, detail),
  ];
}

export function counted(what: "turn" | "call" | "request", number: number): string {
  return say(number === 1 ? `{} ${what}` : `{} ${what}s`, number);
}

function requestLine(item: ItemOf<"request">, turn: ItemOf<"turn"> | undefined): readonly Node[] {
  const { model, attempt, state, at, endedAt, failure, inputTokens, cachedTokens, outputTokens, costUsd } = item;
  const figures = [
    attempt > 1 ? say("attempt {}", attempt) : undefined,
    state === "open" ? undefined : say("{} in, {} out", count(inputTokens), count(outputTokens)),
    cachedTokens > 0 ? say("{} cached", count(cachedTokens)) : undefined,
    costUsd === undefined ? undefined : dollars(costUsd),
    failure,
  ];
  return [
    element(
      "div",
      { class: `request-line ${state}` },
      element("span", { class: "mark", "aria-hidden": "true" }, "→"),
      element("span", {}, say("Request"), " ", element("span", { class: "mono" }, model)),
      state !== "answered" &&
        element("span", { class: state === "open" ? "accent" : "bad" }, say(state === "open" ? "running" : state)),
      element("span", { class: "figures" }, figures.filter((text) => text !== undefined).join(" · ")),
      spanBar(at, endedAt, turn),
      element("span", { class: "time" }, endedAt === undefined ? "" : duration(endedAt - at)),
    ),
  ];
}

function callParts(item: ItemOf<"call">, turn: ItemOf<"turn"> | undefined, context: RowContext): readonly Node[] {
  const { sessionId, open, load, nested, interrupted, staticCall } = context;
  const { call } = item;
  const fixed = staticCall?.(call.callId);
  if (fixed !== undefined) return [fixed, ...(call.subagents ?? []).map(nested)];
  const isOpen = ["waiting", "approval", "answer", "running"].includes(call.state);
  const card = callCard(isOpen && interrupted() ? { ...call, state: "stopped", ending: say("interrupted") } : call, {
    load: () => load(call.callId),
    href: `#/sessions/${encodeURIComponent(sessionId)}/call/${encodeURIComponent(call.callId)}`,
    open: open.has(call.callId),
    onToggle: (opens) => void (opens ? open.add(call.callId) : open.delete(call.callId)),
  });
  const end = call.durationMs === undefined ? undefined : (call.startedAt ?? item.at) + call.durationMs;
  card.querySelector(".head .time")?.before(spanBar(call.startedAt ?? item.at, end, turn));
  return [card, ...(call.subagents ?? []).map(nested)];
}

/** Where in its turn something happened, and how long it took. */
function spanBar(from: number, to: number | undefined, turn: ItemOf<"turn"> | undefined): HTMLElement {
  const bar = element("span", { class: "span-bar", "aria-hidden": "true" });
  const whole = (turn?.endedAt ?? 0) - (turn?.at ?? 0);
  if (turn === undefined || whole <= 0 || to === undefined) return bar;
  const inner = element("span");
  const left = Math.min(98, Math.max(0, (100 * (from - turn.at)) / whole));
  inner.style.left = `${left}%`;
  inner.style.width = `${Math.min(100 - left, Math.max(2, (100 * (to - from)) / whole))}%`;
  bar.append(inner);
  return bar;
}

function compaction({ at, summary, tokensBefore, tokensAfter, costUsd }: ItemOf<"compaction">): readonly Node[] {
  const figures = [
    when(at),
    tokensBefore !== undefined && tokensAfter !== undefined
      ? say("{} → {} tokens", count(tokensBefore), count(tokensAfter))
      : undefined,
    costUsd === undefined ? undefined : dollars(costUsd),
  ];
  return [
    element(
      "details",
      { class: "compaction-box" },
      element(
        "summary",
        {},
        element("b", {}, say("Compaction")),
        element("span", { class: "quiet small" }, ` ${figures.filter((text) => text !== undefined).join(" · ")}`),
      ),
      markdown(summary),
    ),
  ];
}
