import type { App } from "../../../contract/services/app.ts";
import type { AgentEvent, Live } from "../../../contract/conversation/fact.ts";
import { UserError } from "../../../contract/common/failure.ts";
import { goalNote } from "../../../contract/conversation/goal-state.ts";
import type { JsonObject } from "../../../contract/common/json.ts";
import type { Part } from "../../../contract/conversation/part.ts";
import type { Session } from "../../../contract/conversation/session.ts";
import { ChangingSession } from "../../shared/conversation/changing-session.ts";
import type { CallDetails } from "../trace/trace-item.ts";
import { RunningCommands } from "../../shared/commands/running-commands.ts";
import { isSlashCommand } from "../../shared/commands/run-slash-command.ts";
import type { SlashHost } from "../../shared/commands/slash-host.ts";
import { asTyped } from "../../shared/process/called-as.ts";
import { busyModeOf } from "../../shared/conversation/busy-mode.ts";
import { CHAT_SURFACE, commandHost, type CommandEffects } from "./command-host.ts";
import { ChatItems } from "./chat-items.ts";
import type { ChatItem, ChatNote, ChatState, ChatTarget, Delta, ItemsChange, PartialAnswer } from "./chat-state.ts";
import { LiveAnswer } from "./live-answer.ts";
import { PagePrompter } from "./page-prompter.ts";
import { SentMessages } from "./sent-messages.ts";

const MOST_NOTES = 100;

export interface PageChatPorts {
  readonly app: App;
  readonly signal: AbortSignal;
  /** Sends an event of a chat to the pages that show it: `items`, `delta` or `chat`. */
  send(sessionId: string, event: "items" | "delta" | "chat", data: ItemsChange | Delta | ChatState): void;
  /** Sends a live event to pages that follow the session otherwise. */
  live(sessionId: string, live: Live): void;
  /** Opens another chat, for commands that switch. */
  chat(target: ChatTarget): Promise<PageChat>;
}

/** A message of a page. */
export interface PageMessage {
  /** The page's id for it: a message that is sent again is handled once. */
  readonly inputId: string;
  readonly text: string;
  readonly attachments: readonly Part[];
  readonly mode: "queue" | "steer";
  /** The page does not know whether an earlier request with this id arrived. */
  readonly again: boolean;
}

/**
 * A conversation that pages show. Its turns run in this process whether or not a page is open. The session is open while
 * it is used; idle, it closes, so that other surfaces can resume it.
 */
export class PageChat {
  readonly id: string;
  /** Epoch ms. */
  usedAt = Date.now();
  readonly #ports: PageChatPorts;
  readonly #prompter: PagePrompter;
  readonly #commands = new RunningCommands();
  readonly #answer = new LiveAnswer();
  #notes: readonly ChatNote[] = [];
  #noted = 0;
  readonly #sent = new SentMessages();
  #front: ChangingSession;
  #items: ChatItems;
  /** Absent: the session is closed. */
  #open: Promise<ChangingSession> | undefined;
  #closing: Promise<void> = Promise.resolve();
  #seq = 0;

  /** @throws {UserError} if another process has the session. */
  static async open(ports: PageChatPorts, { sessionId, model, cwd = process.cwd() }: ChatTarget): Promise<PageChat> {
    const { app } = ports;
    const current = await app.models.current().catch(() => undefined); // The first turn reports its error.
    const prompter = new PagePrompter();
    const session = await app.openSession({
      surface: CHAT_SURFACE,
      attended: true,
      prompter,
      cwd,
      sessionId,
      model,
    });
    const name = `${model?.provider ?? current?.provider ?? ""}:${model?.name ?? current?.model ?? ""}`;
    const chat = new PageChat(ports, prompter, session, name);
    await chat.#readItems();
    return chat;
  }

