import type { AgentEvent } from "../../../contract/conversation/fact.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import { textOf } from "../../../contract/conversation/part.ts";
import { LiveMessage, type LiveMessagePorts } from "./live-message.ts";
import type { StreamWays } from "./stream-settings.ts";
import { streamText } from "./stream-text.ts";

export interface AnswerStreamPorts {
  readonly log: Logger;
  ways(): StreamWays | undefined;
  /** Sends and edits messages; `undefined` if the platform cannot edit. */
  editing(replyTo: string | undefined): Pick<LiveMessagePorts, "send" | "edit"> | undefined;
  mask(text: string): string;
  /** Maximum characters of one message; 0: no limit. */
  room(): number;
  /** Stores for the outbox which message the answer replaces, or that it replaces none. */
  note(turn: { readonly sessionId: string; readonly turnId: string }, messageId: string | undefined): Promise<void>;
}

const MAX_TURNS = 16;
const MAX_QUESTIONS = 100;

/** The text of one model request, shown in one message. */
interface Segment {
  readonly live: LiveMessage;
  text: string;
  /** No more text comes. */
  whole: boolean;
  noted: Promise<void>;
}

interface Turn {
  readonly sessionId: string;
  readonly turnId: string;
  replyTo?: string | undefined;
  segment?: Segment | undefined;
  /** Closing of the previous message. */
  before: Promise<unknown>;
}

/**
 * Shows an answer while the model writes it, by editing one message. This is only a preview: the outbox sends the
 * answer itself and replaces the message with it. The id of the message is stored so that this also works after a
 * crash.
 */
export class AnswerStream {
  readonly #ports: AnswerStreamPorts;
  readonly #questions = new Map<string, string>();
  /** Turns that have not ended; the last one runs. */
  readonly #turns = new Map<string, Turn>();
  #running: Turn | undefined;

  constructor(ports: AnswerStreamPorts) {
    this.#ports = ports;
  }

  /** Records the chat message behind an input; the answer replies to it. */
  asked(inputId: string, messageId: string | undefined): void {
    if (messageId === undefined) return;
    this.#questions.set(inputId, messageId);
    // The session never accepted the oldest one.
    if (this.#questions.size > MAX_QUESTIONS) this.#questions.delete([...this.#questions.keys()][0]!);
  }

  receive(event: AgentEvent): void {
    const { sessionId } = event;
    if (event.kind === "live") {
      if (event.live.type === "text.delta" && this.#running?.sessionId === sessionId)
        this.#write(this.#running, event.live.text);
      return;
    }
    const { fact } = event.recorded;
    if (fact.type === "turn.started") this.#begin(sessionId, fact.turnId);
    const turn = "turnId" in fact ? this.#turns.get(fact.turnId) : undefined;
    if (turn === undefined) return;
    if (fact.type === "message.added" && fact.inputId !== undefined) {
      turn.replyTo ??= this.#questions.get(fact.inputId);
      this.#questions.delete(fact.inputId);
    }
    // The retry writes into the same message.
    if (fact.type === "model.failed" && turn.segment !== undefined) turn.segment.text = "";
    if (fact.type !== "model.answered" || turn.segment === undefined) return;
    turn.segment.text = textOf(fact.parts.filter(({ type }) => type === "text"));
    turn.segment.whole = true;
    if (fact.parts.some(({ type }) => type === "tool-call")) this.#leave(turn);
  }

  /**
   * Ends a turn. When this resolves, its message no longer changes, and the store knows whether the answer replaces it.
   * @param answer Absent: the turn has no answer.
   */
  async settle(turnId: string, answer: string | undefined): Promise<void> {
    const turn = this.#turns.get(turnId);
    this.#turns.delete(turnId);
    if (turn === undefined) return;
    if (this.#running === turn) this.#running = undefined;
    const { segment } = turn;
    if (segment !== undefined && answer?.trim().startsWith(shown(segment.text)) !== true) this.#leave(turn);
    else if (segment !== undefined) {
      const quiet = await segment.live.close();
      await segment.noted;
      // A pending edit could overwrite the answer.
      if (!quiet) await this.#note(turn, undefined);
    }
    await turn.before;
  }

  /** Stops writing. The outbox completes the messages when it sends the answers. */
  async end(): Promise<void> {
    const turns = [...this.#turns.values()];
    this.#turns.clear();
    this.#running = undefined;
    await Promise.all(turns.map(({ segment }) => segment?.live.close()));
  }

  #begin(sessionId: string, turnId: string): void {
    this.#running = { sessionId, turnId, before: Promise.resolve() };
    this.#turns.set(turnId, this.#running);
    // The end of the oldest turn was never reported.
    if (this.#turns.size > MAX_TURNS) this.#turns.delete([...this.#turns.keys()][0]!);
  }

  #write(turn: Turn, delta: string): void {
    const ways = this.#ports.ways();
    if (ways === undefined) return;
    if (turn.segment?.whole === true) this.#leave(turn);
    const segment = (turn.segment ??= this.#open(turn, ways));
    if (segment === undefined) return;
    segment.text += delta;
    const text = streamText(this.#ports.mask(segment.text), { cursor: ways.cursor, room: this.#ports.room() });
    if (text !== undefined) segment.live.show(text);
  }

  #open(turn: Turn, { everyMs }: StreamWays): Segment | undefined {
    const editing = this.#ports.editing(turn.replyTo);
    if (editing === undefined) return undefined;
    const { before } = turn;
    const send = async (text: string) => {
      await before;
      const sent = await editing.send(text);
      const id = sent?.message_id ?? undefined;
      if (sent?.success === true && id !== undefined) segment.noted = this.#note(turn, id);
      return sent;
    };
    const segment: Segment = {
      live: new LiveMessage({ edit: (id, text) => editing.edit(id, text), send, everyMs }),
      text: "",
      whole: false,
      noted: Promise.resolve(),
    };
    return segment;
  }

  /** Keeps this message; the answer does not replace it. */
  #leave(turn: Turn): void {
    const { segment } = turn;
    turn.segment = undefined;
    if (segment === undefined) return;
    const last = streamText(this.#ports.mask(segment.text), { cursor: "", room: this.#ports.room() });
    turn.before = segment.live
      .close(last)
      .then(() => segment.noted)
      .then(() => (segment.live.id === undefined ? undefined : this.#note(turn, undefined)));
  }

  async #note(turn: Turn, messageId: string | undefined): Promise<void> {
    await this.#ports
      .note(turn, messageId)
      .catch((cause: unknown) => this.#ports.log.warning("Cannot store which message shows an answer.", { cause }));
  }
}

/** Normalizes the text that was shown, to compare it with the answer. */
function shown(text: string): string {
  return streamText(text, { cursor: "", room: 0 })?.trim() ?? "";
}
