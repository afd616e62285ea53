import type { App } from "../../contract/app.ts";
import type { AgentEvent } from "../../contract/fact.ts";
import type { ChatAddress, ChatLanes, ReceivedMessage } from "../../contract/gateway-desk.ts";
import { UserError } from "../../contract/failure.ts";
import type { PlatformButton, PlatformMessage } from "../../contract/platform.ts";
import type { Session, TurnEnd } from "../../contract/session.ts";
import { busyModeOf } from "../busy-mode.ts";
import { isSlashCommand } from "../commands/run-slash-command.ts";
import { RunningCommands } from "../commands/running-commands.ts";
import type { SlashHost } from "../commands/slash-host.ts";
import { ChatConversation } from "./chat-conversation.ts";
import { ChatPerson } from "./chat-person.ts";
import { commandAccess, mayRun, whoami, type CommandAccess } from "./command-access.ts";
import { LifeSigns } from "./life-signs.ts";
import { messageParts } from "./message-parts.ts";
import type { PlatformLine } from "./platform-line.ts";
import { RunFigures } from "./run-figures.ts";
import { inGroup } from "./session-key.ts";
import { resetPolicy, resetText, whyReset } from "./session-reset.ts";
import { answerOf, endByFacts, inputByFacts } from "./turn-answer.ts";

/** As many chats are worked for as the settings allow. */
interface Crowd {
  readonly running: number;
  readonly most: number;
}

export interface ChatPorts {
  readonly app: App;
  readonly lanes: ChatLanes;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** No other chat may begin a turn now. */
  full(): Crowd | undefined;
  /** Something waits to be sent. */
  wake(): void;
  /** Sends again to this chat what may not have arrived. */
  again(to: ChatAddress): Promise<number>;
}

/** Commands that do not wait for what was sent before them. */
const AT_ONCE = /^\/(stop|approve|deny|status|help)\b/i;

/** One conversation of a chat: its session, whose turns answer it, and its person, who can be asked there. */
export class Chat {
  readonly key: string;
  readonly to: ChatAddress;
  readonly person: ChatPerson;
  readonly #line: PlatformLine;
  readonly #shared: boolean;
  readonly #whose: string | undefined;
  readonly #ports: ChatPorts;
  readonly #commands = new RunningCommands();
  /** What came is taken in one after the other; turns run beside it. */
  #intake: Promise<void> = Promise.resolve();
  readonly #conversation: ChatConversation;
  readonly #life: LifeSigns;
  readonly #figures = new RunFigures();
  /** Turns that one of our messages began; their answers are given where they were sent. */
  readonly #ours = new Set<string>();
  #running = 0;
  #said = 0;
  usedAt = Date.now();

  /** @param about.whose Absent: it is the owner's. */
  constructor(key: string, line: PlatformLine, { first, shared, whose }: { readonly first: PlatformMessage; readonly shared: boolean; readonly whose: string | undefined }, ports: ChatPorts) {
    this.key = key;
    this.to = addressOf(line.plan.name, first);
    this.#line = line;
    this.#shared = shared;
    this.#whose = whose;
    this.#ports = ports;
    const { app, lanes, cwd } = ports;
    this.person = new ChatPerson((text, buttons) => this.say(text, undefined, buttons), (waiting) => this.#life.personWaits(waiting, this.#conversation.session?.busy === true));
    this.#conversation = new ChatConversation(app, lanes, { key, plan: line.plan, cwd, person: this.person, shared, whose, inGroup: inGroup(first) }, (session, event) => this.#hear(session, event));
    this.#life = new LifeSigns({ log: app.log, limits: () => limitsOf(app), typing: () => line.typing(this.to.chatId), say: (text) => this.say(text), interrupt: (reason) => this.interrupt(reason) });
  }

  get busy(): boolean {
    return this.#running > 0 || this.#worksOn;
  }

  get #worksOn(): boolean {
    return this.#conversation.session?.busy === true || this.#commands.any;
  }

