import type { Fact } from "../../contract/conversation/fact.ts";
import type { Part } from "../../contract/conversation/part.ts";
import type { AnswerDraft } from "../../contract/conversation/store.ts";
import type { SessionOptions, SessionPorts } from "../ports.ts";
import { closeInterrupted, interruptedLines, settleInterrupted } from "../turn/resume.ts";
import type { Transcript } from "../transcript/transcript.ts";

/**
 * The remains of a session from earlier processes: calls without an end, an open turn, and pending questions to its
 * tools.
 */
export class FormerProcess {
  readonly #ports: Pick<SessionPorts, "store" | "whileAway">;
  readonly #transcript: Transcript;
  /** Calls that were left without an end. Others may be running right now. */
  readonly #stale: ReadonlySet<string>;
  readonly #draft: AnswerDraft | undefined;
  /** Hermes has not yet asked the session's tools what happened before this process opened the session. */
  #unasked: boolean;

  constructor(
    ports: Pick<SessionPorts, "store" | "whileAway">,
    { facts, draft }: Pick<SessionOptions, "facts" | "draft">,
    transcript: Transcript,
  ) {
    this.#ports = ports;
    this.#transcript = transcript;
    this.#stale = new Set(transcript.unsettled().map((call) => call.callId));
    this.#draft = draft;
    this.#unasked = facts.length > 0;
  }

  /** For display: what would be resumed. */
  lines(): readonly string[] {
    return interruptedLines(this.#transcript, this.#stale, this.#draft);
  }

  /** Facts that give each interrupted call a result, so that the open turn can continue. */
  settled(): Promise<readonly Fact[]> {
    return this.#withSubagents(settleInterrupted(this.#transcript, this.#stale));
  }

  /** Facts that end the open turn and its calls. @param why Of the turn that ends by that. */
  closed(why: string): Promise<readonly Fact[]> {
    return this.#withSubagents(closeInterrupted(this.#transcript, this.#stale, why));
  }

  /** Reports of the tools about the time before the session was opened; asked once. */
  async whileAway(
    offered: () => Iterable<string>,
    session: Parameters<NonNullable<SessionPorts["whileAway"]>>[1],
  ): Promise<readonly (readonly Part[])[]> {
    if (!this.#unasked) return [];
    this.#unasked = false;
    return (await this.#ports.whileAway?.([...offered()], session)) ?? [];
  }

  /** Adds what the subagents of interrupted calls had done. */
  async #withSubagents(facts: readonly Fact[]): Promise<readonly Fact[]> {
    if (![...this.#stale].some((callId) => this.#transcript.calls.get(callId)?.subagents !== undefined)) return facts;
    return (await import("./orphaned-subagents.ts")).withSubagents(facts, this.#transcript, this.#ports.store);
  }
}
