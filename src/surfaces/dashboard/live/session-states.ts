import type { Fact } from "../../../contract/conversation/fact.ts";
import type { App } from "../../../contract/services/app.ts";
import type { SessionSummary } from "../../../contract/services/session-service.ts";
import type { ListedSession, SessionState } from "./listed-session.ts";
import { named } from "../named-session.ts";

/** Adds each session's name and state. */
export async function withStates(app: App, sessions: readonly SessionSummary[]): Promise<readonly ListedSession[]> {
  const states = new SessionStates(app);
  await states.read();
  return sessions.map((session) => ({ ...named(session), state: states.of(session.id) }));
}

interface Turn {
  live: boolean;
  readonly calls: Map<string, { readonly tool: string; approval: boolean }>;
}

/** What each session does now, from its facts and from whether a process works on it. */
export class SessionStates {
  readonly #app: Pick<App, "activity" | "tools">;
  #turns = new Map<string, Turn>();

  constructor(app: Pick<App, "activity" | "tools">) {
    this.#app = app;
  }

  /** Whether any session has an open turn that a process works on. */
  get anyLive(): boolean {
    return [...this.#turns.values()].some(({ live }) => live);
  }

  of(sessionId: string): SessionState {
    const turn = this.#turns.get(sessionId);
    if (turn === undefined) return "done";
    if (!turn.live) return "interrupted";
    const calls = [...turn.calls.values()];
    if (calls.some(({ approval }) => approval)) return "approval";
    return calls.some(({ tool }) => this.#app.tools.get(tool)?.interactive === true) ? "answer" : "running";
  }

  /** Reads the store again. @returns sessions whose state is another one now. */
  async read(): Promise<readonly string[]> {
    const before = new Map([...this.#turns.keys()].map((id) => [id, this.of(id)] as const));
    this.#turns = new Map(
      (await this.#app.activity.openTurns()).map(({ sessionId, live, calls }) => [
        sessionId,
        { live, calls: new Map(calls.map(({ callId, tool, approval }) => [callId, { tool, approval }])) },
      ]),
    );
    return [...new Set([...before.keys(), ...this.#turns.keys()])].filter(
      (id) => (before.get(id) ?? "done") !== this.of(id),
    );
  }

  apply(sessionId: string, fact: Fact): void {
    if (fact.type === "turn.started") this.#turns.set(sessionId, { live: true, calls: new Map() });
    else if (fact.type === "turn.ended") this.#turns.delete(sessionId);
    const turn = this.#turns.get(sessionId);
    if (turn === undefined) return;
    // Only a process that works on the session writes such facts.
    if (fact.type !== "session.titled") turn.live = true;
    if (fact.type === "tool.called") turn.calls.set(fact.callId, { tool: fact.tool, approval: false });
    else if (fact.type === "tool.settled") turn.calls.delete(fact.callId);
    else if (fact.type === "approval.asked" || fact.type === "approval.given") {
      const call = turn.calls.get(fact.callId);
      if (call !== undefined) call.approval = fact.type === "approval.asked";
    }
  }
}