  /** Never fails: what goes wrong is told in the chat. */
  take(received: ReceivedMessage): void {
    this.usedAt = Date.now();
    if (AT_ONCE.test(received.message.text)) return void this.#handle(received);
    this.#intake = this.#intake.then(() => this.#handle(received));
  }

  /** Messages that a former process had handed to a session: each goes on from where it stood, and none is run a second time. */
  recover(received: readonly ReceivedMessage[]): void {
    this.#intake = this.#intake.then(() => this.#recover(received).catch((cause: unknown) => this.#ports.app.log.error(`What was begun in the chat "${this.key}" could not be carried on; it is kept.`, { cause })));
  }

  /** A text of the agent's own, beside the answers of turns. */
  async say(text: string, key = `say:${this.key}:${Date.now()}:${process.pid}:${this.#said++}`, buttons: readonly PlatformButton[] = []): Promise<void> {
    await this.#ports.lanes.finish(undefined, { to: this.to, text, key, ...(buttons.length === 0 ? {} : { buttons }) });
    this.#ports.wake();
  }

  /** Stops what runs; the reason is told in the chat. @returns whether anything ran. */
  async interrupt(reason: string): Promise<boolean> {
    this.#commands.stop();
    const { session } = this.#conversation;
    if (session?.busy !== true) return false;
    await session.interrupt(reason);
    return true;
  }

  /** Lets go of a conversation that nobody goes on with now; the next message takes it up again. */
  rest(): void {
    this.#intake = this.#intake.then(() => (this.busy ? undefined : this.#leave("shutdown"))).catch((cause: unknown) => this.#ports.app.log.error(`The chat "${this.key}" could not be closed.`, { cause }));
  }

  async close(): Promise<void> {
    await this.#intake;
    await this.#leave("shutdown");
  }

