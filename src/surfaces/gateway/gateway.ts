import type { App } from "../../contract/services/app.ts";
import type { ChatLanes, GatewayService, ReceivedMessage } from "../../contract/services/gateway-service.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import type { PlatformMessage } from "../../contract/providers/platform.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { LeftBackground } from "../../contract/services/agent-service.ts";
import { authorise, hasAllowlist, type AccessRules } from "./access/authorize.ts";
import { addressOf, Chat, type ChatPorts } from "./chats/chat.ts";
import type { WebhookListener } from "../../contract/providers/webhook-route.ts";
import { ChannelDirectory } from "./platforms/channel-directory.ts";
import { ChatLoad } from "./chats/chat-load.ts";
import { chatCommands } from "./chats/chat-commands.ts";
import { commandAccess, mayRun } from "./access/command-access.ts";
import { IdleCollector } from "./idle-collector.ts";
import { OpenChats } from "../shared/conversation/open-chats.ts";
import { Outbox } from "./platforms/outbox.ts";
import { Pairing } from "../shared/gateway/pairing.ts";
import { PlatformLine } from "./platforms/platform-connection.ts";
import type { PlatformPlan } from "../shared/gateway/platform-plans.ts";
import { whoseChat } from "./access/chat-user.ts";
import { inGroup, isShared, sessionKey, type KeyRules } from "./chats/session-key.ts";

export interface GatewayPorts {
  readonly app: App;
  readonly service: GatewayService;
  readonly lanes: ChatLanes;
  /** Where conversations begin. */
  readonly cwd: string;
  /** The platforms whose settings are complete. */
  readonly plans: readonly PlatformPlan[];
  readonly timing: { readonly connectMs: number; readonly retryMs: number };
  /** Where services push to. */
  readonly webhooks?: WebhookListener;
  /** Receives the platforms when one connects or loses its connection. */
  changed(lines: readonly PlatformLine[]): void;
}

const RETENTION_MS = 7 * 86_400_000;
const SWEEP_MS = 60_000;
/** How often to look for outbox messages from other processes of this home. */
const PULL_MS = 2_000;
const DIRECTORY_MS = 300_000;

/** Serves chats: messages in, a session for each conversation, answers out. */
export class Gateway {
  readonly #ports: GatewayPorts;
  readonly #lines: readonly PlatformLine[];
  readonly #chats = new OpenChats<Chat>(() => Date.now());
  readonly #outbox: Outbox;
  readonly #load = new ChatLoad();
  readonly #directory: ChannelDirectory;
  readonly #pairing: Pairing;
  readonly #stop = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #collector = new IdleCollector(() => this.busyChats > 0);
  /** New messages wait until the messages of an earlier run are resumed. */
  readonly #restored = Promise.withResolvers<void>();

