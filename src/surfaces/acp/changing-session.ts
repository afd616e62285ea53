import type { App, OpenSession } from "../../contract/services/app.ts";
import type { AgentEvent } from "../../contract/conversation/fact.ts";
import type { Session } from "../../contract/conversation/session.ts";
import { partsOfModel, type ModeId } from "./session-settings.ts";

/** How it is opened, whatever its mode and its model are. */
type Opening = Pick<OpenSession, "surface" | "attended" | "prompter">;

/** An open session whose approvals and model its person may change: both are part of how it is opened, so it is opened anew before its next turn. */
export class ChangingSession {
  readonly #app: Pick<App, "openSession">;
  readonly #opening: Opening;
  readonly #receive: (event: AgentEvent) => void;
  #session: Session;
  #listening: Disposable;
  #outdated = false;
  #renewing: Promise<unknown> = Promise.resolve();
  mode: ModeId = "default";
  model: string;

  /** @param hear Told every event, whichever way it is open. */
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

  /** As it is open now. */
  get session(): Session {
    return this.#session;
  }

  /** @returns whether it is another one. */
  setMode(mode: ModeId): boolean {
    if (mode === this.mode) return false;
    this.mode = mode;
    return (this.#outdated = true);
  }

  /** @param model `provider:model`. @returns whether it is another one. */
  setModel(model: string): boolean {
    if (model === this.model) return false;
    this.model = model;
    return (this.#outdated = true);
  }

  /** For the next turn: opened anew where it was changed and nothing runs in it. */
  current(): Promise<Session> {
    const current = this.#renewing.then(() =>
      this.#outdated && !this.#session.busy ? this.#renewed() : this.#session,
    );
    this.#renewing = current.catch(() => {}); // Whoever waits for it is told; the next one tries again.
    return current;
  }

  async close(reason: "session_boundary" | "shutdown"): Promise<void> {
    await this.#session.close(reason);
    this.#listening[Symbol.dispose]();
  }

  async #renewed(): Promise<Session> {
    const { id, cwd } = this.#session;
    await this.close("session_boundary");
    this.#session = await this.#app.openSession({
      ...this.#opening,
      cwd,
      sessionId: id,
      yolo: this.mode === "yolo",
      model: partsOfModel(this.model),
    });
    this.#listening = this.#session.subscribe(this.#receive);
    this.#outdated = false;
    return this.#session;
  }
}
