import type { ListedSession, SessionState } from "../../live/listed-session.ts";
import type { CallDetails, TraceItem } from "../../trace/trace-item.ts";
import { ask, save } from "../ask.ts";
import { element, fill } from "../element.ts";
import { subscribe } from "../live.ts";
import { count, dollars } from "../parts/figures.ts";
import { VirtualList } from "../parts/virtual-list.ts";
import { carryOut, doing, nothing, noticeBox, when, type Place } from "../parts-of-page.ts";
import { confirmed } from "../question.ts";
import { exportHtml } from "../session/export-html.ts";
import { NestedSessions } from "../session/nested-session.ts";
import { FILTERS, TraceData, type Filter } from "../session/trace-data.ts";
import { counted, rowEstimate, traceRow, type TraceRow } from "../session/trace-row.ts";
import { say } from "../text.ts";

const FILTER_NAMES: { readonly [F in Filter]: string } = {
  all: "Everything",
  conversation: "Conversation",
  calls: "Calls",
  failed: "Failures",
  requests: "Requests",
};

/** How near to its end the page follows a running session, in pixels. */
const AT_END = 120;

/** One session as a trace, which grows while the session runs. `#/sessions/ID/call/CALL` shows one call. */
export async function sessionPage({ main, words, signal }: Place): Promise<void> {
  const [id = "", about, callId] = words;
  const data = new TraceData(id);
  let { session } = await data.update(signal);
  const [notes, head, body, empty] = [element("div"), element("div"), element("div"), element("div")];
  const nested = new NestedSessions(signal);
  const path = `/api/sessions/${encodeURIComponent(session.id)}`;
  let draft: Draft | undefined;
  const shownCall = about === "call" ? callId : undefined;
  const open = new Set<string>(shownCall === undefined ? [] : [shownCall]);
  const list = new VirtualList<TraceRow>({
    label: say("Trace"),
    key: ({ item }) => item.id,
    estimate: rowEstimate,
    signal,
    draw: (row) =>
      traceRow(row, {
        sessionId: session.id,
        interrupted: () => session.state === "interrupted",
        load: (call) => ask<CallDetails>("GET", `${path}/calls/${encodeURIComponent(call)}`, undefined, signal),
        open,
        nested: (subagent) => nested.draw(subagent),
      }),
  });
  const filter = element(
    "select",
    { "aria-label": say("Show"), onchange: () => draw() },
    FILTERS.map((name) => element("option", { value: name }, say(FILTER_NAMES[name]))),
  );
  const search = element("input", {
    type: "search",
    placeholder: say("Search this session"),
    "aria-label": say("Search this session"),
    oninput: () => draw(),
  });
  const found = element("span", { class: "quiet small", role: "status" });
  const toEnd = element(
    "button",
    {
      type: "button",
      title: say("To the end"),
      "aria-label": say("To the end"),
      onclick: () => scrollTo({ top: document.documentElement.scrollHeight }),
    },
    "↓",
  );
  body.append(list.element, empty);
  fill(
    main,
    element("p", {}, element("a", { href: "#/sessions" }, `← ${say("All sessions")}`)),
    titleForm(session, path, notes, signal),
    notes,
    head,
    element("div", { class: "row trace-tools" }, search, filter, toEnd, found),
    body,
  );
  drawHead();
  draw();
  if (shownCall !== undefined) reveal(shownCall);
  follow({
    data,
    signal,
    nested,
    notes,
    session: () => session,
    setSession: (row) => void (session = row),
    draft: () => draft,
    setDraft: (answer) => void (draft = answer),
    draw,
    drawHead,
  });

  function draw(): void {
    const rows = data.rows(filter.value as Filter, search.value);
    const filtered = filter.value !== "all" || search.value.trim() !== "";
    list.set(draft === undefined || filtered ? rows : [...rows, { item: draftItem(draft), turn: undefined }]);
    fill(found, filtered && say(rows.length === 1 ? "{} row" : "{} rows", rows.length));
    fill(empty, rows.length === 0 && nothing(say(filtered ? "Nothing found." : "No messages.")));
  }

  function drawHead(): void {
    fill(head, ...figuresOf(session));
  }

  function reveal(call: string): void {
    const row = list.reveal(`call-${call}`);
    if (row === undefined) return fill(notes, noticeBox("warn", say("This session has no such call.")));
    row.classList.add("shown-call");
    row.querySelector<HTMLElement>(".toggle")?.focus({ preventScroll: true });
  }
}

interface Followed {
  readonly data: TraceData;
  readonly signal: AbortSignal;
  readonly nested: NestedSessions;
  readonly notes: HTMLElement;
  readonly session: () => ListedSession;
  readonly setSession: (session: ListedSession) => void;
  readonly draft: () => Draft | undefined;
  readonly setDraft: (draft: Draft | undefined) => void;
  readonly draw: () => void;
  readonly drawHead: () => void;
}

