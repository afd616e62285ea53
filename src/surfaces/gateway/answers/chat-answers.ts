import type { App } from "../../../contract/services/app.ts";
import type { Fact, Recorded } from "../../../contract/conversation/fact.ts";
import { UserError } from "../../../contract/common/failure.ts";
import type { ChatAddress, ChatLanes, Outgoing, ReceivedMessage } from "../../../contract/services/gateway-service.ts";
import type { OutgoingFiles } from "../../../contract/conversation/outgoing-file.ts";
import type { Session, TurnEnd } from "../../../contract/conversation/session.ts";
import { answerFiles } from "./answer-files.ts";
import { mentionsMedia } from "./generated-media.ts";
import { RunFigures } from "./usage-footer.ts";
import { answerOf, endByFacts, NOTHING_TO_SAY } from "../../shared/conversation/turn-answer.ts";

export interface AnswerPorts {
  readonly app: App;
  readonly lanes: ChatLanes;
  readonly files: OutgoingFiles;
  readonly signal: AbortSignal;
  readonly to: ChatAddress;
  /** Ends the preview of a turn; only `answer` is shown from now on. */
  settle(turnId: string, answer: string | undefined): Promise<void>;
  facts(sessionId: string): Promise<readonly Recorded[]>;
  /** Stores when this conversation was last active. */
  noteEnd(session: Session): Promise<void>;
  /** Reports that a message waits to be sent. */
  wake(): void;
}

const MAX_TURNS = 16;

/** Stores the answer of a turn for its chat, in the same transaction that ends the message it answers. */
export class ChatAnswers {
  readonly #ports: AnswerPorts;
  readonly #figures = new RunFigures();
  /** Turns that began in this process. */
  readonly #seen = new Set<string>();
  /** Whether a tool made a file to be shown. */
  #made = false;

  constructor(ports: AnswerPorts) {
    this.#ports = ports;
  }

  onFact(sessionId: string, fact: Fact): void {
    this.#figures.onFact(sessionId, fact);
    if (fact.type === "turn.started") this.#receive(fact.turnId);
    if (fact.type === "tool.settled" && mentionsMedia(fact.outcome)) this.#made = true;
  }

  #receive(turnId: string): void {
    this.#seen.add(turnId);
    // The oldest turn was never answered; its facts still say what it made.
    if (this.#seen.size > MAX_TURNS) this.#seen.delete([...this.#seen][0]!);
  }

  /** Handles the end of a turn that this message started or joined. */
  async toMessage(
    session: Session,
    { id, message }: ReceivedMessage,
    end: Pick<TurnEnd, "turnId" | "reason" | "text" | "detail">,
  ): Promise<void> {
    const answer = await this.#answer(session, end);
    await this.#ports.noteEnd(session);
    await this.#ports.lanes.finish(
      id,
      answer === undefined
        ? undefined
        : {
            to: this.#ports.to,
            ...answer,
            key: turnKey(session.id, end.turnId),
            replyTo: message.message_id,
          },
    );
    this.#ports.wake();
  }

  /** Handles the end of a turn that a process or a plugin started. */
  async toChat(session: Session, turnId: string): Promise<void> {
    const end = endByFacts(await this.#ports.facts(session.id), turnId);
    const answer = end === undefined ? undefined : await this.#answer(session, { ...end, turnId });
    await this.#ports.noteEnd(session);
    if (answer === undefined) return;
    await this.#ports.lanes.finish(undefined, { to: this.#ports.to, ...answer, key: turnKey(session.id, turnId) });
    this.#ports.wake();
  }

  /** If the session was closed, the message stays in the session and the inbox, and the next start resumes it. */
  async failed({ id }: ReceivedMessage, cause: unknown): Promise<void> {
    const { app, lanes, signal, to, wake } = this.#ports;
    if (signal.aborted) return;
    app.log.error(`A turn of a chat on ${to.platform} failed.`, { cause, chat: to.chatId });
    await lanes
      .finish(id, { to, key: `failed:${id}`, text: `⚠ ${sayable(cause)}` })
      .catch((error: unknown) => app.log.error("Cannot store the error message for the chat.", { cause: error }));
    wake();
  }

  async #answer(
    session: Session,
    end: Pick<TurnEnd, "turnId" | "reason" | "text" | "detail">,
  ): Promise<Pick<Outgoing, "text" | "files"> | undefined> {
    const { app, files, to } = this.#ports;
    // This process saw what its own turns made; for turns of an earlier process, read the facts.
    const seen = this.#seen.delete(end.turnId);
    const output = answerOf(end);
    if (output === undefined) return void (await this.#ports.settle(end.turnId, undefined));
    const mayHaveFiles = this.#made || output.includes("MEDIA:") || !seen;
    const facts = mayHaveFiles ? await this.#ports.facts(session.id) : [];
    const answer = await answerFiles(output === NOTHING_TO_SAY ? "" : output, {
      facts,
      turnId: end.turnId,
      cwd: session.cwd,
      files,
    });
    const words = answer.text === "" && answer.files.length === 0 ? NOTHING_TO_SAY : answer.text;
    const text = words === "" ? "" : await this.#figures.under(words, app, to.platform, session);
    await this.#ports.settle(end.turnId, text);
    return { text, files: answer.files.length === 0 ? undefined : answer.files };
  }
}

/** The key under which the answer of a turn is sent, once. */
export function turnKey(sessionId: string, turnId: string): string {
  return `turn:${sessionId}:${turnId}`;
}

export function sayable(cause: unknown): string {
  if (!(cause instanceof UserError))
    return `The turn failed: ${cause instanceof Error ? cause.message : String(cause)}`;
  return cause.hint === undefined ? cause.message : `${cause.message} ${cause.hint}`;
}
