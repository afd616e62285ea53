import type { Fact, Live, Recorded } from "../../contract/conversation/fact.ts";
import { wellFormedCalls } from "../../contract/common/well-formed.ts";
import { DraftWriter } from "./draft-writer.ts";
import { EventListeners } from "./event-listeners.ts";
import { FactWriter } from "./fact-writer.ts";
import type { SessionOptions, SessionPorts } from "../ports.ts";
import { Transcript } from "../transcript/transcript.ts";

/** The surface under which a subagent's session is kept; what it may do is its parent's surface's matter. */
const SUBAGENT = "subagent";

/** A session's facts: stored, folded, then shown. Events that are only shown never overtake a fact. */
export class SessionLog {
  readonly transcript: Transcript;
  readonly listeners: EventListeners;
  readonly facts: Recorded[];
  readonly #options: SessionOptions;
  readonly #stored: (fact: Fact) => Fact;
  readonly #writer: FactWriter;
  readonly #taken: (inputId: string) => void;
  /** Folded already, not yet stored. */
  #drafts: { seq: number; readonly at: number; readonly v: 1; readonly fact: Fact }[] = [];
  /** Events to show between them, each with the number of facts that come before it. */
  #later: { readonly behind: number; readonly live: Live }[] = [];
  readonly #answer: DraftWriter;
  #begun: boolean;

  /** @param taken Called for each waiting input that a turn has accepted. */
  constructor(
    { store, log, stored = (fact) => fact }: Pick<SessionPorts, "store" | "log" | "stored">,
    options: SessionOptions,
    taken: (inputId: string) => void,
  ) {
    this.#options = options;
    this.#answer = new DraftWriter(store, options.sessionId);
    this.#taken = taken;
    this.#stored = stored;
    this.facts = [...options.facts];
    this.transcript = new Transcript(options.facts);
    this.listeners = new EventListeners(log);
    this.#begun = options.facts.length > 0;
    const { sessionId, lease } = options;
    this.#writer = new FactWriter({
      store,
      sessionId,
      fence: lease.fence,
      lastSeq: this.transcript.lastSeq,
      written: (recorded, held) => this.#written(recorded, held),
    });
  }

  /** It has facts: something was sent or done. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Why nothing can be written any more. */
  get conflict(): Error | undefined {
    return this.#writer.conflict;
  }

  /** Durable, folded and shown when it resolves. */
  async write(given: readonly Fact[]): Promise<void> {
    const facts = given.map(wellFormedCalls);
    if (this.#begun) return this.#writer.write(facts);
    this.#begun = true;
    const { cwd, whose, notes, subagent } = this.#options;
    const surface = subagent === undefined ? this.#options.surface : SUBAGENT;
    const about =
      subagent === undefined ? {} : { parent: { sessionId: subagent.parentId, seq: 0 }, subagent: subagent.start };
    try {
      await this.#writer.write([
        {
          type: "session.started",
          surface,
          cwd,
          whose,
          notes,
          ...about,
        },
        ...facts,
      ]);
    } catch (cause) {
      this.#begun = this.transcript.lastSeq > 0;
      throw cause;
    }
  }

  /**
   * Folded at once; durable and shown before the next write, and within some milliseconds. For facts without an outside
   * effect until that next write, so that they do not wait for the disk: a request that was sent, an answer whose calls
   * are being assessed.
   */
  hold(given: readonly Fact[]): void {
    const facts = given.map(wellFormedCalls);
    for (const fact of facts) {
      const draft = { seq: this.transcript.lastSeq + 1, at: 0, v: 1 as const, fact: this.#stored(fact) };
      this.#drafts.push(draft);
      this.transcript.apply(draft);
    }
    this.#endDraft();
    this.#writer.hold(facts);
  }

  /** Something is held that is not durable yet. */
  get holding(): boolean {
    return this.#writer.holding;
  }

  /** Stores what is held. */
  flush(): Promise<void> {
    return this.#writer.flush();
  }

  /** Resolves when all submitted facts are durable. */
  stored(): Promise<void> {
    return this.#writer.stored();
  }

  live(live: Live): void {
    const asking = this.transcript.open?.asking;
    if (live.type === "text.delta" && asking !== undefined) this.#answer.add(asking, live.text);
    if (this.#drafts.length > 0) this.#later.push({ behind: this.#drafts.length, live });
    else this.#show(live);
  }

  /** Refuses everything from now on. */
  close(reason: Error): void {
    this.#answer.end();
    this.#writer.close(reason);
  }

  #written(recorded: readonly Recorded[], held: number): void {
    const drafts = this.#drafts.splice(0, held);
    recorded.forEach((one, index) => {
      const draft = drafts[index];
      this.facts.push(one);
      // A title that the user set meanwhile shifts the facts after it.
      if (draft !== undefined) this.transcript.lastSeq = draft.seq = one.seq;
      else this.transcript.apply(one);
      if (one.fact.type === "message.added" && one.fact.inputId !== undefined) this.#taken(one.fact.inputId);
    });
    this.#endDraft();
    // Facts deferred since then come after it.
    for (const draft of this.#drafts) draft.seq = this.transcript.lastSeq += 1;
    const due = this.#later.filter(({ behind }) => behind <= held);
    this.#later = this.#later.flatMap(({ behind, live }) => (behind <= held ? [] : [{ behind: behind - held, live }]));
    recorded.forEach((one, index) => {
      this.listeners.report({ kind: "fact", sessionId: this.#options.sessionId, recorded: one });
      for (const { behind, live } of due) if (behind === index + 1) this.#show(live);
    });
  }

  #endDraft(): void {
    if (this.transcript.open?.asking === undefined) this.#answer.end();
  }

  #show(live: Live): void {
    if (this.listeners.any) this.listeners.report({ kind: "live", sessionId: this.#options.sessionId, live });
  }
}