  constructor(ports: GatewayPorts) {
    this.#ports = ports;
    const { app, lanes, timing } = ports;
    this.#pairing = new Pairing(app.home);
    this.#directory = new ChannelDirectory(app.home, app.log);
    this.#lines = ports.plans.map(
      (plan) =>
        new PlatformLine(plan, {
          log: app.log,
          ...timing,
          message: (line, message) => this.#receive(line, message),
          welcome: (line, message) => authorise(message, this.#accessRules(line)).allowed,
          commands: () => chatCommands(app),
          webhooks: ports.webhooks,
          changed: () => this.#changed(),
        }),
    );
    this.#outbox = new Outbox({
      lanes,
      log: app.log,
      retryMs: timing.retryMs,
      release: (files) => ports.service.files.release(files),
      line: (platform) => this.#lines.find(({ plan }) => plan.name === platform),
    });
  }

  get lines(): readonly PlatformLine[] {
    return this.#lines;
  }

  get busyChats(): number {
    return this.#chats.busy;
  }

  /** Resolves when every platform has tried to connect once. */
  async start(): Promise<void> {
    const { app, lanes, service } = this.#ports;
    await lanes.prune(Date.now() - RETENTION_MS);
    await service.files.prune(Date.now() - RETENTION_MS);
    // Must come before this run sends anything.
    await this.#outbox.start();
    // A slow platform must not delay the others.
    const tried = Promise.all(this.#lines.map((line) => line.start()));
    await this.#restore(await lanes.unfinished());
    await this.#restoreBackground();
    this.#restored.resolve();
    this.#timers.push(
      setInterval(() => void this.#outbox.wake(), PULL_MS),
      setInterval(() => void this.#chats.sweep(), SWEEP_MS),
      setInterval(() => void this.#directory.refresh(this.#lines), DIRECTORY_MS),
    );
    await tried;
    void this.#directory.refresh(this.#lines);
    app.hooks.emit("gateway:startup", {
      platforms: this.#lines.filter(({ state }) => state === "connected").map(({ plan }) => plan.name),
    });
  }

  /**
   * Accepts no more messages, waits for running turns, interrupts those that take longer, and sends the remaining
   * answers.
   * @param drainMs How long to wait for running turns.
   */
  async stop(drainMs: number): Promise<void> {
    this.#stop.abort();
    for (const timer of this.#timers) clearInterval(timer);
    this.#collector[Symbol.dispose]();
    const until = performance.now() + drainMs;
    while (this.busyChats > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
    for (const chat of this.#chats.all) {
      if (await chat.interrupt("the gateway stops"))
        await chat.say("⚠ I am shutting down and interrupted this turn. Write again when I am back.");
    }
    await Promise.allSettled(this.#chats.all.map((chat) => chat.close()));
    await this.#outbox.wake();
    await this.#outbox.stop();
    await Promise.allSettled(this.#lines.map((line) => line.stop()));
  }

  #changed(): void {
    this.#ports.changed(this.#lines);
    void this.#outbox.wake();
  }

  /** Resolves when the message is stored or refused. */
  async #receive(line: PlatformLine, given: PlatformMessage): Promise<void> {
    const { app, lanes } = this.#ports;
    await this.#restored.promise;
    const verdict = await app.hooks.beforeDispatch(eventOf(line.plan.name, given));
    if (verdict.action === "skip") return;
    const message = asTypedHere(verdict.action === "rewrite" ? { ...given, text: verdict.text } : given, line);
    if (!(await this.#letIn(line, message))) return;
    const rules = this.#keyRules();
    const key = sessionKey(line.plan.name, message, rules);
    if (message.edits !== undefined || message.deletes !== undefined) return this.#revise(line, message);
    // Before it is stored: a message that is refused here was not accepted.
    this.#load.opens(line, key, message);
    const chat = this.#chat(key, line, message, isShared(message, rules));
    if (message.pressed !== undefined) return this.#press(chat, line, key, message);
    // An open question uses the text; store only the message id.
    const mayAnswer =
      chat.prompter.asks !== "approval" || mayRun(commandAccess(line.plan.settings.extra, message), "approve");
    if (chat.prompter.asks !== undefined && mayAnswer && !message.text.startsWith("/")) {
      const saved = await lanes.receive({
        platform: line.plan.name,
        sessionKey: key,
        message,
        done: chat.prompter.asks === "text" ? true : undefined,
      });
      if (saved === "duplicate") return;
      if (chat.prompter.take(message.text)) return void (await lanes.finish(saved));
      return chat.take({ id: saved, platform: line.plan.name, sessionKey: key, message });
    }
    const id = await lanes.receive({ platform: line.plan.name, sessionKey: key, message });
    if (id === "duplicate") this.#load.ended(line, key);
    // A message that arrives while the gateway stops waits for the next start.
    if (id !== "duplicate" && !this.#stop.signal.aborted)
      chat.take({ id, platform: line.plan.name, sessionKey: key, message });
  }

  /** A user changed or deleted a message. A change of an unknown message is a new message that came late. */
  async #revise(line: PlatformLine, { edits, deletes, ...message }: PlatformMessage): Promise<void> {
    const { name: platform } = line.plan;
    const text = deletes === undefined ? message.text : undefined;
    const messageId = deletes ?? edits ?? "";
    const known = await this.#ports.lanes.revise({ platform, chatId: message.chat_id, messageId }, text);
    if (known === undefined)
      return text === undefined ? undefined : this.#receive(line, { ...message, message_id: messageId });
    const rules = this.#keyRules();
    const chat = this.#chats.find(sessionKey(platform, message, rules));
    await chat?.revise(known, text, () =>
      this.#receive(line, { ...message, text: `(Correction of my message) ${message.text}`, message_id: undefined }),
    );
  }

  /** A closed question, or one of another chat, ignores its buttons. */
  async #press(chat: Chat, line: PlatformLine, sessionKey: string, message: PlatformMessage): Promise<void> {
    const { pressed = "" } = message;
    const saved = await this.#ports.lanes.receive({ platform: line.plan.name, sessionKey, message, done: true });
    if (saved === "duplicate") return;
    const access = commandAccess(line.plan.settings.extra, message);
    const output =
      chat.prompter.pressApproves(pressed) && !mayRun(access, "approve")
        ? "Only admins of this chat may approve or deny."
        : chat.prompter.press(pressed);
    if (output !== "") await chat.say(output);
  }

  async #letIn(line: PlatformLine, message: PlatformMessage): Promise<boolean> {
    const { app, lanes } = this.#ports;
    const { name } = line.plan;
    const rules = this.#accessRules(line);
    const access = authorise(message, rules);
    app.log[access.allowed ? "debug" : "info"](
      `${access.allowed ? "Accepted" : "Refused"} a message on ${name}: ${access.rule}.`,
      { platform: name, user: message.user_id ?? "", chat: message.chat_id },
    );
    if (access.allowed) return true;
    if (
      inGroup(message) ||
      message.user_id === undefined ||
      message.user_id === "" ||
      this.#unpairedUsersGet(name, rules) !== "pair"
    )
      return false;
    const code = this.#pairing.offer(name, message.user_id, message.user_name ?? "");
    if (code === undefined) return false;
    await lanes.finish(undefined, {
      to: addressOf(name, message),
      key: `pair:${name}:${message.user_id}:${Date.now()}`,
      text: `I do not know you yet. My operator can give you access with:\n\nhermes pairing approve ${name} ${code}\n\nThe code is valid for one hour.`,
    });
    await this.#outbox.wake();
    return false;
  }

  #unpairedUsersGet(platform: string, rules: AccessRules): unknown {
    const { config } = this.#ports.app;
    const own =
      config.get(`platforms.${platform}.unauthorized_dm_behavior`) ??
      config.get(`gateway.platforms.${platform}.unauthorized_dm_behavior`);
    return own ?? config.get("unauthorized_dm_behavior") ?? (hasAllowlist(rules) ? "ignore" : "pair");
  }

  #accessRules(line: PlatformLine): AccessRules {
    const { platform, plan } = line;
    return {
      platform: plan.name,
      allowedUsersEnv: platform?.allowed_users_env,
      allowAllEnv: platform?.allow_all_env,
      authenticated: platform?.authenticates_senders,
      variable: (variable) => this.#ports.service.variable(variable),
      paired: (user) => this.#pairing.isPaired(plan.name, user),
      allPaired: () => this.#pairing.pairedUsers(plan.name),
    };
  }

  #keyRules(): KeyRules {
    const { config } = this.#ports.app;
    return {
      groupPerUser: config.get("group_sessions_per_user") !== false,
      threadPerUser: config.get("thread_sessions_per_user") === true,
    };
  }

  #chat(key: string, line: PlatformLine, message: PlatformMessage, shared: boolean): Chat {
    const { app, lanes, service, cwd } = this.#ports;
    const ports: ChatPorts = {
      app,
      lanes,
      cwd,
      files: service.files,
      signal: this.#stop.signal,
      full: () => this.#full(),
      wake: () => {
        this.#collector.answered();
        void this.#outbox.wake();
      },
      again: (to) => this.#outbox.again(to),
      variable: (name) => service.variable(name),
      slot: (first) => this.#load.slot(line, first, this.#stop.signal),
      ended: () => {
        this.#load.ended(line, key);
        this.#chats.drop(key);
      },
    };
    return this.#chats.of(
      key,
      () =>
        new Chat(
          key,
          line,
          { first: message, shared, whose: whoseChat(message, line.plan, this.#accessRules(line)) },
          ports,
        ),
    );
  }

  #full(): { readonly running: number; readonly most: number } | undefined {
    const most = this.#ports.app.config.get("max_concurrent_sessions");
    return typeof most === "number" && this.busyChats >= most ? { running: this.busyChats, most } : undefined;
  }

  /** Resumes prompts that ran in the background, and goals, when an earlier gateway ended. */
  async #restoreBackground(): Promise<void> {
    for (const line of this.#lines)
      for (const left of await this.#ports.app.agents.left(line.plan.name)) {
        const place = placeOf(left);
        if (place === undefined || !authorise(place.message, this.#accessRules(line)).allowed)
          await this.#ports.app.agents.forget(left.id);
        else void this.#chat(place.key, line, place.message, place.shared).resumeBackground(left);
      }
    for (const line of this.#lines)
      for (const goal of await this.#ports.app.agents.goals(line.plan.name)) {
        const place = placeOf(goal);
        if (place !== undefined && authorise(place.message, this.#accessRules(line)).allowed)
          void this.#chat(place.key, line, place.message, place.shared).resumeGoal(goal);
      }
  }

  /** Resumes stored messages without an answer. Messages of a platform that is no longer served stay stored. */
  async #restore(unfinished: readonly ReceivedMessage[]): Promise<void> {
    const rules = this.#keyRules();
    for (const [key, messages] of Map.groupBy(unfinished, ({ sessionKey: own }) => own)) {
      const line = this.#lines.find(({ plan }) => plan.name === messages[0]!.platform);
      if (line === undefined) continue;
      const chat = this.#chat(key, line, messages[0]!.message, isShared(messages[0]!.message, rules));
      for (const [, handed] of Map.groupBy(
        messages.filter(({ sessionId }) => sessionId !== undefined),
        ({ sessionId }) => sessionId,
      ))
        chat.recover(handed);
      for (const one of messages) if (one.sessionId === undefined) chat.take(one);
    }
  }
}

/** Commands typed with the platform's own prefix get `/`, if they are known. */
function asTypedHere(message: PlatformMessage, { platform, commands }: PlatformLine): PlatformMessage {
  const prefix = platform?.typed_command_prefix ?? "/";
  if (prefix === "/" || !message.text.startsWith(prefix)) return message;
  const [, name = "", rest = ""] = /^([\w-]+)(.*)$/s.exec(message.text.slice(prefix.length)) ?? [];
  return commands.has(name.toLowerCase()) ? { ...message, text: `/${name}${rest}` } : message;
}

/** Where a background session was started, as its chat stored it. */
function placeOf({
  from,
}: Pick<LeftBackground, "from">):
  | { readonly key: string; readonly message: PlatformMessage; readonly shared: boolean }
  | undefined {
  const { key, message, shared } = from ?? {};
  if (typeof key !== "string" || !isObject(message) || typeof message["chat_id"] !== "string") return undefined;
  return { key, message: message as unknown as PlatformMessage, shared: shared === true };
}

/** The event for `pre_gateway_dispatch`, with the keys of the original. */
function eventOf(platform: string, message: PlatformMessage): JsonObject {
  const {
    text,
    chat_id,
    chat_name,
    chat_type = "dm",
    user_id,
    user_name,
    thread_id,
    message_id,
    media_urls = [],
  } = message;
  const source = {
    platform,
    chat_id,
    chat_name: chat_name ?? null,
    chat_type,
    user_id: user_id ?? null,
    user_name: user_name ?? null,
    thread_id: thread_id ?? null,
  };
  return {
    text,
    message_type: text.startsWith("/") ? "command" : "text",
    source,
    message_id: message_id ?? null,
    media_urls: [...media_urls],
  };
}