  private constructor(ports: PageChatPorts, prompter: PagePrompter, session: Session, model: string) {
    this.#ports = ports;
    this.#prompter = prompter;
    prompter.changed = () => this.changed();
    this.id = session.id;
    this.#items = new ChatItems(ports.app.tools);
    this.#front = this.#changing(session, model);
    this.#open = Promise.resolve(this.#front);
  }

  /** A turn or a command runs, or a question waits. */
  get busy(): boolean {
    return this.#commands.any || this.#prompter.waits || this.#sent.any || (this.isOpen && this.#front.session.busy);
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  get state(): ChatState {
    const { session, model, yolo } = this.#front;
    return {
      sessionId: this.id,
      busy: this.isOpen && session.busy,
      cwd: session.cwd,
      model,
      yolo,
      busyMode: busyModeOf(this.#ports.app, CHAT_SURFACE) === "steer" ? "steer" : "queue",
      interrupted: this.isOpen ? session.interrupted() : [],
      questions: this.#prompter.shown,
      notes: this.#notes,
    };
  }

  get partial(): PartialAnswer {
    return this.#answer.shown;
  }

  /** The newest rows and the queue, and how many rows come before them. */
  items(most: number): { readonly items: readonly ChatItem[]; readonly earlier: number } {
    const { all } = this.#items;
    return { items: all.slice(-most), earlier: Math.max(0, all.length - most) };
  }

  /** Everything about a call. @throws {UserError} */
  details(callId: string): CallDetails {
    const details = this.#items.details(callId);
    if (details === undefined) throw new UserError(`This chat has no call "${callId}".`);
    return details;
  }

  /** The open session; opened again if it was closed meanwhile. */
  async session(): Promise<Session> {
    this.usedAt = Date.now();
    const opening = (this.#open ??= this.#reopened().catch((cause: unknown) => {
      this.#open = undefined;
      throw cause;
    }));
    return (await opening).current();
  }

  /** Resolves when the message is stored, or the command has run. @throws {UserError} */
  async take(message: PageMessage): Promise<CommandEffects> {
    const { app } = this.#ports;
    for (const { level, text } of await app.config.refresh()) app.log[level](text);
    if (message.attachments.length === 0 && isSlashCommand(message.text)) return this.#command(message.text);
    await this.#send(message);
    return {};
  }

  /** Stops the turn and running commands. @returns the messages that waited, which no turn reads now. */
  async stop(): Promise<readonly (readonly Part[])[]> {
    this.#commands.stop();
    if (!this.isOpen) return [];
    const { session } = this.#front;
    const waited = session.withdraw();
    await session.interrupt("stopped by you");
    return waited;
  }

  /** Takes a queued message back. @throws {UserError} if a turn has read it. */
  async withdraw(inputId: string): Promise<readonly Part[]> {
    const [parts] = (await this.session()).withdraw({ only: [inputId] });
    if (parts === undefined) throw new UserError("The agent has already read this message.");
    return parts;
  }

  /** Resumes an interrupted turn. */
  async carryOn(): Promise<void> {
    const session = await this.session();
    void session.resume().catch((cause: unknown) => this.#failed("An interrupted turn could not be resumed.", cause));
    this.changed();
  }

  /** @throws {UserError} */
  answer(questionId: string, body: JsonObject): void {
    this.#prompter.answer(questionId, body);
  }

  /** Asks the user to choose; `undefined`: the question was dismissed. */
  async #pick(text: string, choices: readonly string[], signal: AbortSignal): Promise<string | undefined> {
    const answer = await this.#prompter.ask({ kind: "choice", text, choices, other: false }, signal);
    return answer.kind === "text" ? answer.text : undefined;
  }

  /** The features for slash commands. `effects` receives the actions for the page. */
  host(effects: { -readonly [Key in keyof CommandEffects]: CommandEffects[Key] }): SlashHost {
    return commandHost(effects, {
      ...this.#ports,
      front: this.#front,
      session: () => this.session(),
      pick: (text, choices, signal) => this.#pick(text, choices, signal),
      note: (text) => this.#note(text),
      changed: () => this.changed(),
    });
  }