/** The answer that a model is writing. */
interface Draft {
  readonly requestId: string;
  readonly text: string;
}

/** Reads what is new whenever the session changes, and stays at the end of a running one. */
function follow(page: Followed): void {
  const { data, signal, nested, notes } = page;
  let reading = false;
  let again = false;
  const update = async (): Promise<void> => {
    if (reading) return void (again = true);
    reading = true;
    try {
      do {
        again = false;
        page.setSession((await data.update(signal)).session);
        const draft = page.draft();
        if (draft !== undefined && !isOpen(draft)) page.setDraft(undefined);
        drawLive();
      } while (again);
    } catch {
      // The next event tries again; a lost connection is shown already.
    } finally {
      reading = false;
    }
  };
  const isOpen = ({ requestId }: Draft): boolean => {
    const request = data.item(`request-${requestId}`);
    return request?.kind === "request" && request.state === "open";
  };
  const drawLive = (): void => {
    const atEnd = innerHeight + scrollY > document.documentElement.scrollHeight - AT_END;
    page.drawHead();
    page.draw();
    if (atEnd && page.session().state !== "done") scrollTo({ top: document.documentElement.scrollHeight });
  };
  const lost = noticeBox("warn", say("The connection is lost. The page tries to connect again."));
  subscribe({
    topics: ["sessions", "changes"],
    session: page.session().id,
    signal,
    onReset: () => void update(),
    onState: (connected) => (connected ? lost.remove() : notes.append(lost)),
    on: (event, received: never) => {
      if (event === "changed") void update();
      else if (event === "session") {
        const row: ListedSession = received;
        const { id, state } = page.session();
        if (row.id !== id) return nested.changed(row);
        page.setSession(row);
        if (row.state === state) page.drawHead();
        else drawLive();
      } else if (event === "draft") {
        const draft: Draft = received;
        if (!isOpen(draft)) return;
        page.setDraft(draft);
        drawLive();
      }
    },
  });
}

function draftItem({ text }: Draft): TraceItem {
  return { id: "draft", seq: 0, at: 0, kind: "answer", text, thinking: "" };
}

/** The page's chat opens the user's own sessions, but not those of subagents and of chat users. */
function resumable({ whose, surface }: ListedSession): boolean {
  return whose === undefined && surface !== "subagent";
}

function titleForm(session: ListedSession, path: string, notes: HTMLElement, signal: AbortSignal): HTMLElement {
  const title = element("input", {
    class: "wide",
    value: session.title ?? "",
    placeholder: session.name,
    "aria-label": say("Title"),
  });
  return element(
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
    resumable(session) &&
      element("a", { class: "button", href: `#/chat/${encodeURIComponent(session.id)}` }, say("Continue in chat")),
    doing("Markdown", notes, () => save(`${path}/export?format=md`)),
    doing("JSON", notes, () => save(`${path}/export?format=jsonl`)),
    doing("HTML", notes, () => exportHtml(session.id)),
    doing(
      say("Delete"),
      notes,
      async () => {
        if (!(await confirmed(say("Delete this session permanently?"), { danger: true, signal }))) return;
        await ask("DELETE", path);
        location.hash = "#/sessions";
      },
      "danger",
    ),
  );
}

export const STATES: { readonly [S in SessionState]: readonly [text: string, kind: string] } = {
  running: ["running", "accent"],
  approval: ["waiting for approval", "warn"],
  answer: ["waiting for an answer", "warn"],
  interrupted: ["interrupted", "bad"],
  done: ["done", "quiet"],
};

export function stateTag(state: SessionState): HTMLElement {
  const [text, kind] = STATES[state];
  return element("span", { class: `tag ${kind}` }, say(text));
}

function figuresOf(session: ListedSession): readonly HTMLElement[] {
  const figures = [
    session.model,
    counted("turn", session.turns),
    counted("call", session.toolCalls),
    counted("request", session.apiCalls),
    say("{} tokens in, {} out", count(session.inputTokens), count(session.outputTokens)),
    session.costUsd === undefined ? undefined : dollars(session.costUsd, session.unknownCosts),
    session.surface,
    when(session.startedAt),
    session.cwd,
  ];
  return [
    element(
      "p",
      { class: "small session-figures" },
      stateTag(session.state),
      " ",
      element("span", { class: "quiet" }, figures.filter((text) => text !== undefined && text !== "").join(" · ")),
    ),
    element(
      "p",
      { class: "small" },
      say("Resume in a terminal:"),
      " ",
      element("code", {}, `hermes --resume ${session.id}`),
    ),
  ];
}
