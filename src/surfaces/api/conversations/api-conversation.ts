import type { App } from "../../../contract/services/app.ts";
import { UserError } from "../../../contract/common/failure.ts";
import type { Session } from "../../../contract/conversation/session.ts";
import { asTyped } from "../../shared/process/called-as.ts";
import type { OpenChat } from "../../shared/conversation/open-chats.ts";
import { ApiFailure } from "../http/api-failure.ts";
import { API_PLATFORM } from "../../shared/gateway/api-plan.ts";
import { ApiPrompter } from "./api-prompter.ts";

/** A session that API clients use; open while they do. */
export class ApiConversation implements OpenChat {
  readonly sessionId: string;
  readonly prompter = new ApiPrompter();
  usedAt = 0;
  readonly #app: App;
  readonly #cwd: string;
  #working = 0;
  #opening: Promise<Session> | undefined;
  #closing: Promise<void> | undefined;

  constructor(app: App, cwd: string, sessionId: string) {
    this.#app = app;
    this.#cwd = cwd;
    this.sessionId = sessionId;
  }

  get busy(): boolean {
    return this.#working > 0;
  }

  /** Marks the session as in use: it stays open, and no other request takes it. */
  work(): Disposable {
    this.#working++;
    return { [Symbol.dispose]: () => void this.#working-- };
  }

  /**
   * @param system System text of the client; it becomes part of a new session's system prompt.
   * @throws {ApiFailure} if another process has the session.
   */
  open(system: string): Promise<Session> {
    if (this.#opening !== undefined) return this.#opening;
    const opening = this.#openNow(system).catch((cause: unknown) => {
      this.#opening = undefined;
      if (!(cause instanceof UserError)) throw cause;
      throw new ApiFailure(
        this.#app.mask(asTyped([cause.message, cause.hint].filter((text) => text !== undefined).join(" "))),
        { status: 409, code: "session_unavailable", cause },
      );
    });
    this.#opening = opening;
    return opening;
  }

  async rest(): Promise<boolean> {
    const session = await this.#opening?.catch(() => undefined);
    if (this.busy || session?.busy === true) return false;
    await this.close();
    return !this.busy;
  }

  close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    this.#closing = (async () => (await opening?.catch(() => undefined))?.close("shutdown"))();
    return this.#closing;
  }

  async #openNow(system: string): Promise<Session> {
    // A closing session still has its lease.
    await this.#closing?.catch(() => undefined);
    return this.#app.openSession({
      surface: API_PLATFORM,
      cwd: this.#cwd,
      sessionId: this.sessionId,
      prompter: this.prompter,
      place: system === "" ? undefined : system,
    });
  }
}
