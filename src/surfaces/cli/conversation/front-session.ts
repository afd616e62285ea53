import type { App, OpenSession } from "../../../contract/services/app.ts";
import type { AgentEvent } from "../../../contract/conversation/fact.ts";
import type { Session } from "../../../contract/conversation/session.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

export interface Target {
  /** Absent: a new session. */
  readonly sessionId?: string;
  readonly model?: OpenSession["model"];
}

/** The session that the user sees. Can switch to another one. */
export class FrontSession implements AsyncDisposable {
  readonly #app: App;
  readonly #opening: OpenSession;
  readonly #listener: (event: AgentEvent) => void;
  #session: Session;
  #listening: Disposable;
  #yolo: boolean;
  /** The user chose it in this session. */
  #model: OpenSession["model"];
  /** The approval mode changed while a turn ran: reopen the session before the next turn. */
  #outdated = false;

  constructor(app: App, opening: OpenSession, first: Session, listener: (event: AgentEvent) => void) {
    this.#app = app;
    this.#opening = opening;
    this.#session = first;
    this.#listener = listener;
    this.#listening = first.subscribe(listener);
    this.#yolo = opening.yolo ?? false;
  }

  get session(): Session {
    return this.#session;
  }

  /** Options for a new session with the same model, tools and approvals. */
  get opening(): OpenSession {
    return { ...this.#opening, yolo: this.#yolo, ...definedFields({ model: this.#model }) };
  }

  get yolo(): boolean {
    return this.#yolo;
  }

  /** If the new session cannot be opened, the current one stays. */
  async switchTo(target: Target): Promise<void> {
    const before = this.#session;
    if (target.sessionId !== before.id) {
      const next = await this.#open(target);
      this.#model = target.model;
      await before.interrupt("another session was opened");
      return this.#put(next);
    }
    await before.interrupt("the session was opened again");
    this.#listening[Symbol.dispose]();
    await before.close("session_boundary");
    try {
      await this.#put(await this.#open(target));
      this.#model = target.model ?? this.#model;
    } catch (cause) {
      await this.#put(await this.#open({ sessionId: before.id }));
      throw cause;
    }
  }

  /** Reopens the session with the new approval mode, at once or after the running turn. */
  async setYolo(on: boolean): Promise<void> {
    this.#yolo = on;
    this.#outdated = true;
    await this.refresh();
  }

  /** Called before the next turn begins. */
  async refresh(): Promise<void> {
    if (!this.#outdated || this.#session.busy) return;
    this.#outdated = false;
    const { id } = this.#session;
    await this.switchTo({ sessionId: this.#session.view().entries.length > 0 ? id : undefined });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listening[Symbol.dispose]();
    await this.#session[Symbol.asyncDispose]();
  }

  #open({ sessionId, model }: Target): Promise<Session> {
    return this.#app.openSession({
      ...this.#opening,
      attended: true,
      yolo: this.#yolo,
      sessionId,
      ...definedFields({ model }),
    });
  }

  async #put(next: Session): Promise<void> {
    const before = this.#session;
    this.#listening[Symbol.dispose]();
    this.#session = next;
    this.#listening = next.subscribe(this.#listener);
    if (before !== next) await before.close("session_boundary");
  }
}
