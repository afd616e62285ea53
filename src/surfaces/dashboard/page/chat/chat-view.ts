import type { ChatState, ShownQuestion } from "../../chats/chat-state.ts";
import { ask, Refused } from "../ask.ts";
import { element, fill } from "../element.ts";
import { carryOut, doing, errorText, noticeBox, type Place } from "../parts-of-page.ts";
import { say } from "../text.ts";
import { ChatFeed } from "./chat-feed.ts";
import { chatHead } from "./chat-head.ts";
import { Composer, type ComposedMessage, type TakenBack } from "./composer.ts";
import { Questions } from "./questions.ts";
import { Transcript } from "./transcript.ts";

/** A message that may not have arrived is sent again this often, with the same id. */
const TRIES = 4;
const ANNOUNCED_CHARS = 400;

interface Effects {
  readonly goTo?: string;
  readonly draft?: string;
}

/** A chat in the page: its conversation, and below it what waits for the user and the editor. */
export class ChatView {
  readonly head = element("div", { class: "chat-head" });
  /** In their order. */
  readonly parts: readonly HTMLElement[];
  readonly #id: string;
  readonly #path: string;
  readonly #signal: AbortSignal;
  readonly #begun: () => void;
  readonly #notes = element("div");
  readonly #interrupted = element("div");
  readonly #earlier = element("div");
  readonly #queue = element("div", { class: "queue", role: "list", "aria-label": say("Queue"), hidden: true });
  readonly #connection = element("p", { class: "quiet small", role: "status" });
  /** For screen readers: what happens, and what is asked. */
  readonly #spoken = element("div", { class: "unseen", role: "status", "aria-live": "polite" });
  readonly #urgent = element("div", { class: "unseen", role: "alert", "aria-live": "assertive" });
  readonly #feed: ChatFeed;
  readonly #transcript: Transcript;
  readonly #questions: Questions;
  readonly #composer: Composer;
  #wasBusy = false;
  #headShown = "";

