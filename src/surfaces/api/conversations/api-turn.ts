import type { AgentEvent, Recorded } from "../../../contract/conversation/fact.ts";
import type { Part } from "../../../contract/conversation/part.ts";
import type { Session } from "../../../contract/conversation/session.ts";
import { inputByFacts } from "../../shared/conversation/turn-answer.ts";
import { endOfInput, type ApiTurnEnd } from "./turn-facts.ts";

export interface TurnInput {
  readonly inputId: string;
  /** Called when the turn starts; the result is disposed when it ends. */
  begins?(): Disposable;
  /** Receives the events of this input's turn, and of no other turn. */
  receive(event: AgentEvent): void;
}

/** An input that an API client sent to a session, and its turn. A session runs one turn at a time. */
export class ApiTurn {
  readonly sessionId: string;
  /** Resolves when the input is on disk. */
  readonly stored: Promise<void>;
  readonly ended: Promise<ApiTurnEnd>;
  readonly #session: Session;
  readonly #input: TurnInput;
  readonly #accepted = Promise.withResolvers<void>();
  readonly #over = Promise.withResolvers<void>();
  #turnId: string | undefined;
  #endSeq: number | undefined;
  #stopped: string | undefined;
  #going: Disposable | undefined;

  private constructor(session: Session, input: TurnInput, run: (turn: ApiTurn) => Promise<ApiTurnEnd>) {
    this.sessionId = session.id;
    this.#session = session;
    this.#input = input;
    this.stored = this.#accepted.promise;
    this.ended = this.#run(run);
    // Awaiting callers see the error; without a caller it must not crash the process.
    this.stored.catch(() => undefined);
    this.ended.catch(() => undefined);
  }

  static send(session: Session, parts: readonly Part[], input: TurnInput): ApiTurn {
    return new ApiTurn(session, input, async (turn) => ({
      ...(await session.send(parts, { inputId: input.inputId })),
      seq: turn.#endSeq ?? 0,
    }));
  }

  /** Resumes the turn of an input from an earlier process. `undefined`: the session never received it. */
  static async resume(
    session: Session,
    facts: () => Promise<readonly Recorded[]>,
    input: TurnInput,
  ): Promise<ApiTurn | undefined> {
    const left = await facts();
    const known = inputByFacts(left, input.inputId);
    if (known === "unknown") return undefined;
    return new ApiTurn(session, input, async (turn) => {
      turn.#accepted.resolve();
      if (endOfInput(left, input.inputId) === undefined) {
        if (typeof known === "object") turn.#begins(known.turnId);
        await Promise.race([turn.#over.promise, session.resume().then(() => turn.#over.promise)]);
      }
      const end = endOfInput(await facts(), input.inputId);
      if (end === undefined) throw new Error(`The turn of "${input.inputId}" in session "${session.id}" did not end.`);
      return end;
    });
  }

  /** Stops this turn, now or as soon as it starts; other turns of the session continue. */
  stop(reason: string): void {
    this.#stopped ??= reason;
    if (this.#turnId !== undefined && this.#endSeq === undefined)
      void this.#session.interrupt(this.#stopped).catch(() => undefined); // The turn's own end reports a failure.
  }

  async #run(run: (turn: ApiTurn) => Promise<ApiTurnEnd>): Promise<ApiTurnEnd> {
    using _listening = this.#session.subscribe((event) => this.#take(event));
    try {
      const end = await run(this);
      this.#accepted.resolve();
      return end;
    } catch (cause) {
      this.#accepted.reject(cause);
      throw cause;
    } finally {
      this.#going?.[Symbol.dispose]();
    }
  }

  #take(event: AgentEvent): void {
    const fact = event.kind === "fact" ? event.recorded.fact : undefined;
    if ((fact?.type === "input.queued" || fact?.type === "message.added") && fact.inputId === this.#input.inputId)
      this.#accepted.resolve();
    if (fact?.type === "message.added" && fact.inputId === this.#input.inputId) this.#begins(fact.turnId);
    if (this.#turnId === undefined || this.#endSeq !== undefined) return;
    if (event.kind === "fact" && fact?.type === "turn.ended" && fact.turnId === this.#turnId) {
      this.#endSeq = event.recorded.seq;
      this.#over.resolve();
    }
    this.#input.receive(event);
  }

  #begins(turnId: string): void {
    this.#turnId = turnId;
    this.#going = this.#input.begins?.();
    if (this.#stopped !== undefined) this.stop(this.#stopped);
  }
}
