import type { App } from "../../../contract/services/app.ts";
import type { BackgroundEnd, LeftBackground, PursuedGoal } from "../../../contract/services/agent-service.ts";
import type { AgentEvent } from "../../../contract/conversation/fact.ts";
import type { ChatAddress, ChatLanes, ReceivedMessage } from "../../../contract/services/gateway-service.ts";
import type { OutgoingFiles } from "../../../contract/conversation/outgoing-file.ts";
import type { PlatformButton, PlatformMessage, WorkState } from "../../../contract/providers/platform.ts";
import { GOAL_KEY, goalNote, goalOf } from "../../../contract/conversation/goal-state.ts";
import type { Session, TurnEnd } from "../../../contract/conversation/session.ts";
import { chatProgress } from "../../shared/display/display.ts";
import { busyModeOf } from "../../shared/conversation/busy-mode.ts";
import { isSlashCommand } from "../../shared/commands/run-slash-command.ts";
import { RunningCommands } from "../../shared/commands/running-commands.ts";
import { AnswerStream } from "../answers/answer-stream.ts";
import { ChatAnswers, sayable, turnKey } from "../answers/chat-answers.ts";
import { ChatConversation } from "./chat-conversation.ts";
import { chatHost, type ChatHostPorts } from "./chat-host.ts";
import { ChatPrompter } from "./chat-prompter.ts";
import { inputOf, isOfInbox, recoverMessages } from "./chat-recovery.ts";
import { LifeSigns } from "../platforms/typing-indicator.ts";
import type { Slot } from "./fair-slots.ts";
import { batchTimes } from "./batch-times.ts";
import { joined, MessageBatch } from "./message-batch.ts";
import { messageParts } from "./message-parts.ts";
import type { PlatformLine } from "../platforms/platform-connection.ts";
import { inGroup } from "./session-key.ts";
import { ToolProgress } from "../answers/tool-progress.ts";
import { liveIn } from "../answers/live-in.ts";
import { streamWays } from "../answers/stream-settings.ts";
import { resetPolicy, resetText, whyReset } from "./session-reset.ts";

/** The limit of concurrent chats is reached. */
interface Crowd {
  readonly running: number;
  readonly most: number;
}

export interface ChatPorts {
  readonly app: App;
  readonly lanes: ChatLanes;
  readonly cwd: string;
  readonly files: OutgoingFiles;
  readonly signal: AbortSignal;
  /** Set if no other chat may start a turn now. */
  full(): Crowd | undefined;
  /** Reports that a message waits to be sent. */
  wake(): void;
  /** Resends messages to this chat that may not have arrived. */
  again(to: ChatAddress): Promise<number>;
  /** A variable of `.env` or the process. */
  variable(name: string): string | undefined;
  /** Resolves when a turn for the message may start; `undefined`: the gateway stops. */
  slot(message: PlatformMessage): Promise<Slot | undefined>;
  /** The only message of a chat without users was answered. */
  ended(): void;
}

/** Commands that do not wait for earlier messages. */
const AT_ONCE = /^\/(stop|approve|deny|status|help)\b/i;

/** One conversation of a chat: its session, whose turns answer it, and its prompter. */
export class Chat {
  readonly key: string;
  readonly to: ChatAddress;
  readonly prompter: ChatPrompter;
  readonly #line: PlatformLine;
  readonly #shared: boolean;
  readonly #ports: ChatPorts;
  readonly #commands = new RunningCommands();
  readonly #batch: MessageBatch;
  /** New texts of messages that wait; `undefined`: deleted. */
  readonly #revised = new Map<number, string | undefined>();
  /** Messages are accepted one at a time; turns run meanwhile. */
  #intake: Promise<void> = Promise.resolve();
  readonly #conversation: ChatConversation;
  readonly #life: LifeSigns;
  readonly #answers: ChatAnswers;
  readonly #progress: ToolProgress;
  readonly #stream: AnswerStream;
  readonly #hostPorts: ChatHostPorts;
  /** Turns that a message of this chat started; that message's handler sends their answers. */
  readonly #ours = new Set<string>();
  readonly #whose: string | undefined;
  #configReported: string | undefined;
  #running = 0;
  #said = 0;
  usedAt = Date.now();

