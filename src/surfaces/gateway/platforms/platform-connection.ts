import { stat } from "node:fs/promises";
import type { LineState } from "../../shared/gateway/served-line.ts";
import { UserError } from "../../../contract/common/failure.ts";
import type { JsonObject } from "../../../contract/common/json.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import type { OutgoingFile } from "../../../contract/conversation/outgoing-file.ts";
import type {
  Platform,
  PlatformAdapter,
  PlatformButton,
  PlatformChat,
  PlatformCommand,
  PlatformMessage,
  SendResult,
  WorkState,
} from "../../../contract/providers/platform.ts";
import type { ChatAddress } from "../../../contract/services/gateway-service.ts";
import type { PlatformOffer } from "../../../contract/providers/platform-offers.ts";
import type { WebhookListener } from "../../../contract/providers/webhook-route.ts";
import type { PlatformPlan } from "../../shared/gateway/platform-plans.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

export interface LinePorts {
  readonly log: Logger;
  readonly connectMs: number;
  /** Delay before the first retry; doubles with each retry, up to five minutes. */
  readonly retryMs: number;
  message(line: PlatformLine, message: PlatformMessage): Promise<void>;
  /** Whether the author of a message may talk to the agent. */
  welcome(line: PlatformLine, message: PlatformMessage): boolean;
  /** Slash commands of a chat. */
  commands(): readonly PlatformCommand[];
  changed(line: PlatformLine): void;
  readonly webhooks?: WebhookListener;
}

const LONGEST_RETRY_MS = 300_000;
const DISCONNECT_MS = 5_000;

/** One platform: connects its adapter and reconnects without a limit of tries. Its errors affect no other platform. */
export class PlatformLine {
  readonly plan: PlatformPlan;
  readonly #ports: LinePorts;
  readonly #stop = new AbortController();
  #platform: Platform | undefined;
  #adapter: PlatformAdapter | undefined;
  #state: LineState = "connecting";
  #problem: string | undefined;
  #lost = Promise.withResolvers<string>();
  #running: Promise<void> | undefined;
  /** Number of adapters created. */
  #made = 0;

  constructor(plan: PlatformPlan, ports: LinePorts) {
    this.plan = plan;
    this.#ports = ports;
  }

  get state(): LineState {
    return this.#state;
  }

  /** Why the platform is not connected. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get platform(): Platform | undefined {
    return this.#platform;
  }

  /** Resolves when the first connection attempt has succeeded or failed. */
  start(): Promise<void> {
    const tried = Promise.withResolvers<void>();
    this.#running = this.#run(() => tried.resolve()).finally(() => tried.resolve());
    return tried.promise;
  }

