import type { ShownQuestion } from "../../chats/chat-state.ts";
import { ask, Refused } from "../ask.ts";
import { ChatFeed } from "../chat/chat-feed.ts";
import { Composer, type ComposedMessage, type TakenBack } from "../chat/composer.ts";
import { Questions } from "../chat/questions.ts";
import { Transcript } from "../chat/transcript.ts";
import { element, fill } from "../element.ts";
import { carryOut, doing, errorText, noticeBox, type Page } from "../parts-of-page.ts";
import { say } from "../text.ts";
import { sessionCard, type NamedSession } from "./sessions.ts";

const RECENT = 6;
/** A message that may not have arrived is sent again this often, with the same id. */
const TRIES = 4;

interface Effects {
  readonly goTo?: string;
  readonly draft?: string;
}

/** A chat with the agent: `#/chat` begins one, `#/chat/SESSION` resumes one. */
export const chatPage: Page = async ({ main, words, signal }) => {
  const [named = ""] = words;
  const id = named === "" ? (await ask<{ readonly id: string }>("POST", "/api/chats", {}, signal)).id : named;
  const path = `/api/chats/${encodeURIComponent(id)}`;
  const [notes, head, interrupted] = [element("div"), element("div", { class: "chat-head" }), element("div")];
  const connection = element("p", { class: "quiet small", role: "status" });
  const [spoken, urgent] = [
    element("div", { class: "unseen", role: "status", "aria-live": "polite" }),
    element("div", { class: "unseen", role: "alert", "aria-live": "assertive" }),
  ];
  const queue = element("div", { class: "queue", role: "list", "aria-label": say("Queue") });
  const recent = element("div");
  let wasBusy = false;
  let headShown = "";
  const feed: ChatFeed = new ChatFeed({
    id,
    signal,
    changed: (what) => (what === "partial" ? transcript.drawPartial() : what === "items" ? drawItems() : drawState()),
    failed: (error) => fill(notes, failure(error)),
    connected: (is) => fill(connection, !is && say("The connection is lost. The agent works on; trying again …")),
  });
  const transcript = new Transcript(() => feed);
  const questions = new Questions((question, body) =>
    ask("POST", `${path}/questions/${encodeURIComponent(question)}`, body),
  );
  const composer = new Composer({
    notes,
    chat: () => id,
    send,
    stop: async () => {
      const { withdrawn } = await ask<{ readonly withdrawn: readonly TakenBack[] }>("POST", `${path}/stop`, {});
      for (const message of withdrawn.toReversed()) composer.draft(message);
    },
    editQueued: () => {
      const newest = feed.queued.at(-1);
      if (newest !== undefined) void carryOut(undefined, notes, () => takeBack(newest.id));
      return newest !== undefined;
    },
  });
  document.body.classList.add("chat");
  signal.addEventListener("abort", () => document.body.classList.remove("chat"), { once: true });
  const earlier = element("div");
  fill(
    main,
    head,
    recent,
    earlier,
    transcript.element,
    element("div", { class: "dock" }, interrupted, questions.element, queue, connection, notes, composer.element),
    spoken,
    urgent,
  );
  if (named === "") void showRecent();
  composer.focus();

  async function send({ text, attachments, mode }: ComposedMessage): Promise<void> {
    const inputId = crypto.randomUUID();
    fill(recent);
    for (let tries = 1; ; tries++) {
      try {
        const body = { inputId, text, attachments, mode, again: tries > 1 };
        const effects = await ask<Effects>("POST", `${path}/messages`, body);
        if (effects.draft !== undefined) composer.draft({ text: effects.draft, images: [] });
        if (effects.goTo !== undefined) location.hash = `#/chat/${encodeURIComponent(effects.goTo)}`;
        // From now on a reload resumes this chat.
        else if (location.hash.replace(/\/$/, "") === "#/chat")
          history.replaceState(null, "", `#/chat/${encodeURIComponent(id)}`);
        return;
      } catch (error) {
        // Without an answer it is unknown whether the message arrived; the server takes an id once.
        if (error instanceof Refused || tries >= TRIES || signal.aborted) throw error;
        await new Promise((resolve) => setTimeout(resolve, 500 * tries));
      }
    }
  }

  async function takeBack(inputId: string, edit = true): Promise<void> {
    const message = await ask<TakenBack>("DELETE", `${path}/queue/${encodeURIComponent(inputId)}`);
    if (edit) composer.draft(message);
  }

  function drawItems(): void {
    drawHead();
    transcript.drawRows();
    fill(
      earlier,
      feed.earlier > 0 && doing(say("Show {} earlier rows", feed.earlier), notes, () => feed.showEarlier()),
    );
    const { queued } = feed;
    fill(
      queue,
      queued.map(({ id: inputId, text, images }) =>
        element(
          "div",
          { class: "queued", role: "listitem" },
          element("span", { class: "quiet small" }, say("queued")),
          element(
            "span",
            { class: "text" },
            text || say(images.length === 1 ? "{} image" : "{} images", images.length),
          ),
          doing(say("Edit"), notes, () => takeBack(inputId)),
          doing(say("Remove"), notes, () => takeBack(inputId, false)),
        ),
      ),
    );
    queue.hidden = queued.length === 0;
  }

  function drawState(): void {
    const { state } = feed;
    if (state === undefined) return;
    drawHead();
    composer.busy(state.busy, state.busyMode);
    const fresh = questions.draw(state.questions);
    if (fresh !== undefined) announce(fresh);
    fill(
      interrupted,
      !state.busy &&
        state.interrupted.length > 0 &&
        element(
          "div",
          { class: "notice warn" },
          element("div", { class: "plain" }, state.interrupted.join("\n")),
          element(
            "div",
            { class: "row" },
            doing(say("Continue"), notes, () => ask("POST", `${path}/continue`, {}), "main"),
            element("span", { class: "quiet small" }, say("Another message drops it.")),
          ),
        ),
    );
    if (state.busy !== wasBusy) spoken.textContent = state.busy ? say("Hermes works.") : finished();
    wasBusy = state.busy;
    transcript.drawRows();
  }

  function announce(question: ShownQuestion): void {
    urgent.textContent = question.kind === "approval" ? question.title : question.text;
    // Never under the fingers of a user who writes.
    if (composer.isEmpty) questions.focus();
    else questions.element.scrollIntoView({ block: "nearest" });
  }

  function finished(): string {
    const last = feed.items.findLast((item) => item.kind === "answer");
    return last === undefined
      ? say("Hermes has finished.")
      : `${say("Hermes has finished.")} ${last.text.slice(0, 400)}`;
  }

  /** Redrawn only if it changes: the focus may be in it. */
  function drawHead(): void {
    const { state } = feed;
    if (state === undefined) return;
    const stored = feed.items.length > 0;
    const now = JSON.stringify([state.model, state.cwd, state.yolo, stored]);
    if (now === headShown) return;
    headShown = now;
    fill(
      head,
      element("span", { class: "quiet small about" }, `${state.model} · ${state.cwd}`),
      state.yolo && element("span", { class: "tag bad" }, say("approvals off")),
      stored &&
        element(
          "div",
          { class: "actions" },
          element("a", { href: "#/chat", class: "button", onclick: anew }, say("New")),
          doing(say("Rename"), notes, rename),
          doing(say("Branch"), notes, branch),
          element("a", { class: "button", href: `#/sessions/${encodeURIComponent(id)}` }, say("Trace")),
        ),
    );
  }

  /** The hash may be the same already. */
  function anew(): void {
    if (location.hash === "#/chat") dispatchEvent(new HashChangeEvent("hashchange"));
  }

  async function rename(): Promise<void> {
    const title = prompt(say("Title"))?.trim() ?? "";
    if (title !== "") await ask("PUT", `/api/sessions/${encodeURIComponent(id)}/title`, { title });
  }

  async function branch(): Promise<void> {
    const { id: copy } = await ask<{ readonly id: string }>("POST", `${path}/branch`, {});
    location.hash = `#/chat/${encodeURIComponent(copy)}`;
  }

  async function showRecent(): Promise<void> {
    const sessions = await ask<readonly NamedSession[]>(
      "GET",
      `/api/sessions?limit=${RECENT}`,
      undefined,
      signal,
    ).catch((): readonly NamedSession[] => []);
    const own = sessions.filter(({ whose, messages }) => whose === undefined && messages > 0);
    if (own.length === 0 || feed.items.length > 0) return;
    fill(
      recent,
      element("h2", {}, say("Resume a session")),
      own.map((session) => {
        const card = sessionCard(session);
        card.setAttribute("href", `#/chat/${encodeURIComponent(session.id)}`);
        return card;
      }),
    );
  }

  function failure(error: unknown): HTMLElement {
    if (!(error instanceof Refused) || error.status !== 400) return errorText(error);
    return element(
      "div",
      {},
      noticeBox("bad", error.message, error.hint),
      element("p", {}, element("a", { href: `#/sessions/${encodeURIComponent(id)}` }, say("Read it instead"))),
    );
  }
};