  async #handle(received: ReceivedMessage): Promise<void> {
    const { lanes, app } = this.#ports;
    try {
      if (isSlashCommand(received.message.text)) await this.#command(received);
      else await this.#send(received);
    } catch (cause) {
      app.log.error(`A message of the chat "${this.key}" could not be taken in.`, { cause });
      await lanes.finish(received.id, { to: this.to, key: `failed:${received.id}`, text: `⚠ ${sayable(cause)}` }).catch((error: unknown) => app.log.error("What went wrong could not be written down.", { cause: error }));
      this.#ports.wake();
    }
  }

  async #send(received: ReceivedMessage): Promise<void> {
    const full = this.busy ? undefined : this.#ports.full();
    if (full !== undefined) return this.#tooMany(received.id, full);
    // Counted from here on: of those that come at the same moment in other chats, each finds this one at work.
    this.#running++;
    const begun = await this.#begin(received).catch((cause: unknown) => {
      this.#running--;
      throw cause;
    });
    // Not waited for: what comes next may be meant for the turn that begins here.
    void begun.answered.finally(() => this.#running--);
  }

  /** Hands a message to the session of the chat. `answered` never rejects. */
  async #begin(received: ReceivedMessage): Promise<{ readonly answered: Promise<void> }> {
    const { lanes, app } = this.#ports;
    const { id, message } = received;
    const said = message.media_urls === undefined ? message : await (await import("./voice-messages.ts")).withoutVoices(message, app, (text, nth) => this.say(text, `heard:${id}:${nth}`));
    const parts = await messageParts(said, this.#line.plan.plugin, this.#shared);
    if (this.#running === 1 && !this.#worksOn) await this.#resetOld();
    const session = await this.#conversation.open();
    this.#conversation.speaks(session, message);
    await lanes.hand(id, session.id);
    await this.#conversation.note(session);
    const mode = session.busy ? busyModeOf(app, this.to.platform) : "queue";
    const answered = session
      .send(parts, { mode, inputId: inputOf(id) })
      .then((end) => this.#answered(session, received, end))
      .catch((cause: unknown) => this.#unanswered(received, cause));
    return { answered };
  }

  /** It is answered, and not kept for later: whoever wrote it decides whether it still matters then. */
  async #tooMany(id: number, { running, most }: Crowd): Promise<void> {
    await this.#ports.lanes.finish(id, { to: this.to, key: `full:${id}`, text: `I am at work in ${running} of at most ${most} chats. Write again in a while.` });
    this.#ports.wake();
  }

  /** Begins another conversation where the settings say that the one before is over. */
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

  async #answered(session: Session, { id, message }: ReceivedMessage, end: Omit<TurnEnd, "usage" | "requests" | "toolCalls">): Promise<void> {
    const text = await this.#answer(session, end);
    await this.#noteEnd(session);
    await this.#ports.lanes.finish(id, text === undefined ? undefined : { to: this.to, text, key: turnKey(session.id, end.turnId), ...(message.message_id === undefined ? {} : { replyTo: message.message_id }) });
    this.#ports.wake();
  }

  /** A pause begins with the end of a turn, not with the message that began it. An answer does not fail for it. */
  async #noteEnd(session: Session): Promise<void> {
    if (this.#conversation.session !== session) return;
    await this.#conversation.note(session).catch((cause: unknown) => this.#ports.app.log.warning(`When the chat "${this.key}" was last at work could not be noted.`, { cause }));
  }

  async #answer(session: Session, end: Pick<TurnEnd, "reason" | "text" | "detail">): Promise<string | undefined> {
    const text = answerOf(end);
    return text === undefined ? undefined : this.#figures.under(text, this.#ports.app, this.to.platform, session);
  }

  /** A session that was closed keeps the message, and so does the inbox: the next start goes on with it. */
  async #unanswered({ id }: ReceivedMessage, cause: unknown): Promise<void> {
    const { app, lanes, signal } = this.#ports;
    if (signal.aborted) return;
    app.log.error(`A turn of the chat "${this.key}" failed.`, { cause });
    await lanes.finish(id, { to: this.to, key: `failed:${id}`, text: `⚠ ${sayable(cause)}` }).catch((error: unknown) => app.log.error("What went wrong could not be written down.", { cause: error }));
    this.#ports.wake();
  }

  async #command(received: ReceivedMessage): Promise<void> {
    const { lanes } = this.#ports;
    const session = await this.#conversation.open();
    this.#conversation.speaks(session, received.message);
    await lanes.hand(received.id, session.id);
    const { text } = await this.#commands.run(received.message.text.replace(/^(\/[\w-]+)@\S+/, "$1"), this.#host(received.message));
    await lanes.finish(received.id, text === "" ? undefined : { to: this.to, text, key: `command:${received.id}` });
    this.#ports.wake();
  }

  #host(message: PlatformMessage): SlashHost {
    const { app, signal } = this.#ports;
    return {
      app,
      surface: this.to.platform,
      signal,
      session: () => this.#conversation.session!,
      switchSession: async ({ sessionId, model }) => {
        await this.#conversation.session?.interrupt("another session was opened");
        await this.#leave("session_boundary");
        const session = await this.#conversation.open({ fresh: true, ...(sessionId === undefined ? {} : { sessionId }), ...(model === undefined ? {} : { model }) });
        this.#conversation.speaks(session, message);
        await this.#conversation.note(session);
      },
      chat: {
        decide: (verdict, args) => this.person.decide(verdict, args),
        ...(this.#whose === undefined ? {} : { whose: this.#whose }),
        whoami: () => `${whoami(message, this.#access(message))}${this.#whose === undefined ? "" : " Of earlier conversations only those are seen here that belong here; what I remember is my owner's (allow_admin_from names them)."}`,
        mayRun: (command) => mayRun(this.#access(message), command),
        again: async () => ((await this.#ports.again(this.to)) === 0 ? "There is nothing to send again." : ""),
      },
    };
  }

  #access(message: PlatformMessage): CommandAccess {
    return commandAccess(this.#line.plan.settings.extra, message);
  }

  async #leave(reason: "session_boundary" | "shutdown"): Promise<void> {
    this.#life.stop();
    await this.#conversation.leave(reason);
  }

  #hear(session: Session, event: AgentEvent): void {
    this.#life.touch();
    if (event.kind !== "fact") return;
    const { fact } = event.recorded;
    this.#life.onFact(fact);
    this.#figures.onFact(session.id, fact);
    if (fact.type === "message.added" && fact.inputId?.startsWith(INPUT) === true) this.#ours.add(fact.turnId);
    // A turn that a process or a plugin began: its answer belongs here as well.
    if (fact.type === "turn.ended" && !this.#ours.delete(fact.turnId)) void this.#tellEnd(session, fact.turnId).catch((cause: unknown) => this.#ports.app.log.error("The answer of a turn could not be kept for sending.", { cause }));
  }

  async #tellEnd(session: Session, turnId: string): Promise<void> {
    const end = endByFacts(await this.#conversation.facts(session.id), turnId);
    const text = end === undefined ? undefined : await this.#answer(session, end);
    await this.#noteEnd(session);
    if (text !== undefined) await this.say(text, turnKey(session.id, turnId));
  }

  async #recover(received: readonly ReceivedMessage[]): Promise<void> {
    const { lanes, app } = this.#ports;
    const sessionId = received[0]!.sessionId!;
    for (const { id } of received.filter(({ message }) => isSlashCommand(message.text))) {
      await lanes.finish(id, { to: this.to, key: `command:${id}`, text: "I was stopped while I carried out your command and cannot tell whether it was done." });
    }
    const messages = received.filter(({ message }) => !isSlashCommand(message.text));
    if (messages.length > 0) {
      const session = await this.#conversation.open((await this.#conversation.isStored(sessionId)) ? { sessionId } : {});
      for (const one of messages) this.#conversation.speaks(session, one.message);
      const ends = new Map<string, TurnEnd>();
      for (let end = await session.resume(); end !== undefined; end = await session.resume()) ends.set(end.turnId, end);
      const facts = session.id === sessionId ? await this.#conversation.facts(sessionId) : [];
      for (const one of messages) {
        const input = inputByFacts(facts, inputOf(one.id));
        const end = typeof input === "string" ? undefined : (ends.get(input.turnId) ?? endByFacts(facts, input.turnId));
        if (input === "unknown") await this.#send(one);
        else if (end === undefined || typeof input === "string") app.log.error("A message that was handed to a session has got no turn; it is kept.", { inbox: one.id, session: sessionId });
        else await this.#answered(session, one, { ...end, turnId: input.turnId });
      }
    }
    this.#ports.wake();
  }
}

export function addressOf(platform: string, { chat_id, thread_id }: PlatformMessage): ChatAddress {
  return { platform, chatId: chat_id, ...(thread_id === undefined || thread_id === "" ? {} : { threadId: thread_id }) };
}

const INPUT = "inbox_";

function inputOf(id: number): string {
  return `${INPUT}${id}`;
}

function turnKey(sessionId: string, turnId: string): string {
  return `turn:${sessionId}:${turnId}`;
}

function limitsOf({ config }: Pick<App, "config">): { readonly endMs: number; readonly warnMs: number } {
  return { endMs: Number(config.get("agent.gateway_timeout") ?? 0) * 1000, warnMs: Number(config.get("agent.gateway_timeout_warning") ?? 0) * 1000 };
}

function sayable(cause: unknown): string {
  if (!(cause instanceof UserError)) return `Something went wrong here: ${cause instanceof Error ? cause.message : String(cause)}`;
  return cause.hint === undefined ? cause.message : `${cause.message} ${cause.hint}`;
}