  send(
    chatId: string,
    text: string,
    options: SendOptions & { readonly buttons?: readonly PlatformButton[] },
  ): Promise<SendResult | void> {
    if (this.#adapter === undefined || this.#state !== "connected")
      return Promise.resolve({ success: false, error: `${this.plan.label} is not connected.`, retryable: true });
    const metadata = {
      ...metadataOf(options),
      ...definedFields({
        buttons: this.offers("buttons") ? options.buttons?.map(({ label, data }) => ({ label, data })) : undefined,
      }),
    };
    return Promise.resolve(
      this.#adapter.send(chatId, text, {
        metadata,
        reply_to: options.replyTo,
      }),
    );
  }

  /** Names of the slash commands of its chats. */
  get commands(): ReadonlySet<string> {
    return new Set(this.#ports.commands().map(({ name }) => name.toLowerCase()));
  }

  /** Whether the platform can do this; true if its plugin declares nothing. */
  offers(what: PlatformOffer): boolean {
    return this.#platform?.offers?.includes(what) ?? true;
  }

  /** Whether the platform can edit messages. */
  get edits(): boolean {
    return this.#adapter?.edit_message !== undefined;
  }

  edit(
    chatId: string,
    messageId: string,
    text: string,
    { finalize }: { readonly finalize: boolean },
  ): Promise<SendResult> {
    if (this.#adapter?.edit_message === undefined || this.#state !== "connected")
      return Promise.resolve({ success: false, error: `${this.plan.label} is not connected.`, retryable: true });
    return Promise.resolve(this.#adapter.edit_message(chatId, messageId, text, { finalize }));
  }

  /** Whether the platform can send files. */
  get takesFiles(): boolean {
    return (
      this.#adapter !== undefined &&
      (["send_document", "send_image_file", "send_voice", "send_video"] as const).some(
        (method) => this.#adapter?.[method] !== undefined,
      )
    );
  }

  /** If the platform cannot send the file, sends its path to the chat. */
  async sendFile(
    chatId: string,
    file: OutgoingFile,
    options: SendOptions & { readonly caption: string },
  ): Promise<SendResult | void> {
    const adapter = this.#adapter;
    const maxBytes = this.#platform?.max_file_bytes;
    const tooLarge = maxBytes !== undefined && (await stat(file.path)).size > maxBytes;
    const method =
      adapter === undefined || this.#state !== "connected" || tooLarge ? undefined : methodFor(file.kind, adapter);
    if (adapter === undefined || method === undefined)
      return this.send(
        chatId,
        [
          options.caption,
          `📎 ${file.name}: ${file.source}`,
          tooLarge ? `(${this.plan.label} accepts no files larger than ${Math.floor(maxBytes / 1_000_000)} MB.)` : "",
        ]
          .filter((line) => line !== "")
          .join("\n"),
        options,
      );
    const { caption, replyTo } = options;
    return Promise.resolve(
      adapter[method]?.(chatId, file.path, {
        file_name: file.name,
        caption: caption === "" ? undefined : caption,
        metadata: metadataOf(options),
        reply_to: replyTo,
      }),
    );
  }

  async typing({ chatId, threadId }: Pick<ChatAddress, "chatId" | "threadId">): Promise<void> {
    if (this.#state === "connected")
      await this.#adapter?.send_typing?.(chatId, { metadata: definedFields({ thread_id: threadId }) });
  }

  /** Shows on a user's message how the work on it stands. Never rejects: it is only a sign. */
  async acknowledge(chatId: string, messageId: string | undefined, state: WorkState): Promise<void> {
    if (messageId === undefined || this.#state !== "connected" || this.#adapter?.acknowledge === undefined) return;
    try {
      await this.#adapter.acknowledge(chatId, messageId, state);
    } catch (cause) {
      this.#ports.log.debug(`${this.plan.label} cannot show the state of a message.`, { cause });
    }
  }

  /** Deletes one of our messages, if the platform can. Never rejects. */
  async remove(chatId: string, messageId: string): Promise<void> {
    if (messageId === "" || this.#state !== "connected" || this.#adapter?.delete_message === undefined) return;
    try {
      await this.#adapter.delete_message(chatId, messageId);
    } catch (cause) {
      this.#ports.log.debug(`${this.plan.label} cannot delete a message.`, { cause });
    }
  }

  /** The chats that the platform can list; `undefined`: none now. */
  async chats(): Promise<readonly PlatformChat[] | undefined> {
    return this.#state === "connected" ? this.#adapter?.list_chats?.() : undefined;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#set("stopped");
    await Promise.race([this.#running, wait(DISCONNECT_MS)]);
    await this.#disconnect();
  }

  async #run(tried: () => void): Promise<void> {
    const { log } = this.#ports;
    for (let again = false, failures = 0; !this.#stop.signal.aborted; again = true) {
      try {
        await this.#connect(again);
        failures = 0;
        tried();
        this.#set("connected");
        log.info(`${this.plan.label} is connected.`, { platform: this.plan.name });
        this.#set("retrying", await Promise.race([this.#lost.promise, aborted(this.#stop.signal)]));
        if (this.#stop.signal.aborted) return this.#set("stopped");
        log.warning(`${this.plan.label} lost its connection: ${this.#problem}`, { platform: this.plan.name });
      } catch (cause) {
        failures++;
        this.#set("retrying", cause instanceof Error ? cause.message : String(cause));
        tried();
        log.warning(`Cannot connect ${this.plan.label}: ${this.#problem}`, { cause, platform: this.plan.name });
        await this.#disconnect();
        // The plugin may have restarted and no longer know this adapter.
        this.#adapter = undefined;
      }
      if (this.#stop.signal.aborted) return this.#set("stopped");
      const pause = Math.min(this.#ports.retryMs * 2 ** Math.max(0, failures - 1), LONGEST_RETRY_MS);
      await wait(pause, this.#stop.signal);
    }
  }

  async #connect(again: boolean): Promise<void> {
    this.#lost = Promise.withResolvers<string>();
    this.#platform ??= await this.plan.load();
    const { connectMs, commands, welcome } = this.#ports;
    this.#adapter ??= await this.#platform.adapter_factory({
      ...this.plan.settings,
      message: (message) => this.#receive(message),
      lost: this.#losing(),
      commands,
      welcome: (message) => welcome(this, message),
      webhooks: this.#ports.webhooks,
    });
    const late = Symbol("late");
    const given = await Promise.race([
      Promise.resolve(this.#adapter.connect({ is_reconnect: again })),
      wait(connectMs, this.#stop.signal).then(() => late),
    ]);
    if (given === late)
      throw new Error(
        this.#stop.signal.aborted
          ? "the gateway stops"
          : `no connection within ${connectMs / 1000} s (HERMES_GATEWAY_PLATFORM_CONNECT_TIMEOUT)`,
      );
    if (given === false) throw new Error("the adapter reports that it cannot connect");
  }

  /** Ignores reports of an adapter that was replaced. */
  #losing(): (reason: string) => void {
    const made = ++this.#made;
    return (reason) => void (made === this.#made && this.#lost.resolve(reason));
  }

  /** Never rejects, because an adapter may ignore the promise. */
  #receive(message: PlatformMessage): Promise<void> {
    const saved = this.#ports.message(this, message);
    saved.catch((cause: unknown) =>
      this.#ports.log[cause instanceof UserError ? "debug" : "error"](
        `Cannot accept a message on ${this.plan.label}.`,
        {
          cause,
        },
      ),
    );
    return saved;
  }

  async #disconnect(): Promise<void> {
    try {
      await Promise.race([Promise.resolve(this.#adapter?.disconnect()), wait(DISCONNECT_MS)]);
    } catch (cause) {
      this.#ports.log.warning(`${this.plan.label} did not disconnect.`, { cause });
    }
  }

  #set(state: LineState, problem?: string): void {
    if (this.#state === "stopped") return;
    this.#state = state;
    this.#problem = problem;
    this.#ports.changed(this);
  }
}

interface SendOptions {
  readonly replyTo?: string;
  readonly threadId?: string;
  readonly key: string;
}

function metadataOf({ key, threadId }: SendOptions): JsonObject {
  return definedFields({ idempotency_key: key, thread_id: threadId });
}

const METHODS = {
  image: "send_image_file",
  voice: "send_voice",
  audio: "send_document",
  video: "send_video",
  document: "send_document",
} as const;

/** The adapter's method for this kind of file, or the general one. */
function methodFor(
  kind: OutgoingFile["kind"],
  adapter: PlatformAdapter,
): (typeof METHODS)[keyof typeof METHODS] | undefined {
  return ([METHODS[kind], "send_document"] as const).find((method) => adapter[method] !== undefined);
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  const done = Promise.withResolvers<void>();
  const timer = setTimeout(done.resolve, Math.min(ms, 0x7fff_ffff));
  const stop = (): void => done.resolve();
  signal?.addEventListener("abort", stop, { once: true });
  return done.promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  });
}

function aborted(signal: AbortSignal): Promise<string> {
  const done = Promise.withResolvers<string>();
  if (signal.aborted) done.resolve("stopped");
  signal.addEventListener("abort", () => done.resolve("stopped"), { once: true });
  return done.promise;
}
