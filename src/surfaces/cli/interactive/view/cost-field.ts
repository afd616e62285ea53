import type { Fact } from "../../../../contract/conversation/fact.ts";
import type { Session } from "../../../../contract/conversation/session.ts";

/** After these facts a session may have cost more. */
const CHARGED: ReadonlySet<Fact["type"]> = new Set([
  "model.answered",
  "model.failed",
  "tool.settled",
  "subagent.ended",
  "context.compacted",
  "turn.ended",
]);

/** What the session on the screen cost, as the ledger says; asked again after each fact that may change it. */
export class CostField {
  readonly #costOf: (session: Session) => Promise<string>;
  readonly #redraw: () => void;
  #session: Session | undefined;
  #asking = false;
  /** It may have changed since it was asked. */
  #changed = false;
  text = "";

  constructor(costOf: (session: Session) => Promise<string>, redraw: () => void) {
    this.#costOf = costOf;
    this.#redraw = redraw;
  }

  open(session: Session, used: boolean): void {
    this.#session = session;
    this.text = "";
    if (used) void this.#ask();
  }

  onFact({ type }: Fact): void {
    if (CHARGED.has(type)) void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#changed = true;
    if (this.#asking) return;
    this.#asking = true;
    try {
      while (this.#changed && this.#session !== undefined) {
        this.#changed = false;
        const session = this.#session;
        const text = await this.#costOf(session);
        if (session !== this.#session || text === this.text) continue;
        this.text = text;
        this.#redraw();
      }
    } catch {
      // The turn reports a store that cannot be read.
    } finally {
      this.#asking = false;
    }
  }
}