  /** @param about.whose The user it belongs to; absent: the owner. */
  constructor(
    key: string,
    line: PlatformLine,
    {
      first,
      shared,
      whose,
    }: { readonly first: PlatformMessage; readonly shared: boolean; readonly whose: string | undefined },
    ports: ChatPorts,
  ) {
    this.key = key;
    this.to = addressOf(line.plan.name, first);
    this.#line = line;
    this.#shared = shared;
    this.#whose = whose;
    this.#ports = ports;
    const { app, lanes, cwd } = ports;
    this.prompter = new ChatPrompter(
      (text, buttons) => this.say(text, undefined, buttons),
      (waiting) => this.#life.promptIsOpen(waiting, this.#conversation.session?.busy === true),
      () => line.platform?.typed_command_prefix ?? "/",
    );
    this.#batch = new MessageBatch({
      times: () => batchTimes(line.plan.name, line.platform?.text_batch, line.plan.settings.extra, ports.variable),
      pass: (messages) => (this.#intake = this.#intake.then(() => this.#handleAll(messages))),
    });
    this.#conversation = new ChatConversation(
      app,
      lanes,
      {
        key,
        plan: line.plan,
        cwd,
        prompter: this.prompter,
        shared,
        whose,
        inGroup: inGroup(first),
        attended: line.platform?.unattended !== true,
      },
      (session, event) => this.#receive(session, event),
    );
    this.#answers = new ChatAnswers({
      app,
      lanes,
      files: ports.files,
      settle: (turnId, answer) => this.#stream.settle(turnId, answer),
      signal: ports.signal,
      to: this.to,
      facts: (sessionId) => this.#conversation.facts(sessionId),
      noteEnd: (session) => this.#noteEnd(session),
      wake: () => ports.wake(),
    });
    this.#hostPorts = {
      app,
      signal: ports.signal,
      plan: line.plan,
      whose,
      shared,
      conversation: this.#conversation,
      prompter: this.prompter,
      leave: () => this.#leave("session_boundary"),
      key,
      announce: (end) => this.#announce(end),
      again: () => ports.again(this.to),
    };
    this.#stream = new AnswerStream({
      log: app.log,
      ways: () => streamWays(app.config, line.plan.name, line.platform?.min_edit_interval_ms),
      editing: (replyTo) => (line.edits ? liveIn(line, this.to, replyTo) : undefined),
      mask: (text) => app.mask(text),
      room: () => line.platform?.max_message_length ?? 0,
      note: ({ sessionId, turnId }, messageId) => lanes.showing(turnKey(sessionId, turnId), messageId),
    });
    this.#progress = new ToolProgress({
      log: app.log,
      ways: () => (this.#unattended ? { mode: "off", previewLength: 0 } : chatProgress(app.config, line.plan.name)),
      toolOf: (name) => app.tools.get(name),
      mask: (text) => app.mask(text),
      editing: () => (line.edits ? liveIn(line, this.to) : undefined),
      note: (text) => this.say(text),
    });
    this.#life = new LifeSigns({
      log: app.log,
      limits: () => limitsOf(app),
      typing: () => line.typing(this.to),
      say: async (text) => (this.#unattended ? undefined : this.say(text)),
      interrupt: (reason) => this.interrupt(reason),
    });
  }

  get #unattended(): boolean {
    return this.#line.platform?.unattended === true;
  }

  get busy(): boolean {
    return this.#running > 0 || this.#worksOn || this.#batch.holds;
  }

  get #worksOn(): boolean {
    return this.#conversation.session?.busy === true || this.#commands.any;
  }

  /** Never rejects: reports errors in the chat. */
  take(received: ReceivedMessage): void {
    this.usedAt = Date.now();
    if (AT_ONCE.test(received.message.text)) return void this.#handle(received);
    this.#batch.take(received);
  }

  /**
   * Its author changed a message of this chat (`text`) or deleted it. A waiting message changes; a correction of the
   * message that is being answered is another message, and its deletion stops the turn.
   * @param correction Stores the correction as a message.
   */
  async revise(
    { id, state }: { readonly id: number; readonly state: "new" | "handed" | "done" },
    text: string | undefined,
    correction: () => Promise<void>,
  ): Promise<void> {
    if (state === "new" && !this.#batch.revise(id, text)) this.#revised.set(id, text);
    if (state !== "handed") return;
    if (text !== undefined) return correction();
    await this.interrupt("the user deleted the message");
  }

  /** Resumes messages that an earlier process had given to a session. None runs twice. */
  recover(received: readonly ReceivedMessage[]): void {
    const held = this.prompter.holdPresses();
    this.#intake = this.#intake.then(() =>
      recoverMessages(received, {
        app: this.#ports.app,
        lanes: this.#ports.lanes,
        to: this.to,
        conversation: this.#conversation,
        answers: this.#answers,
        signal: this.#ports.signal,
        send: (one) => this.#handle(one),
      })
        .finally(() => held[Symbol.asyncDispose]())
        .then(this.#ports.wake)
        .catch((cause: unknown) =>
          this.#ports.app.log.error(`Cannot resume the messages of the chat "${this.key}"; keeping them.`, {
            cause,
          }),
        ),
    );
  }

  /** Resumes a background session of an earlier process. Never rejects. */
  async resumeBackground(left: LeftBackground): Promise<void> {
    const { app } = this.#ports;
    const { scope, from } = left;
    await app.agents
      .resume(left, { opening: this.#conversation.options(), scope, from, announce: (end) => this.#announce(end) })
      .catch((cause: unknown) => app.log.error(`Cannot resume the background session "${left.id}".`, { cause }));
  }

  /** Sends a notice that is not the answer of a turn. */
  async say(
    text: string,
    key = `say:${this.key}:${Date.now()}:${process.pid}:${this.#said++}`,
    buttons: readonly PlatformButton[] = [],
  ): Promise<void> {
    await this.#ports.lanes.finish(undefined, {
      to: this.to,
      text,
      key,
      buttons: buttons.length === 0 ? undefined : buttons,
    });
    this.#ports.wake();
  }

  /** Stops the running turn and reports the reason in the chat. @returns whether a turn ran. */
  async interrupt(reason: string): Promise<boolean> {
    this.#commands.stop();
    const { session } = this.#conversation;
    if (session?.busy !== true) return false;
    await session.interrupt(reason);
    return true;
  }

  /** Closes an idle conversation; the next message reopens it. @returns whether the chat is idle. Never rejects. */
  rest(): Promise<boolean> {
    const rested = this.#intake
      .then(() => (this.busy ? undefined : this.#leave("shutdown")))
      .then(
        () => !this.busy && this.prompter.asks === undefined,
        (cause: unknown) => (this.#ports.app.log.error(`Cannot close the chat "${this.key}".`, { cause }), false),
      );
    this.#intake = rested.then(() => undefined);
    return rested;
  }

  async close(): Promise<void> {
    this.#batch.drop();
    await this.#intake;
    await this.#leave("shutdown");
  }

  /** Several messages that belong together become one before a session gets them. Never rejects. */
  async #handleAll(messages: readonly ReceivedMessage[]): Promise<void> {
    const current = messages.flatMap((one): readonly ReceivedMessage[] => {
      if (!this.#revised.has(one.id)) return [one];
      const text = this.#revised.get(one.id);
      this.#revised.delete(one.id);
      return text === undefined ? [] : [{ ...one, message: { ...one.message, text } }];
    });
    const [first] = current;
    if (first === undefined || this.#ports.signal.aborted) return;
    if (current.length === 1) return this.#handle(first);
    const message = joined(current.map((one) => one.message));
    const ids = current.map(({ id }) => id);
    const saved = await this.#ports.lanes.join(ids, message).then(
      () => true,
      (cause: unknown) => (this.#ports.app.log.error("Cannot join messages; answering each.", { cause }), false),
    );
    if (saved) return this.#handle({ ...first, message });
    for (const one of current) await this.#handle(one);
  }

  async #handle(received: ReceivedMessage): Promise<void> {
    const { lanes, app } = this.#ports;
    try {
      for (const { level, text } of await app.config.refresh()) app.log[level](text);
      await this.#reportConfig();
      // What a service sends never runs a command.
      if (isSlashCommand(received.message.text) && !this.#unattended) await this.#command(received);
      else await this.#send(received);
    } catch (cause) {
      this.#endIfUnattended();
      // The inbox keeps the message, and the next start resumes it.
      if (this.#ports.signal.aborted && cause === this.#ports.signal.reason) return;
      app.log.error(`Cannot accept a message of the chat "${this.key}".`, { cause });
      await lanes
        .finish(received.id, { to: this.to, key: `failed:${received.id}`, text: `⚠ ${sayable(cause)}` })
        .catch((error: unknown) => app.log.error("Cannot store the error message for the chat.", { cause: error }));
      this.#ports.wake();
    }
  }

  /** Reports to the owner, once for each mistake, that config.yaml has one and other settings are in force. */
  async #reportConfig(): Promise<void> {
    const notice = this.#ports.app.config.check().inForce;
    const before = this.#configReported;
    this.#configReported = notice?.text;
    if (notice === undefined || notice.text === before || this.#whose !== undefined) return;
    const { configText } = await import("../config-ticker.ts");
    await this.say(configText(notice));
  }

  async #send(received: ReceivedMessage): Promise<void> {
    // A message for a running turn needs no slot.
    const starts = !this.busy;
    const full = starts ? this.#ports.full() : undefined;
    if (full !== undefined) return this.#tooMany(received.id, full);
    // Count before the first await, so that simultaneous messages in other chats see this one.
    this.#running++;
    const slot = starts ? await this.#ports.slot(received.message) : undefined;
    const over = (): void => {
      this.#running--;
      slot?.[Symbol.dispose]();
    };
    // The inbox keeps the message, and the next start resumes it.
    if (this.#ports.signal.aborted) return over();
    const begun = await this.#begin(received).catch((cause: unknown) => {
      over();
      throw cause;
    });
    // Do not wait: the next message may belong to the turn that starts here.
    void begun.answered.finally(over).then(() => this.#endIfUnattended());
  }

  /** A chat without users has one message. */
  #endIfUnattended(): void {
    if (!this.#unattended || this.#ports.signal.aborted) return;
    void this.rest().then(() => this.#ports.ended());
  }

  /** Gives a message to the session of the chat. `answered` never rejects. */
  async #begin(received: ReceivedMessage): Promise<{ readonly answered: Promise<void> }> {
    const { lanes, app } = this.#ports;
    const { id, message } = received;
    const output =
      message.media_urls === undefined
        ? message
        : await (
            await import("./voice-messages.ts")
          ).withoutVoices(message, app, (text, nth) => this.say(text, `heard:${id}:${nth}`), this.#ports.signal);
    const parts = await messageParts(output, this.#line.plan.plugin, this.#shared);
    if (this.#running === 1 && !this.#worksOn) await this.#resetOld();
    const session = await this.#conversation.open();
    this.#conversation.speaks(session, message);
    await lanes.hand(id, session.id);
    await this.#conversation.note(session);
    this.#stream.asked(inputOf(id), message.message_id);
    const mode = session.busy ? busyModeOf(app, this.to.platform) : "queue";
    const sign = (state: WorkState): Promise<void> => this.#line.acknowledge(this.to.chatId, message.message_id, state);
    void sign("working");
    const answered = session
      .send(parts, { mode, inputId: inputOf(id) })
      .then(async (end) => {
        await this.#answers.toMessage(session, received, end);
        void sign(end.reason === "done" ? "done" : end.reason === "cancelled" ? "cancelled" : "failed");
      })
      .catch((cause: unknown) => {
        void sign("failed");
        return this.#answers.failed(received, cause);
      });
    return { answered };
  }

  /** Answers the message and does not queue it: the user decides whether to send it again. */
  async #tooMany(id: number, { running, most }: Crowd): Promise<void> {
    await this.#ports.lanes.finish(id, {
      to: this.to,
      key: `full:${id}`,
      text: `I am busy with other chats (${running} of at most ${most}). Try again later.`,
    });
    this.#ports.wake();
  }

  /** Starts a new conversation if `session_reset` ends the previous one. */
  async #resetOld(): Promise<void> {
    const { app, lanes } = this.#ports;
    const policy = resetPolicy(app);
    const known = policy.mode === "none" ? undefined : await lanes.chat(this.key);
    const why = known === undefined ? undefined : whyReset(policy, known.at, Date.now());
    if (why === undefined) return;
    await this.#leave("session_boundary");
    const session = await this.#conversation.open({ fresh: true });
    await this.#conversation.note(session);
    await app.hooks.sessionReset({ session_id: session.id, platform: this.to.platform, reason: "new_session" });
    if (policy.notify) await this.say(resetText(why, policy));
  }

  /** The idle time starts with the end of a turn. A failure here does not fail the answer. */
  async #noteEnd(session: Session): Promise<void> {
    if (this.#conversation.session !== session) return;
    await this.#conversation
      .note(session)
      .catch((cause: unknown) =>
        this.#ports.app.log.warning(`Cannot store when the chat "${this.key}" was last active.`, { cause }),
      );
  }

  async #command(received: ReceivedMessage): Promise<void> {
    const { lanes } = this.#ports;
    const session = await this.#conversation.open();
    this.#conversation.speaks(session, received.message);
    await lanes.hand(received.id, session.id);
    let turn: Promise<TurnEnd> | undefined;
    const { text } = await this.#commands.run(received.message.text.replace(/^(\/[\w-]+)@\S+/, "$1"), {
      ...chatHost(received.message, this.#hostPorts),
      notify: (line) => this.say(line),
      asInput: { inputId: inputOf(received.id), begun: (end) => (turn = end) },
    });
    if (turn !== undefined) return this.#answerBy(turn, received, text);
    await lanes.finish(received.id, text === "" ? undefined : { to: this.to, text, key: `command:${received.id}` });
    this.#ports.wake();
  }

  /** A command started a turn, which answers the command's message. */
  async #answerBy(turn: Promise<TurnEnd>, received: ReceivedMessage, text: string): Promise<void> {
    const session = this.#conversation.session!;
    this.#running++;
    void turn
      .then((end) => this.#answers.toMessage(session, received, end))
      .catch((cause: unknown) => this.#answers.failed(received, cause))
      .finally(() => this.#running--);
    if (text !== "") await this.say(text, `command:${received.id}`);
  }

  #noteGoal(session: Session, note: string, seq: number): void {
    const { app } = this.#ports;
    const failed = (cause: unknown): void => app.log.error("Cannot store a note about a goal for sending.", { cause });
    void this.say(app.mask(note), `goal:${session.id}:${seq}`).catch(failed);
    if (goalOf(session.state(GOAL_KEY))?.status !== "active") void app.agents.forgetGoal(session.id).catch(failed);
  }

  /** Continues the goal of a chat after a restart, if its session is still the current one. Never rejects. */
  async resumeGoal({ id }: PursuedGoal): Promise<void> {
    const { app, lanes } = this.#ports;
    const work = this.#intake.then(async () => {
      if ((await lanes.chat(this.key))?.sessionId !== id) return app.agents.forgetGoal(id);
      const session = await this.#conversation.openStored(id);
      if (goalOf(session.state(GOAL_KEY))?.status !== "active") return app.agents.forgetGoal(id);
      // Not awaited: the chat may get messages meanwhile.
      void session.resume().catch((cause: unknown) => app.log.error("A turn for a goal failed.", { cause }));
    });
    this.#intake = work.catch((cause: unknown) => app.log.error("Cannot continue the goal of a chat.", { cause }));
    await this.#intake;
  }

  /** The outbox sends what it has under this key once, so a result that is announced again is no second message. */
  async #announce(end: BackgroundEnd): Promise<void> {
    const { backgroundText } = await import("../../shared/commands/agents.ts");
    await this.say(this.#ports.app.mask(backgroundText(end)), `background:${end.id}`);
  }

  async #leave(reason: "session_boundary" | "shutdown"): Promise<void> {
    this.#life.stop();
    await Promise.all([this.#progress.end(), this.#stream.end()]);
    await this.#conversation.leave(reason);
  }

  #receive(session: Session, event: AgentEvent): void {
    this.#life.touch();
    this.#stream.receive(event);
    if (event.kind !== "fact") return;
    const { fact, seq } = event.recorded;
    const note = goalNote(fact);
    if (note !== undefined) this.#noteGoal(session, note, seq);
    this.#life.onFact(fact);
    this.#progress.onFact(fact);
    if (fact.type === "turn.ended") void this.#progress.end();
    this.#answers.onFact(session.id, fact);
    if (fact.type === "message.added" && isOfInbox(fact.inputId)) this.#ours.add(fact.turnId);
    // A process or a plugin started this turn; the chat gets its answer too.
    if (fact.type === "turn.ended" && !this.#ours.delete(fact.turnId))
      void this.#answers
        .toChat(session, fact.turnId)
        .catch((cause: unknown) =>
          this.#ports.app.log.error("Cannot store the answer of a turn for sending.", { cause }),
        );
  }
}

export function addressOf(platform: string, { chat_id, thread_id }: PlatformMessage): ChatAddress {
  return { platform, chatId: chat_id, threadId: thread_id === undefined || thread_id === "" ? undefined : thread_id };
}

function limitsOf({ config }: Pick<App, "config">): { readonly endMs: number; readonly warnMs: number } {
  return {
    endMs: Number(config.get("agent.gateway_timeout") ?? 0) * 1000,
    warnMs: Number(config.get("agent.gateway_timeout_warning") ?? 0) * 1000,
  };
}
