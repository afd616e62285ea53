import type { JsonObject } from "../../contract/common/json.ts";
import type { ToolOutcome } from "../../contract/tools/outcome.ts";
import type { CallSession, Dispatch, SessionPorts } from "../ports.ts";

export interface HandCallPorts {
  readonly dispatch: Dispatch;
  readonly ids: SessionPorts["ids"];
  /** Aborts all of them permanently. */
  readonly closing: AbortSignal;
}

/** A session's calls outside its turns: those of the user and of a plugin's command. */
export class HandCalls {
  readonly #ports: HandCallPorts;
  readonly #running = new Set<{ readonly stop: AbortController; readonly ended: Promise<ToolOutcome> }>();

  constructor(ports: HandCallPorts) {
    this.#ports = ports;
  }

  get any(): boolean {
    return this.#running.size > 0;
  }

  /** @param turnId Of the turn that is open meanwhile; empty where none is. */
  async call(tool: string, args: JsonObject, turnId: string, session: CallSession): Promise<ToolOutcome> {
    const { dispatch, ids, closing } = this.#ports;
    const stop = new AbortController();
    const ended = dispatch(
      { turnId, callId: ids("call"), tool, args, by: "person" },
      session,
      AbortSignal.any([closing, stop.signal]),
    );
    const call = { stop, ended };
    this.#running.add(call);
    try {
      return await ended;
    } finally {
      this.#running.delete(call);
    }
  }

  stop(reason: Error): void {
    for (const { stop } of this.#running) stop.abort(reason);
  }

  /** Resolves when those that run now have ended, however. */
  async ended(): Promise<void> {
    await Promise.allSettled([...this.#running].map(({ ended }) => ended));
  }
}
