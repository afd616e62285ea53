import type { SessionView, ViewEntry } from "../../../../contract/conversation/session.ts";
import type { SessionSummary } from "../../../../contract/services/session-service.ts";
import { ask, save } from "../ask.ts";
import { element, fill } from "../element.ts";
import { carryOut, doing, nothing, when, type Page, type Place } from "../parts-of-page.ts";
import { say } from "../text.ts";

export type NamedSession = SessionSummary & { readonly name: string };

interface Hit {
  readonly session: NamedSession;
  readonly role: string;
  readonly snippet: string;
  readonly at: number;
}

const AT_ONCE = 50;

/** Past conversations: the newest, search results, and one session in full. */
export const sessionsPage: Page = (place) =>
  place.words[0] === undefined || place.words[0] === "" ? list(place) : one(place, place.words[0]);

async function list({ main, signal }: Place): Promise<void> {
  const [notes, found] = [element("div"), element("div")];
  const words = element("input", {
    type: "search",
    placeholder: say("Search messages"),
    "aria-label": say("Search messages"),
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
  );
  words.addEventListener("search", () => words.value === "" && carryOut(undefined, notes, look));
  let limit = AT_ONCE;
  await look();

  async function look(): Promise<void> {
    const asked = words.value.trim();
    if (asked !== "") {
      const hits = await ask<readonly Hit[]>(
        "GET",
        `/api/sessions/search?words=${encodeURIComponent(asked)}`,
        undefined,
        signal,
      );
      return fill(
        found,
        hits.length === 0
          ? nothing(say("Nothing found."))
          : hits.map(({ session, role, snippet, at }) =>
              sessionCard(
                session,
                element(
                  "p",
                  { class: "small" },
                  element("span", { class: "quiet" }, `${role} · ${when(at)}: `),
                  marked(snippet),
                ),
              ),
            ),
      );
    }
    const sessions = await ask<readonly NamedSession[]>("GET", `/api/sessions?limit=${limit}`, undefined, signal);
    fill(
      found,
      sessions.length === 0 ? nothing(say("No sessions yet.")) : sessions.map((session) => sessionCard(session)),
      sessions.length === limit && doing(say("More"), notes, () => ((limit += AT_ONCE), look())),
    );
  }
}

export function sessionCard(session: NamedSession, more?: HTMLElement): HTMLElement {
  const { id, name, surface, lastAt, turns, toolCalls, interrupted, model } = session;
  return element(
    "a",
    { class: "card", href: `#/sessions/${encodeURIComponent(id)}` },
    element("div", { class: "head" }, element("b", {}, name), element("span", { class: "quiet small" }, when(lastAt))),
    element(
      "p",
      { class: "quiet small" },
      [surface, counted("turn", turns), counted("call", toolCalls), model]
        .filter((text) => text !== undefined)
        .join(" · "),
      interrupted && element("span", { class: "warn" }, ` · ${say("interrupted")}`),
    ),
    more,
  );
}

function counted(what: "turn" | "call", count: number): string {
  return say(count === 1 ? `{} ${what}` : `{} ${what}s`, count);
}

/** Matches are between `>>>` and `<<<`. */
function marked(snippet: string): HTMLElement {
  const line = element("span");
  for (const [index, piece] of snippet.split(/>>>|<<</).entries())
    line.append(index % 2 === 1 ? element("mark", {}, piece) : piece);
  return line;
}

async function one({ main, signal }: Place, id: string): Promise<void> {
  const {
    session,
    entries,
    costUsd = 0,
    unknownCosts,
  } = await ask<
    {
      readonly session: NamedSession;
      readonly costUsd?: number;
      readonly unknownCosts?: number;
    } & Pick<SessionView, "entries">
  >("GET", `/api/sessions/${encodeURIComponent(id)}`, undefined, signal);
  const notes = element("div");
  const path = `/api/sessions/${encodeURIComponent(session.id)}`;
  const title = element("input", {
    class: "wide",
    value: session.title ?? "",
    placeholder: session.name,
    "aria-label": say("Title"),
  });
  const figures = [
    session.id,
    session.surface,
    when(session.startedAt),
    session.model,
    counted("turn", session.turns),
    say("{} tokens in, {} out", session.inputTokens, session.outputTokens),
    costUsd > 0 || unknownCosts !== undefined
      ? `${unknownCosts === undefined ? "" : "≥ "}$${costUsd > 0 ? costUsd.toFixed(4) : "?"}`
      : undefined,
  ];
  fill(
    main,
    element("p", {}, element("a", { href: "#/sessions" }, `← ${say("All sessions")}`)),
    element(
      "form",
      {
        class: "row",
        onsubmit: (event) => (
          event.preventDefault(),
          carryOut(undefined, notes, () => ask("PUT", `${path}/title`, { title: title.value }))
        ),
      },
      title,
      element("button", {}, say("Rename")),
      doing("Markdown", notes, () => save(`${path}/export?format=md`)),
      doing("JSON", notes, () => save(`${path}/export?format=jsonl`)),
      doing(
        say("Delete"),
        notes,
        async () => {
          if (!confirm(say("Delete this session permanently?"))) return;
          await ask("DELETE", path);
          location.hash = "#/sessions";
        },
        "danger",
      ),
    ),
    notes,
    element("p", { class: "quiet small mono" }, figures.filter((text) => text !== undefined).join(" · ")),
    element(
      "p",
      { class: "small" },
      say("Resume in a terminal:"),
      " ",
      element("code", {}, `hermes --resume ${session.id}`),
    ),
    entries.length === 0 ? nothing(say("No messages.")) : entries.map(shownEntry),
  );
}

function shownEntry(entry: ViewEntry): HTMLElement {
  switch (entry.kind) {
    case "user":
      return element(
        "div",
        { class: "entry user" },
        element(
          "div",
          { class: "who" },
          `${entry.origin === "person" ? say("You") : entry.origin} · ${when(entry.at)}`,
        ),
        element("div", { class: "plain" }, entry.text),
      );
    case "assistant":
      return element(
        "div",
        { class: "entry" },
        element("div", { class: "who" }, `Hermes · ${when(entry.at)}`),
        entry.thinking !== "" &&
          element(
            "details",
            { class: "quiet small" },
            element("summary", {}, say("Thoughts")),
            element("div", { class: "plain" }, entry.thinking),
          ),
        codeAndText(entry.text),
      );
    case "tool":
      return element(
        "details",
        { class: "entry tool" },
        element(
          "summary",
          {},
          element("span", { class: entry.ok ? "good" : "bad" }, entry.ok ? "✓" : "✗"),
          ` ${entry.tool} `,
          element("span", { class: "quiet small" }, `${brief(entry.args)} · ${Math.round(entry.durationMs)} ms`),
        ),
        element("pre", {}, JSON.stringify(entry.args ?? {}, null, 2)),
        element("pre", {}, entry.outcome),
      );
    case "note":
      return element("div", { class: "entry quiet small plain" }, entry.text);
  }
}

/** Shows fenced blocks as code and everything else as plain text. */
function codeAndText(text: string): HTMLElement {
  const body = element("div");
  for (const [index, piece] of text.split(/^```[^\n]*\n?/m).entries()) {
    if (piece.trim() !== "")
      body.append(
        index % 2 === 1 ? element("pre", {}, piece.trimEnd()) : element("div", { class: "plain" }, piece.trim()),
      );
  }
  return body;
}

function brief(args: object | undefined): string {
  const text = Object.values(args ?? {})
    .map((value) => (typeof value === "string" ? value : JSON.stringify(value)))
    .join(" ")
    .replaceAll(/\s+/g, " ");
  return text.length > 90 ? `${text.slice(0, 89)}…` : text;
}
