import type { ChatItem, ChatNote } from "../../chats/chat-state.ts";
import type { CallDetails } from "../../trace/trace-item.ts";
import { ask } from "../ask.ts";
import { element, fill } from "../element.ts";
import { callCard, imageView } from "../parts/call-card.ts";
import { duration } from "../parts/figures.ts";
import { markdown } from "../parts/markdown.ts";
import { terminalOutput } from "../parts/terminal.ts";
import { when } from "../parts-of-page.ts";
import { say } from "../text.ts";
import type { ChatFeed } from "./chat-feed.ts";

type Row = ChatItem | (ChatNote & { readonly kind: "command" });

interface Drawn {
  readonly row: Row;
  readonly box: HTMLElement;
}

/** Rows at the end of which the page still counts as scrolled to the end, in pixels. */
const NEAR_END = 120;
const MAX_PROGRESS_LINES = 12;

/** The conversation: rows, then the answer that is being written. It follows the end while the user reads there. */
export class Transcript {
  readonly element = element("div", { class: "transcript", role: "list", "aria-label": say("Conversation") });
  readonly #feed: () => ChatFeed;
  readonly #rows = new Map<string, Drawn>();
  readonly #partial = element("div", { class: "entry partial", role: "listitem" });
  readonly #open = new Set<string>();
  /** A frame that draws the partial answer is requested. */
  #frame = 0;

  constructor(feed: () => ChatFeed) {
    this.#feed = feed;
  }

  drawRows(): void {
    this.#following(() => {
      const rows = rowsOf(this.#feed());
      const ids = new Set(rows.map(keyOf));
      for (const [id, { box }] of this.#rows) {
        if (ids.has(id)) continue;
        box.remove();
        this.#rows.delete(id);
      }
      let before: Element | null = this.element.firstElementChild;
      for (const row of rows) {
        const known = this.#rows.get(keyOf(row))?.box;
        const box = this.#drawn(row);
        // It took the place of its old box.
        if (before !== null && before === known) before = box;
        if (box === before) before = before.nextElementSibling;
        else this.element.insertBefore(box, before);
      }
      this.element.append(this.#partial);
    });
    this.drawPartial();
  }

  /** Many deltas come between two frames. */
  drawPartial(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#following(() => this.#drawPartial());
    });
  }

  #drawPartial(): void {
    const { partial, state } = this.#feed();
    const { text, thinking, tool, waiting, progress } = partial;
    const busy = state?.busy === true;
    fill(
      this.#partial,
      thinking !== "" && text === "" && thoughts(thinking, true),
      text !== "" && markdown(text),
      busy && waiting !== undefined && element("p", { class: "quiet small" }, waiting.text),
      busy && tool !== undefined && element("p", { class: "quiet small" }, say("Prepares a call of {}", tool)),
    );
    this.#partial.hidden = this.#partial.childElementCount === 0;
    for (const [callId, output] of Object.entries(progress)) {
      const box = this.#rows.get(callId)?.box.querySelector<HTMLElement>(".progress");
      if (box !== null && box !== undefined)
        fill(box, terminalOutput(output.trimEnd().split("\n").slice(-MAX_PROGRESS_LINES).join("\n")));
    }
  }

  #drawn(row: Row): HTMLElement {
    const key = keyOf(row);
    const known = this.#rows.get(key);
    if (known?.row === row) return known.box;
    const box = this.#draw(row);
    known?.box.replaceWith(box);
    this.#rows.set(key, { row, box });
    return box;
  }

  #draw(row: Row): HTMLElement {
    switch (row.kind) {
      case "message":
        return element(
          "div",
          { class: `entry ${row.origin === "person" ? "user" : "quiet small"}`, role: "listitem" },
          element("div", { class: "who" }, `${row.origin === "person" ? say("You") : row.origin} · ${when(row.at)}`),
          element("div", { class: "plain" }, row.text),
          row.images.map(imageView),
        );
      case "answer":
        return element(
          "div",
          { class: "entry", role: "listitem" },
          row.thinking !== "" && thoughts(row.thinking, false),
          row.text.trim() !== "" && markdown(row.text),
        );
      case "call":
        return this.#call(row);
      case "compaction":
        return element(
          "details",
          { class: "entry quiet small", role: "listitem" },
          element("summary", {}, say("Earlier messages were summarised for the model.")),
          markdown(row.summary),
        );
      case "note":
        return element("div", { class: `entry notice ${row.bad ? "bad" : "warn"}`, role: "listitem" }, row.text);
      case "command":
        return element(
          "div",
          { class: `entry command ${row.failed === true ? "bad" : ""}`, role: "listitem" },
          row.command !== undefined && element("div", { class: "who mono" }, row.command),
          element("pre", { tabindex: 0, role: "region", "aria-label": say("Output") }, row.text),
        );
    }
  }

  #call(row: Extract<ChatItem, { kind: "call" }>): HTMLElement {
    const { call } = row;
    const path = `/api/chats/${encodeURIComponent(this.#feed().id)}/calls/${encodeURIComponent(call.callId)}`;
    return element(
      "div",
      { class: "entry", role: "listitem" },
      callCard(call, {
        load: () => ask<CallDetails>("GET", path),
        open: this.#open.has(call.callId),
        onToggle: (open) => void (open ? this.#open.add(call.callId) : this.#open.delete(call.callId)),
      }),
      call.state === "running" && element("div", { class: "progress" }),
      (call.subagents ?? []).map(({ sessionId, goal, reason, durationMs }) =>
        element(
          "p",
          { class: "small subagent" },
          element("span", { "aria-hidden": "true" }, reason === undefined ? "◐ " : reason === "done" ? "✓ " : "✗ "),
          element("a", { href: `#/sessions/${encodeURIComponent(sessionId)}` }, goal),
          element("span", { class: "quiet" }, ` ${reason === undefined ? say("running") : duration(durationMs)}`),
        ),
      ),
    );
  }

  #following(draw: () => void): void {
    const page = document.documentElement;
    const atEnd = page.scrollHeight - page.scrollTop - innerHeight < NEAR_END;
    draw();
    if (atEnd) page.scrollTop = page.scrollHeight;
  }
}

function thoughts(text: string, open: boolean): HTMLElement {
  return element(
    "details",
    { class: "quiet small", open },
    element("summary", {}, say("Thoughts")),
    element("div", { class: "plain" }, text),
  );
}

/** Output of commands stands behind the fact that was the newest when they ran. */
function rowsOf({ items, state, earlier }: ChatFeed): readonly Row[] {
  const notes = (state?.notes ?? []).map((note): Row => ({ ...note, kind: "command" }));
  const first = items[0]?.seq ?? 0;
  const rows: Row[] = [];
  let at = 0;
  for (const item of items) {
    for (let note = notes[at]; note !== undefined && note.seq < item.seq; note = notes[++at])
      if (earlier === 0 || note.seq >= first) rows.push(note);
    rows.push(item);
  }
  return [...rows, ...notes.slice(at)];
}

function keyOf(row: Row): string {
  return row.kind === "command" ? `command ${row.id}` : row.id;
}
