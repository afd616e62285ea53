import type { ListedSession } from "../../live/listed-session.ts";
import { ask } from "../ask.ts";
import { element, fill } from "../element.ts";
import { subscribe } from "../live.ts";
import { VirtualList } from "../parts/virtual-list.ts";
import { carryOut, nothing, when, type Page, type Place } from "../parts-of-page.ts";
import { counted } from "../session/trace-row.ts";
import { say } from "../text.ts";
import { sessionPage, stateTag } from "./session.ts";

interface Hit {
  readonly session: ListedSession;
  readonly role: string;
  readonly snippet: string;
  readonly at: number;
}

/** The first answer is small, so that the page shows at once; the rest follows. */
const FIRST = 100;
const ALL = 20_000;
const ROW_HEIGHT = 82;

/** Past conversations: all of them, search results, and one session as a trace. */
export const sessionsPage: Page = (place) =>
  place.words[0] === undefined || place.words[0] === "" ? list(place) : sessionPage(place);

async function list({ main, signal }: Place): Promise<void> {
  const [notes, found, empty] = [element("div"), element("div"), element("div")];
  const words = element("input", {
    type: "search",
    placeholder: say("Search messages"),
    "aria-label": say("Search messages"),
  });
  let sessions = new Map<string, ListedSession>();
  const rows = new VirtualList<ListedSession>({
    label: say("Sessions"),
    key: ({ id }) => id,
    estimate: () => ROW_HEIGHT,
    signal,
    draw: (session) => sessionCard(session),
  });
  fill(
    main,
    element(
      "form",
      { class: "row", role: "search", onsubmit: (event) => (event.preventDefault(), carryOut(undefined, notes, look)) },
      words,
      element("button", {}, say("Search")),
    ),
    notes,
    found,
    empty,
    rows.element,
  );
  words.addEventListener("search", () => words.value === "" && carryOut(undefined, notes, look));
  await load(FIRST);
  if (sessions.size >= FIRST) await load(ALL);
  subscribe({
    topics: ["sessions"],
    signal,
    onReset: () => void load(ALL),
    on: (event, data) => {
      if (event === "removed") void load(ALL);
      if (event !== "session") return;
      const session: ListedSession = data;
      if (session.surface === "subagent") return;
      sessions.set(session.id, session);
      draw();
    },
  });

  async function load(limit: number): Promise<void> {
    const read = await ask<readonly ListedSession[]>("GET", `/api/sessions?limit=${limit}`, undefined, signal);
    sessions = new Map(read.map((session) => [session.id, session]));
    draw();
  }

  function draw(): void {
    const searching = words.value.trim() !== "";
    rows.element.hidden = searching;
    rows.set([...sessions.values()].toSorted((one, other) => other.lastAt - one.lastAt));
    fill(empty, sessions.size === 0 && !searching && nothing(say("No sessions yet.")));
  }

  async function look(): Promise<void> {
    const asked = words.value.trim();
    draw();
    if (asked === "") return fill(found);
    const hits = await ask<readonly Hit[]>(
      "GET",
      `/api/sessions/search?words=${encodeURIComponent(asked)}`,
      undefined,
      signal,
    );
    fill(found, hits.length === 0 ? nothing(say("Nothing found.")) : hits.map(hitCard));
  }
}

function hitCard({ session, role, snippet, at }: Hit): HTMLElement {
  return sessionCard(
    session,
    element("p", { class: "small" }, element("span", { class: "quiet" }, `${role} · ${when(at)}: `), marked(snippet)),
  );
}

/** A session in a list, with what it does now. */
export function sessionCard(session: ListedSession, more?: HTMLElement): HTMLElement {
  const { id, name, surface, lastAt, turns, toolCalls, state, model } = session;
  return element(
    "a",
    { class: "card session-card", href: `#/sessions/${encodeURIComponent(id)}` },
    element("div", { class: "head" }, element("b", {}, name), element("span", { class: "quiet small" }, when(lastAt))),
    element(
      "p",
      { class: "quiet small" },
      state !== "done" && [stateTag(state), " "],
      [surface, counted("turn", turns), counted("call", toolCalls), model]
        .filter((text) => text !== undefined)
        .join(" · "),
    ),
    more,
  );
}

/** Matches are between `>>>` and `<<<`. */
function marked(snippet: string): HTMLElement {
  const line = element("span");
  for (const [index, piece] of snippet.split(/>>>|<<</).entries())
    line.append(index % 2 === 1 ? element("mark", {}, piece) : piece);
  return line;
}
