import type { Fact } from "../contract/fact.ts";
import type { JsonObject } from "../contract/json.ts";
import { toSettled } from "../contract/outcome.ts";
import type { ToolOutcome } from "../contract/outcome.ts";
import type { Effect } from "../contract/tool.ts";
import type { CallRequest, CallSession } from "./ports.ts";
import type { GrantedSecret } from "./secret-handles.ts";

/**
 * Writes down one call in as few batches as its order allows: `tool.called` goes with the first batch, whatever that is, and
 * `tool.settled` is written once.
 */
export class CallJournal {
  /** As far as known; fixed by the first write. */
  tool: string;
  args: JsonObject | undefined;
  effect: Effect = "none";
  repeatable = true;
  /** The tool runs, or has run. Until then a stopped turn need not wait for it. */
  started = false;
  /** The first address that the tool asked for while it ran. */
  fetched: string | undefined;
  /** What was put in for handles; never written. */
  granted: readonly GrantedSecret[] = [];

  readonly #request: CallRequest;
  readonly #session: CallSession;
  #waiting: Fact[] = [];
  #called = false;
  #settled = false;

  constructor(request: CallRequest, session: CallSession) {
    this.#request = request;
    this.#session = session;
    this.tool = request.tool;
  }

  /** Goes with the next batch. */
  add(...facts: readonly Fact[]): void {
    this.#waiting.push(...facts);
  }

  /** Durable when it resolves. What could not be written stays for the next attempt. Rejects after the call was settled. */
  write(...facts: readonly Fact[]): Promise<void> {
    if (this.#settled) return Promise.reject(new Error(`The call ${this.#request.callId} is settled; nothing more is written of it.`));
    return this.#write(facts);
  }

  settle(outcome: ToolOutcome, durationMs: number): Promise<void> {
    if (this.#settled) return Promise.resolve();
    this.#settled = true;
    return this.#write([{ type: "tool.settled", callId: this.#request.callId, outcome: toSettled(outcome), durationMs }]);
  }

  async #write(facts: readonly Fact[]): Promise<void> {
    const batch = this.#called ? [] : [this.#call()];
    if (this.#waiting.length > 0) batch.push(...this.#waiting);
    batch.push(...facts);
    await this.#session.record(batch);
    this.#called = true;
    this.#waiting = [];
  }

  #call(): Fact {
    const { turnId, callId, by, parentCallId } = this.#request;
    return {
      type: "tool.called",
      turnId,
      callId,
      tool: this.tool,
      ...(this.args === undefined ? {} : { args: this.args }),
      by,
      effect: this.effect,
      repeatable: this.repeatable,
      ...(parentCallId === undefined ? {} : { parentCallId }),
    };
  }
}
