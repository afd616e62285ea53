import type { AgentEvent } from "../../../contract/conversation/fact.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import { textOf } from "../../../contract/conversation/part.ts";
import { LiveMessage, type LiveMessagePorts } from "./live-message.ts";
import type { StreamWays } from "./stream-settings.ts";
import { streamText } from "./stream-text.ts";

export interface AnswerStreamPorts {
  readonly log: Logger;
  ways(): StreamWays | undefined;
  /** How a message is sent and written again; `undefined` where the platform cannot. */
  editing(replyTo: string | undefined): Pick<LiveMessagePorts, "send" | "edit"> | undefined;
  mask(text: string): string;
  /** Characters of one message; 0 is no limit. */
  room(): number;
  /** Kept for whoever sends the answer: it goes into this message, or into none. */
  note(turn: { readonly sessionId: string; readonly turnId: string }, messageId: string | undefined): Promise<void>;
}

const MAX_TURNS = 16;
const MAX_QUESTIONS = 100;

/** What one request of a turn writes, in a message of its own. */
interface Segment {
  readonly live: LiveMessage;
  text: string;
  /** It is whole. */
  whole: boolean;
  noted: Promise<void>;
}

interface Turn {
  readonly sessionId: string;
  readonly turnId: string;
  replyTo?: string | undefined;
  segment?: Segment | undefined;
  /** A message before it that is being closed. */
  before: Promise<unknown>;
}

/**
 * An answer, shown while it is written in a message that is written again. It is a show: the answer itself goes by the outbox, which puts it in the
 * place of that message. So that it does after a crash as well, which message that is, is noted.
 */
export class AnswerStream {
  readonly #ports: AnswerStreamPorts;
  readonly #questions = new Map<string, string>();
  /** That are not settled; the last one runs. */
  readonly #turns = new Map<string, Turn>();
  #running: Turn | undefined;

  constructor(ports: AnswerStreamPorts) {
    this.#ports = ports;
  }

  /** The message behind an input, which its answer answers. */
  asked(inputId: string, messageId: string | undefined): void {
    if (messageId === undefined) return;
    this.#questions.set(inputId, messageId);
    // One that its session never took in.
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
    // Another try writes it anew, into the same message.
    if (fact.type === "model.failed" && turn.segment !== undefined) turn.segment.text = "";
    if (fact.type !== "model.answered" || turn.segment === undefined) return;
    turn.segment.text = textOf(fact.parts.filter(({ type }) => type === "text"));
    turn.segment.whole = true;
    if (fact.parts.some(({ type }) => type === "tool-call")) this.#leave(turn);
  }

  /**
   * The turn is over. When this resolves nothing more is written into its message, and it is noted whether the answer belongs there.
   * @param answer Absent: nothing is said.
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
      // A change that is still out there could come over the answer.
      if (!quiet) await this.#note(turn, undefined);
    }
    await turn.before;
  }

  /** Nothing more is written. What was begun is gone on with by whoever sends the answer. */
  async end(): Promise<void> {
    const turns = [...this.#turns.values()];
    this.#turns.clear();
    this.#running = undefined;
    await Promise.all(turns.map(({ segment }) => segment?.live.close()));
  }

  #begin(sessionId: string, turnId: string): void {
    this.#running = { sessionId, turnId, before: Promise.resolve() };
    this.#turns.set(turnId, this.#running);
    // One that nobody told the end of is not waited for.
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

  /** What this message says stays, and the answer does not go into it. */
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
      .catch((cause: unknown) =>
        this.#ports.log.warning("In which message an answer is shown could not be noted.", { cause }),
      );
  }
}

/** The beginning that an answer has in common with what was shown of it. */
function shown(text: string): string {
  return streamText(text, { cursor: "", room: 0 })?.trim() ?? "";
}
