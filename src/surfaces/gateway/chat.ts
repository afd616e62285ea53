import type { App } from "../../contract/app.ts";
import type { AgentEvent, Recorded } from "../../contract/fact.ts";
import type { ChatAddress, ChatLanes, ReceivedMessage } from "../../contract/gateway-desk.ts";
import { UserError } from "../../contract/failure.ts";
import type { PlatformButton, PlatformMessage } from "../../contract/platform.ts";
import type { Session, TurnEnd } from "../../contract/session.ts";
import { busyModeOf } from "../busy-mode.ts";
import { isSlashCommand } from "../commands/run-slash-command.ts";
import { RunningCommands } from "../commands/running-commands.ts";
import type { SlashHost } from "../commands/slash-host.ts";
import { commandAccess, mayRun, whoami, type CommandAccess } from "./command-access.ts";
import { ChatPerson } from "./chat-person.ts";
import { messageParts } from "./message-parts.ts";
import type { PlatformLine } from "./platform-line.ts";
import { inGroup } from "./session-key.ts";
import { SilenceWatch } from "./silence-watch.ts";
import { answerOf, endByFacts, inputByFacts } from "./turn-answer.ts";

export interface ChatPorts {
  readonly app: App;
  readonly lanes: ChatLanes;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Something waits to be sent. */
  wake(): void;
  /** Sends again to this chat what may not have arrived. */
  again(to: ChatAddress): Promise<number>;
}

const TYPING_MS = 4_000;
/** Commands that do not wait for what was sent before them. */
const AT_ONCE = /^\/(stop|approve|deny|status|help)\b/i;

/** One conversation of a chat: its session, whose turns answer it, and its person, who can be asked there. */
export class Chat {
  readonly key: string;
  readonly to: ChatAddress;
  readonly person: ChatPerson;
  readonly #line: PlatformLine;
  readonly #shared: boolean;
  /** Others read what is said here. */
  readonly #inGroup: boolean;
  readonly #ports: ChatPorts;
  readonly #commands = new RunningCommands();
  /** What came is taken in one after the other; turns run beside it. */
  #intake: Promise<void> = Promise.resolve();
  #session: Session | undefined;
  #opening: Promise<Session> | undefined;
  #listening: Disposable | undefined;
  #typing: NodeJS.Timeout | undefined;
  /** Turns that one of our messages began; their answers are given where they were sent. */
  readonly #ours = new Set<string>();
  readonly #silence = new SilenceWatch(() => this.#limits(), (kind, ms) => this.#silent(kind, ms));
  /** The call that runs, for whoever wonders what takes so long. */
  #tool: string | undefined;
  #running = 0;
  #said = 0;
  usedAt = Date.now();