  /** Closes an idle session; the next use opens it again. */
  async rest(): Promise<void> {
    if (!this.busy) await this.close();
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    this.#commands.stop();
    this.#closing = (async () => (await open?.catch(() => undefined))?.close("shutdown"))();
    await this.#closing;
  }

  /** Sends the state to the pages. */
  changed(): void {
    this.#ports.send(this.id, "chat", this.state);
  }

  #changing(session: Session, model: string): ChangingSession {
    const opening = { surface: CHAT_SURFACE, attended: true, prompter: this.#prompter };
    return new ChangingSession(this.#ports.app, opening, session, model, (event) => this.#receive(event));
  }

  async #reopened(): Promise<ChangingSession> {
    await this.#closing;
    const before = this.#front;
    const session = await this.#ports.app.openSession({ ...before.opening, sessionId: this.id });
    this.#front = this.#changing(session, before.model);
    this.#front.yolo = before.yolo;
    // Another surface may have continued the session meanwhile.
    await this.#readItems();
    return this.#front;
  }

  /** No turn runs yet, so no fact is added meanwhile. */
  async #readItems(): Promise<void> {
    const items = new ChatItems(this.#ports.app.tools);
    for await (const recorded of this.#ports.app.sessions.factsOf(this.id)) {
      items.apply(recorded);
      this.#seq = recorded.seq;
    }
    this.#items = items;
  }

  async #send({ inputId, text, attachments, mode, again }: PageMessage): Promise<void> {
    const facts = () => Array.fromAsync(this.#ports.app.sessions.factsOf(this.id));
    await this.#sent.once(inputId, again ? facts : undefined, async () => {
      const session = await this.session();
      const parts: readonly Part[] = [...(text === "" ? [] : [{ type: "text" as const, text }]), ...attachments];
      const ended = session.send(parts, { inputId, mode });
      ended.catch((cause: unknown) => this.#sent.has(inputId) && this.#failed("A turn could not be stored.", cause));
      return { ended };
    });
  }

  async #command(line: string): Promise<CommandEffects> {
    await this.session();
    const effects: { -readonly [Key in keyof CommandEffects]: CommandEffects[Key] } = {};
    this.changed();
    const { ok, text } = await this.#commands.run(line, this.host(effects));
    if (text !== "") this.#note(text, { command: line, failed: ok ? undefined : true });
    else this.changed();
    return effects;
  }

  #receive(event: AgentEvent): void {
    this.usedAt = Date.now();
    const delta = this.#answer.receive(event);
    if (delta !== undefined) this.#ports.send(this.id, "delta", delta);
    if (event.kind === "live") return this.#ports.live(this.id, event.live);
    const { fact, seq } = event.recorded;
    this.#seq = seq;
    const change = this.#items.apply(event.recorded);
    if (change.items.length + change.removed.length > 0) this.#ports.send(this.id, "items", change);
    if ((fact.type === "input.queued" || fact.type === "message.added") && fact.inputId !== undefined)
      this.#sent.stored(fact.inputId);
    const note = goalNote(fact);
    if (note !== undefined) this.#note(note);
    if (fact.type === "turn.started") this.changed();
    // The session is busy until the turn's fact is handled.
    if (fact.type === "turn.ended") void this.#front.session.idle().then(() => this.changed());
  }

  #note(text: string, about: Pick<ChatNote, "command" | "failed"> = {}): void {
    const { app } = this.#ports;
    const note: ChatNote = { id: ++this.#noted, at: Date.now(), seq: this.#seq, text: app.mask(text), ...about };
    this.#notes = [...this.#notes, note].slice(-MOST_NOTES);
    this.changed();
  }

  #failed(what: string, cause: unknown): void {
    this.#ports.app.log.error(what, { cause });
    this.#note(asTyped(`${what} ${cause instanceof Error ? cause.message : String(cause)}`), { failed: true });
  }
}
