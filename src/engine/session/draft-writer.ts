import type { AnswerDraft, SessionStore } from "../../contract/conversation/store.ts";

/** Far longer than a write takes, and not more text than a user reads again gladly. Real time, as for the disk. */
const EVERY_MS = 500;
const MAX_CHARS = 200_000;

/**
 * Saves the text of an answer while it streams, at most every half second, so that what the user has read survives a
 * crash. A draft is never an answer: it belongs to a request, and only while that has no answer.
 */
export class DraftWriter {
  readonly #store: Pick<SessionStore, "saveDraft">;
  readonly #sessionId: string;
  #requestId = "";
  #text = "";
  #timer: NodeJS.Timeout | undefined;
  #writing = false;

  constructor(store: Pick<SessionStore, "saveDraft">, sessionId: string) {
    this.#store = store;
    this.#sessionId = sessionId;
  }

  /** @param requestId The request that the model is answering. */
  add(requestId: string, text: string): void {
    if (this.#store.saveDraft === undefined) return;
    if (requestId !== this.#requestId) this.#text = "";
    this.#requestId = requestId;
    if (this.#text.length < MAX_CHARS) this.#text += text;
    this.#timer ??= setTimeout(() => void this.#save(), EVERY_MS).unref();
  }

  /** The answer is a fact now, or there will be none. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#requestId = this.#text = "";
  }

  async #save(): Promise<void> {
    this.#timer = undefined;
    // A store that is slow to write gets the next draft later.
    if (this.#writing || this.#text === "") return;
    this.#writing = true;
    const draft: AnswerDraft = { requestId: this.#requestId, text: this.#text };
    try {
      await this.#store.saveDraft?.(this.#sessionId, draft);
    } catch {
      // The facts meet the same failure, and report it.
    } finally {
      this.#writing = false;
    }
  }
}
