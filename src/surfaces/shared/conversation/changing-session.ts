import type { App, OpenSession } from "../../../contract/services/app.ts";
import type { AgentEvent } from "../../../contract/conversation/fact.ts";
import type { Session } from "../../../contract/conversation/session.ts";

/** The options that do not depend on mode and model. */
type Opening = Pick<OpenSession, "surface" | "attended" | "prompter">;

/**
 * An open session whose approval mode and model the user may change. Both are fixed when a session opens, so a change
 * reopens it before the next turn.
 */
export class ChangingSession {
  readonly #app: Pick<App, "openSession">;
  readonly #opening: Opening;
  readonly #receive: (event: AgentEvent) => void;
  #session: Session;
  #listening: Disposable;
  #outdated = false;
  #renewing: Promise<unknown> = Promise.resolve();
  /** Skips approvals. */
  yolo = false;
  /** `provider:model`. */
  model: string;

  /** @param receive Receives the events of the session, also after reopening. */
  constructor(
    app: Pick<App, "openSession">,
    opening: Opening,
    session: Session,
    model: string,
    receive: (event: AgentEvent) => void,
  ) {
    this.#app = app;
    this.#opening = opening;
    this.#session = session;
    this.#receive = receive;
    this.#listening = session.subscribe(receive);
    this.model = model;
  }

  /** The open session. */
  get session(): Session {
    return this.#session;
  }

  /** @returns whether the approval mode changed. */
  setYolo(on: boolean): boolean {
    if (on === this.yolo) return false;
    this.yolo = on;
    return (this.#outdated = true);
  }

  /** @param model `provider:model`. @returns whether the model changed. */
  setModel(model: string): boolean {
    if (model === this.model) return false;
    this.model = model;
    return (this.#outdated = true);
  }

  /** Options for a session with the same mode and model. */
  get opening(): OpenSession {
    const model = partsOfModel(this.model);
    return { ...this.#opening, cwd: this.#session.cwd, yolo: this.yolo, model };
  }

  /** The session for the next turn; reopened if a setting changed and no turn runs. */
  current(): Promise<Session> {
    const current = this.#renewing.then(() =>
      this.#outdated && !this.#session.busy ? this.#renewed() : this.#session,
    );
    this.#renewing = current.catch(() => {}); // The caller gets the error; the next call tries again.
    return current;
  }

  async close(reason: "session_boundary" | "shutdown"): Promise<void> {
    await this.#session.close(reason);
    this.#listening[Symbol.dispose]();
  }

  async #renewed(): Promise<Session> {
    const { opening } = this;
    const { id } = this.#session;
    await this.close("session_boundary");
    this.#session = await this.#app.openSession({ ...opening, sessionId: id });
    this.#listening = this.#session.subscribe(this.#receive);
    this.#outdated = false;
    return this.#session;
  }
}

/** Splits `provider:model`; the name of a custom provider starts with `custom:`. */
export function partsOfModel(id: string): { readonly provider: string; readonly name: string } {
  const [, provider = "", name = id] = /^(custom:[^:/]+(?=:)|[^:]+):(.+)$/s.exec(id) ?? [];
  return { provider, name };
}
