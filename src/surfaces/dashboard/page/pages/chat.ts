import type { ListedSession } from "../../live/listed-session.ts";
import { ask } from "../ask.ts";
import { ChatView } from "../chat/chat-view.ts";
import { element, fill } from "../element.ts";
import type { Page, Place } from "../parts-of-page.ts";
import { loadServerTexts } from "../server-text.ts";
import { say } from "../text.ts";
import { sessionCard } from "./sessions.ts";

const RECENT = 6;

/** A chat with the agent: `#/chat` begins one, `#/chat/SESSION` resumes one. */
export const chatPage: Page = async (place) => {
  const { main, words, signal } = place;
  const [named = ""] = words;
  const id = named === "" ? (await ask<{ readonly id: string }>("POST", "/api/chats", {}, signal)).id : named;
  await loadServerTexts();
  document.body.classList.add("chat");
  signal.addEventListener("abort", () => document.body.classList.remove("chat"), { once: true });
  const recent = element("div");
  const view = new ChatView(id, place, () => fill(recent));
  fill(main, view.head, recent, ...view.parts);
  if (named === "") void showRecent(recent, view, place);
  view.focus();
};

/** Sessions to resume instead of a new chat. */
async function showRecent(box: HTMLElement, view: ChatView, { signal }: Place): Promise<void> {
  const path = `/api/sessions?limit=${RECENT}`;
  const sessions = await ask<readonly ListedSession[]>("GET", path, undefined, signal).catch(
    (): readonly ListedSession[] => [],
  );
  const own = sessions.filter(({ whose, messages }) => whose === undefined && messages > 0);
  if (own.length === 0 || view.started) return;
  fill(
    box,
    element("h2", {}, say("Resume a session")),
    own.map((session) => {
      const card = sessionCard(session);
      card.setAttribute("href", `#/chat/${encodeURIComponent(session.id)}`);
      return card;
    }),
  );
}
