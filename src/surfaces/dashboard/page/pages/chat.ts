import type { ListedSession } from "../../live/listed-session.ts";
import { ask } from "../ask.ts";
import { ChatView } from "../chat/chat-view.ts";
import { element, fill } from "../element.ts";
import { carryOut, type Page, type Place } from "../parts-of-page.ts";
import { loadServerTexts } from "../server-text.ts";
import { say } from "../text.ts";
import { sessionCard } from "./sessions.ts";

/** Sessions that are offered. */
const RECENT = 6;
/** Sessions whose folders complete the field. */
const READ = 50;

/** A chat with the agent: `#/chat` begins one, `#/chat/SESSION` resumes one. */
export const chatPage: Page = async (place) => {
  const { words, signal } = place;
  const [named = ""] = words;
  const id = named === "" ? await newChat(place) : named;
  await loadServerTexts();
  document.body.classList.add("chat");
  signal.addEventListener("abort", () => document.body.classList.remove("chat"), { once: true });
  show(id, place, named === "");
};

async function newChat({ signal }: Pick<Place, "signal">, cwd?: string): Promise<string> {
  return (await ask<{ readonly id: string }>("POST", "/api/chats", { cwd }, signal)).id;
}

function show(id: string, { main, signal }: Pick<Place, "main" | "signal">, isNew: boolean): void {
  const recent = element("div");
  // A chat in another folder replaces this one on the same page.
  const left = new AbortController();
  const own = AbortSignal.any([signal, left.signal]);
  const view = new ChatView(id, { signal: own }, () => fill(recent));
  fill(main, view.head, recent, ...view.parts);
  if (isNew)
    void showRecent(recent, view, own, async (cwd) => {
      const other = await newChat({ signal }, cwd);
      left.abort();
      show(other, { main, signal }, true);
    });
  view.focus();
}

/** Before the first message: another folder for the chat, and sessions to resume instead of it. */
async function showRecent(
  box: HTMLElement,
  view: ChatView,
  signal: AbortSignal,
  use: (cwd: string) => Promise<void>,
): Promise<void> {
  const path = `/api/sessions?limit=${READ}`;
  const sessions = await ask<readonly ListedSession[]>("GET", path, undefined, signal).catch(
    (): readonly ListedSession[] => [],
  );
  const own = sessions.filter(({ whose, messages }) => whose === undefined && messages > 0);
  if (signal.aborted || view.started) return;
  fill(
    box,
    folderForm([...new Set(own.map(({ cwd }) => cwd))], use),
    own.length > 0 && element("h2", {}, say("Resume a session")),
    own.slice(0, RECENT).map((session) => {
      const card = sessionCard(session);
      card.setAttribute("href", `#/chat/${encodeURIComponent(session.id)}`);
      return card;
    }),
  );
}

function folderForm(folders: readonly string[], use: (cwd: string) => Promise<void>): HTMLElement {
  const notes = element("div");
  const folder = element("input", {
    class: "wide mono",
    "aria-label": say("Folder"),
    placeholder: say("Another folder"),
    list: "folders",
    required: true,
    spellcheck: "false",
    autocomplete: "off",
  });
  return element(
    "div",
    {},
    element(
      "form",
      {
        class: "row",
        onsubmit: (event) => (event.preventDefault(), carryOut(undefined, notes, () => use(folder.value))),
      },
      folder,
      element(
        "datalist",
        { id: "folders" },
        folders.map((value) => element("option", { value })),
      ),
      element("button", {}, say("Use this folder")),
    ),
    notes,
  );
}
