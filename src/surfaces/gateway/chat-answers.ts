import type { App } from "../../contract/app.ts";
import type { Fact, Recorded } from "../../contract/fact.ts";
import { UserError } from "../../contract/failure.ts";
import type { ChatAddress, ChatLanes, ReceivedMessage } from "../../contract/gateway-desk.ts";
import type { Session, TurnEnd } from "../../contract/session.ts";
import { RunFigures } from "./run-figures.ts";
import { answerOf, endByFacts } from "./turn-answer.ts";

export interface AnswerPorts {
  readonly app: App;
  readonly lanes: ChatLanes;
  readonly signal: AbortSignal;
  readonly to: ChatAddress;
  facts(sessionId: string): Promise<readonly Recorded[]>;
  /** When this conversation was last at work. */
  noteEnd(session: Session): Promise<void>;
  /** Something waits to be sent. */
  wake(): void;
}

/** What a chat is told when a turn has ended: written down in the step that ends the message it answers. */
export class ChatAnswers {
  readonly #ports: AnswerPorts;
  readonly #figures = new RunFigures();

  constructor(ports: AnswerPorts) {
    this.#ports = ports;
  }

  onFact(sessionId: string, fact: Fact): void {
    this.#figures.onFact(sessionId, fact);
  }

  /** The end of a turn that this message began or joined. */
  async toMessage(session: Session, { id, message }: ReceivedMessage, end: Pick<TurnEnd, "turnId" | "reason" | "text" | "detail">): Promise<void> {
    const text = await this.#text(session, end);
    await this.#ports.noteEnd(session);
    await this.#ports.lanes.finish(id, text === undefined ? undefined : { to: this.#ports.to, text, key: turnKey(session.id, end.turnId), ...(message.message_id === undefined ? {} : { replyTo: message.message_id }) });
    this.#ports.wake();
  }

  /** The end of a turn that a process or a plugin began. */
  async toChat(session: Session, turnId: string): Promise<void> {
    const end = endByFacts(await this.#ports.facts(session.id), turnId);
    const text = end === undefined ? undefined : await this.#text(session, end);
    await this.#ports.noteEnd(session);
    if (text === undefined) return;
    await this.#ports.lanes.finish(undefined, { to: this.#ports.to, text, key: turnKey(session.id, turnId) });
    this.#ports.wake();
  }

  /** A session that was closed keeps the message, and so does the inbox: the next start goes on with it. */
  async failed({ id }: ReceivedMessage, cause: unknown): Promise<void> {
    const { app, lanes, signal, to, wake } = this.#ports;
    if (signal.aborted) return;
    app.log.error(`A turn of a chat on ${to.platform} failed.`, { cause, chat: to.chatId });
    await lanes.finish(id, { to, key: `failed:${id}`, text: `⚠ ${sayable(cause)}` }).catch((error: unknown) => app.log.error("What went wrong could not be written down.", { cause: error }));
    wake();
  }

  async #text(session: Session, end: Pick<TurnEnd, "reason" | "text" | "detail">): Promise<string | undefined> {
    const text = answerOf(end);
    return text === undefined ? undefined : this.#figures.under(text, this.#ports.app, this.#ports.to.platform, session);
  }
}

function turnKey(sessionId: string, turnId: string): string {
  return `turn:${sessionId}:${turnId}`;
}

export function sayable(cause: unknown): string {
  if (!(cause instanceof UserError)) return `Something went wrong here: ${cause instanceof Error ? cause.message : String(cause)}`;
  return cause.hint === undefined ? cause.message : `${cause.message} ${cause.hint}`;
}
