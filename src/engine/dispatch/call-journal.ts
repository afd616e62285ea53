import type { Fact, WebUse } from "../../contract/conversation/fact.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import { toSettled } from "../../contract/tools/outcome.ts";
import type { ToolOutcome } from "../../contract/tools/outcome.ts";
import type { Provenance } from "../../contract/conversation/part.ts";
import type { Effect } from "../../contract/tools/effect.ts";
import type { CallRequest, CallSession } from "../ports.ts";
import type { GrantedSecret } from "../approval/secret-handles.ts";
import { isQuiet } from "../approval/quiet.ts";

/**
 * Records one call in as few batches as its order allows: `tool.called` goes with the first batch, and `tool.settled`
 * is written once. The facts of a repeatable call are only queued, so that it never waits for the disk: if a crash
 * comes first, no one has seen the call and nothing has changed.
 */
export class CallJournal {
  /** The tool's name as far as known; fixed by the first write. */
  tool: string;
  args: JsonObject | undefined;
  effect: Effect = "none";
  repeatable = true;
  /** The tool runs, or has run. Until then a stopped turn need not wait for it. */
  started = false;
  /** The deny rules are being matched, or the call is denied. A stopped turn waits for that, so that a denial wins. */
  refusing = false;
  /** The first address that the tool asked for while it ran. */
  fetched: string | undefined;
  /** Untrusted content that its subagents read. */
  brought: { readonly sources: readonly string[]; readonly kept: boolean } | undefined;
  /** Source of the untrusted content that nested calls brought in. */
  passedOn: Provenance | undefined;
  /** Paths that it may change, as its tool reported them. */
  touched: readonly string[] | undefined;
  /** Addresses that its result lists, in order. */
  readonly found = new Set<string>();
  /** Pages that it may request without a question because an earlier result listed them, by host. */
  requested: { readonly [host: string]: number } = {};
  /** Values inserted for handles; never written. */
  granted: readonly GrantedSecret[] = [];

  readonly #request: CallRequest;
  readonly #session: CallSession;
  #waiting: Fact[] = [];
  #called = false;
  #settled = false;
  #holds = false;

  constructor(request: CallRequest, session: CallSession) {
    this.#request = request;
    this.#session = session;
    this.tool = request.tool;
  }

  /** Goes with the next batch. */
  add(...facts: readonly Fact[]): void {
    this.#waiting.push(...facts);
  }

  /**
   * Durable when it resolves. Facts that could not be written wait for the next attempt. Rejects once the call has
   * completed.
   */
  write(...facts: readonly Fact[]): Promise<void> {
    if (this.#settled)
      return Promise.reject(
        new Error(`The call ${this.#request.callId} has completed; no more facts of it can be written.`),
      );
    return this.#write(facts);
  }

  /** The tool may run when it resolves. The user's decision about the call is durable then in any case. */
  begin(): Promise<void> {
    this.started = true;
    const started: Fact = { type: "tool.started", callId: this.#request.callId };
    if (!this.repeatable || !isQuiet(this.effect) || this.#waiting.length > 0 || this.#session.hold === undefined)
      return this.write(started);
    this.#holds = true;
    return this.#hold([started]);
  }

  /** @param observed Hooks may act on the end, so it must be durable first. */
  settle(outcome: ToolOutcome, durationMs: number, observed: boolean): Promise<void> {
    if (this.#settled) return Promise.resolve();
    this.#settled = true;
    const settled: Fact = {
      type: "tool.settled",
      callId: this.#request.callId,
      outcome: toSettled(outcome),
      durationMs,
      touched: this.started && !isQuiet(this.effect) && this.touched?.length !== 0 ? this.touched : undefined,
      web: this.started ? webUse(this.found, this.requested) : undefined,
    };
    return this.#holds && !observed ? this.#hold([settled]) : this.#write([settled]);
  }

  async #write(facts: readonly Fact[]): Promise<void> {
    await this.#session.record(this.#batch(facts));
    this.#called = true;
    this.#waiting = [];
  }

  async #hold(facts: readonly Fact[]): Promise<void> {
    this.#session.hold!(this.#batch(facts));
    this.#called = true;
    this.#waiting = [];
  }

  #batch(facts: readonly Fact[]): readonly Fact[] {
    return [...(this.#called ? [] : [this.#call()]), ...this.#waiting, ...facts];
  }

  #call(): Fact {
    const { turnId, callId, by, parentCallId } = this.#request;
    return {
      type: "tool.called",
      turnId,
      callId,
      tool: this.tool,
      args: this.args,
      by,
      effect: this.effect,
      repeatable: this.repeatable,
      parentCallId,
    };
  }
}

function webUse(found: ReadonlySet<string>, requested: NonNullable<WebUse["requested"]>): WebUse | undefined {
  const listed = found.size === 0 ? undefined : [...found];
  const pages = Object.keys(requested).length === 0 ? undefined : requested;
  return listed === undefined && pages === undefined ? undefined : { found: listed, requested: pages };
}