  constructor(key: string, line: PlatformLine, first: PlatformMessage, shared: boolean, ports: ChatPorts) {
    this.key = key;
    this.to = addressOf(line.plan.name, first);
    this.#line = line;
    this.#shared = shared;
    this.#inGroup = inGroup(first);
    this.#ports = ports;
    this.person = new ChatPerson((text, buttons) => this.say(text, undefined, buttons), (waiting) => this.#personWaits(waiting));
  }

  get busy(): boolean {
    return this.#running > 0 || this.#session?.busy === true || this.#commands.any;
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
    if (this.#session?.busy !== true) return false;
    await this.#session.interrupt(reason);
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
    const { lanes, app } = this.#ports;
    const { id, message } = received;
    const parts = await messageParts(message, this.#line.plan.plugin, this.#shared);
    const session = await this.#open();
    this.#speaks(session, message);
    await lanes.hand(id, session.id);
    await lanes.noteChat({ sessionKey: this.key, sessionId: session.id, at: Date.now() });
    const mode = session.busy ? busyModeOf(app, this.to.platform) : "queue";
    this.#running++;
    // Not waited for: what comes next may be meant for the turn that begins here.
    void session
      .send(parts, { mode, inputId: inputOf(id) })
      .then((end) => this.#answered(session, received, end))
      .catch((cause: unknown) => this.#unanswered(received, cause))
      .finally(() => this.#running--);
  }

  async #answered(session: Session, { id, message }: ReceivedMessage, end: Omit<TurnEnd, "usage" | "requests" | "toolCalls">): Promise<void> {
    const text = answerOf(end);
    await this.#ports.lanes.finish(id, text === undefined ? undefined : { to: this.to, text, key: turnKey(session.id, end.turnId), ...(message.message_id === undefined ? {} : { replyTo: message.message_id }) });
    this.#ports.wake();
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
    const session = await this.#open();
    this.#speaks(session, received.message);
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
      session: () => this.#session!,
      switchSession: async ({ sessionId, model }) => {
        await this.#session?.interrupt("another session was opened");
        await this.#leave("session_boundary");
        const session = await this.#open({ fresh: true, ...(sessionId === undefined ? {} : { sessionId }), ...(model === undefined ? {} : { model }) });
        this.#speaks(session, message);
        await this.#ports.lanes.noteChat({ sessionKey: this.key, sessionId: session.id, at: Date.now() });
      },
      chat: {
        decide: (verdict, args) => this.person.decide(verdict, args),
        whoami: () => whoami(message, this.#access(message)),
        mayRun: (command) => mayRun(this.#access(message), command),
        again: async () => ((await this.#ports.again(this.to)) === 0 ? "There is nothing to send again." : ""),
      },
    };
  }

  #access(message: PlatformMessage): CommandAccess {
    return commandAccess(this.#line.plan.settings.extra, message);
  }

  /** The session the chat is in; opened once, however many ask. */
  #open(how: Opening = {}): Promise<Session> {
    if (how.fresh !== true && this.#opening !== undefined) return this.#opening;
    const opening = this.#openNow(how);
    this.#opening = opening;
    opening.catch(() => this.#opening === opening && (this.#opening = undefined));
    return opening;
  }

  async #openNow(how: Opening): Promise<Session> {
    const { app, lanes, cwd } = this.#ports;
    const known = how.fresh === true ? undefined : (await lanes.chat(this.key))?.sessionId;
    const wanted = how.sessionId ?? (known !== undefined && (await isStored(app, known)) ? known : undefined);
    const place = [this.#line.plan.hint, this.#shared ? "Several people write in this conversation. Each message begins with its writer's name in brackets." : ""].filter((line) => line !== "").join("\n");
    const session = await app.openSession({ surface: this.to.platform, cwd, person: this.person, place, ...(this.#inGroup ? AMONG_OTHERS : {}), ...(wanted === undefined ? {} : { sessionId: wanted }), ...(how.model === undefined ? {} : { model: how.model }) });
    this.#session = session;
    this.#listening = session.subscribe((event) => this.#hear(session, event));
    return session;
  }

  async #leave(reason: "session_boundary" | "shutdown"): Promise<void> {
    const session = await this.#opening?.catch(() => undefined);
    this.#session = this.#opening = undefined;
    this.#stopTyping();
    this.#silence.stop();
    await session?.close(reason);
    this.#listening?.[Symbol.dispose]();
  }

  #speaks(session: Session, message: PlatformMessage): void {
    this.#ports.app.hooks.speaks(session.id, { user_id: message.user_id ?? "", chat_id: message.chat_id, thread_id: message.thread_id ?? "", chat_type: message.chat_type ?? "dm", session_key: this.key });
  }

  #hear(session: Session, event: AgentEvent): void {
    this.#silence.touch();
    if (event.kind !== "fact") return;
    const { fact } = event.recorded;
    if (fact.type === "turn.started") {
      this.#startTyping();
      this.#silence.start();
    }
    if (fact.type === "tool.called") this.#tool = fact.tool;
    if (fact.type === "tool.settled") this.#tool = undefined;
    if (fact.type === "message.added" && fact.inputId?.startsWith(INPUT) === true) this.#ours.add(fact.turnId);
    if (fact.type !== "turn.ended") return;
    this.#stopTyping();
    this.#silence.stop();
    // A turn that a process or a plugin began: its answer belongs here as well.
    if (!this.#ours.delete(fact.turnId)) void this.#tellEnd(session.id, fact.turnId).catch((cause: unknown) => this.#ports.app.log.error("The answer of a turn could not be kept for sending.", { cause }));
  }

  async #tellEnd(sessionId: string, turnId: string): Promise<void> {
    const end = endByFacts(await this.#facts(sessionId), turnId);
    const text = end === undefined ? undefined : answerOf(end);
    if (text !== undefined) await this.say(text, turnKey(sessionId, turnId));
  }

  async #recover(received: readonly ReceivedMessage[]): Promise<void> {
    const { lanes, app } = this.#ports;
    const sessionId = received[0]!.sessionId!;
    for (const { id } of received.filter(({ message }) => isSlashCommand(message.text))) {
      await lanes.finish(id, { to: this.to, key: `command:${id}`, text: "I was stopped while I carried out your command and cannot tell whether it was done." });
    }
    const messages = received.filter(({ message }) => !isSlashCommand(message.text));
    if (messages.length > 0) {
      const session = await this.#open((await isStored(app, sessionId)) ? { sessionId } : {});
      for (const one of messages) this.#speaks(session, one.message);
      const ends = new Map<string, TurnEnd>();
      for (let end = await session.resume(); end !== undefined; end = await session.resume()) ends.set(end.turnId, end);
      const facts = session.id === sessionId ? await this.#facts(sessionId) : [];
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

  async #facts(sessionId: string): Promise<readonly Recorded[]> {
    return Array.fromAsync(this.#ports.app.sessions.facts(sessionId));
  }

  #limits(): { readonly endMs: number; readonly warnMs: number } {
    const { config } = this.#ports.app;
    return { endMs: Number(config.get("agent.gateway_timeout") ?? 0) * 1000, warnMs: Number(config.get("agent.gateway_timeout_warning") ?? 0) * 1000 };
  }

  #silent(kind: "quiet" | "over", silentMs: number): void {
    const { app } = this.#ports;
    const where = `nothing has happened for ${spoken(silentMs)}${this.#tool === undefined ? "" : `; ${this.#tool} runs`}`;
    const told = kind === "quiet" ? this.say(`⏳ I am still at it, but ${where}. /stop ends it.`) : this.say(`⚠ I stopped what I was doing: ${where}.`).then(() => this.interrupt("it gave no sign of life for too long"));
    told.catch((cause: unknown) => app.log.error("A turn that gives no sign of life could not be dealt with.", { cause }));
  }

  /** A person's time to think is not the turn's. */
  #personWaits(waiting: boolean): void {
    if (waiting) {
      this.#stopTyping();
      return this.#silence.stop();
    }
    if (this.#session?.busy !== true) return;
    this.#startTyping();
    this.#silence.start();
  }

  #startTyping(): void {
    if (this.#typing !== undefined || this.person.asks !== undefined) return;
    const show = (): void => void this.#line.typing(this.to.chatId).catch(() => undefined); // Only a sign of life.
    show();
    this.#typing = setInterval(show, TYPING_MS).unref();
  }

  #stopTyping(): void {
    clearInterval(this.#typing);
    this.#typing = undefined;
  }
}

/** What the agent remembers of its person, and what was said elsewhere, is not for everybody in a room. */
const AMONG_OTHERS = { ignoreMemory: true, toolsets: { disabled: ["memory", "session_search"] } } as const;

interface Opening {
  /** Another session than the one the chat is in. */
  readonly fresh?: true;
  readonly sessionId?: string;
  readonly model?: { readonly name?: string; readonly provider?: string };
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

function spoken(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}

/** A conversation may have been deleted since, or never have got its first fact. */
async function isStored(app: App, sessionId: string): Promise<boolean> {
  for await (const _ of app.sessions.facts(sessionId)) return true;
  return false;
}

function sayable(cause: unknown): string {
  if (!(cause instanceof UserError)) return `Something went wrong here: ${cause instanceof Error ? cause.message : String(cause)}`;
  return cause.hint === undefined ? cause.message : `${cause.message} ${cause.hint}`;
}