  /** @param begun Called when the user sends a message. */
  constructor(id: string, { signal }: Pick<Place, "signal">, begun: () => void) {
    this.#id = id;
    this.#path = `/api/chats/${encodeURIComponent(id)}`;
    this.#signal = signal;
    this.#begun = begun;
    this.#feed = new ChatFeed({
      id,
      signal,
      changed: (what) => {
        if (what === "partial") this.#transcript.drawPartial();
        else if (what === "items") this.#drawItems();
        else this.#drawState();
      },
      failed: (error) => fill(this.#notes, this.#failure(error)),
      connected: (is) =>
        fill(this.#connection, !is && say("The connection is lost. The agent works on; trying again …")),
    });
    this.#transcript = new Transcript(() => this.#feed);
    this.#questions = new Questions((question, body) =>
      ask("POST", `${this.#path}/questions/${encodeURIComponent(question)}`, body),
    );
    this.#composer = new Composer({
      notes: this.#notes,
      chat: () => id,
      send: (message) => this.#send(message),
      stop: () => this.#stop(),
      editQueued: () => this.#editNewest(),
    });
    const dock = [this.#interrupted, this.#questions.element, this.#queue, this.#connection, this.#notes];
    this.parts = [
      this.#earlier,
      this.#transcript.element,
      element("div", { class: "dock" }, dock, this.#composer.element),
      this.#spoken,
      this.#urgent,
    ];
  }

  /** The chat has rows. */
  get started(): boolean {
    return this.#feed.items.length > 0;
  }

  focus(): void {
    this.#composer.focus();
  }

  async #send({ text, attachments, mode }: ComposedMessage): Promise<void> {
    const inputId = crypto.randomUUID();
    this.#begun();
    for (let tries = 1; ; tries++) {
      try {
        const body = { inputId, text, attachments, mode, again: tries > 1 };
        return this.#sent(await ask<Effects>("POST", `${this.#path}/messages`, body));
      } catch (error) {
        // Without an answer it is unknown whether the message arrived; the server takes an id once.
        if (error instanceof Refused || tries >= TRIES || this.#signal.aborted) throw error;
        await new Promise((resolve) => setTimeout(resolve, 500 * tries));
      }
    }
  }

  #sent({ draft, goTo }: Effects): void {
    if (draft !== undefined) this.#composer.draft({ text: draft, images: [] });
    if (goTo !== undefined) location.hash = `#/chat/${encodeURIComponent(goTo)}`;
    // From now on a reload resumes this chat.
    else if (location.hash.replace(/\/$/, "") === "#/chat")
      history.replaceState(null, "", `#/chat/${encodeURIComponent(this.#id)}`);
  }

  async #stop(): Promise<void> {
    const { withdrawn } = await ask<{ readonly withdrawn: readonly TakenBack[] }>("POST", `${this.#path}/stop`, {});
    for (const message of withdrawn.toReversed()) this.#composer.draft(message);
  }

  #editNewest(): boolean {
    const newest = this.#feed.queued.at(-1);
    if (newest !== undefined) void carryOut(undefined, this.#notes, () => this.#takeBack(newest.id));
    return newest !== undefined;
  }

  async #takeBack(inputId: string, edit = true): Promise<void> {
    const message = await ask<TakenBack>("DELETE", `${this.#path}/queue/${encodeURIComponent(inputId)}`);
    if (edit) this.#composer.draft(message);
  }

  #drawItems(): void {
    const { earlier, queued } = this.#feed;
    this.#drawHead();
    this.#transcript.drawRows();
    fill(
      this.#earlier,
      earlier > 0 && doing(say("Show {} earlier rows", earlier), this.#notes, () => this.#feed.showEarlier()),
    );
    fill(
      this.#queue,
      queued.map(({ id, text, images }) =>
        element(
          "div",
          { class: "queued", role: "listitem" },
          element("span", { class: "quiet small" }, say("queued")),
          element(
            "span",
            { class: "text" },
            text || say(images.length === 1 ? "{} image" : "{} images", images.length),
          ),
          doing(say("Edit"), this.#notes, () => this.#takeBack(id)),
          doing(say("Remove"), this.#notes, () => this.#takeBack(id, false)),
        ),
      ),
    );
    this.#queue.hidden = queued.length === 0;
  }

  #drawState(): void {
    const { state } = this.#feed;
    if (state === undefined) return;
    this.#drawHead();
    this.#composer.busy(state.busy, state.busyMode);
    const fresh = this.#questions.draw(state.questions);
    if (fresh !== undefined) this.#announce(fresh);
    fill(this.#interrupted, !state.busy && state.interrupted.length > 0 && this.#resumable(state));
    if (state.busy !== this.#wasBusy)
      this.#spoken.textContent = state.busy ? say("Hermes works.") : this.#finishedText();
    this.#wasBusy = state.busy;
    this.#transcript.drawRows();
  }

  /** Redrawn only if it changes: the focus may be in it. */
  #drawHead(): void {
    const { state } = this.#feed;
    if (state === undefined) return;
    const now = JSON.stringify([state.model, state.cwd, state.yolo, this.started]);
    if (now === this.#headShown) return;
    this.#headShown = now;
    fill(this.head, chatHead(state, { stored: this.started, notes: this.#notes, signal: this.#signal }));
  }

  #resumable({ interrupted }: ChatState): HTMLElement {
    return element(
      "div",
      { class: "notice warn" },
      element("div", { class: "plain" }, interrupted.join("\n")),
      element(
        "div",
        { class: "row" },
        doing(say("Continue"), this.#notes, () => ask("POST", `${this.#path}/continue`, {}), "main"),
        element("span", { class: "quiet small" }, say("Another message drops it.")),
      ),
    );
  }

  #announce(question: ShownQuestion): void {
    this.#urgent.textContent = question.kind === "approval" ? question.title : question.text;
    // Never under the fingers of a user who writes.
    if (this.#composer.isEmpty) this.#questions.focus();
    else this.#questions.element.scrollIntoView({ block: "nearest" });
  }

  #finishedText(): string {
    const last = this.#feed.items.findLast((item) => item.kind === "answer");
    return [say("Hermes has finished."), last?.text.slice(0, ANNOUNCED_CHARS)].join(" ").trim();
  }

  #failure(error: unknown): HTMLElement {
    if (!(error instanceof Refused) || error.status !== 400) return errorText(error);
    const href = `#/sessions/${encodeURIComponent(this.#id)}`;
    return element(
      "div",
      {},
      noticeBox("bad", error.message, error.hint),
      element("p", {}, element("a", { href }, say("Read it instead"))),
    );
  }
}
