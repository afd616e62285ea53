import type { ChatItem, ChatState, Delta, ItemsChange, PartialAnswer } from "../../chats/chat-state.ts";
import { ask } from "../ask.ts";
import { subscribe } from "../live.ts";

/** The whole content of a chat. */
interface Snapshot {
  readonly state: ChatState;
  readonly partial: PartialAnswer;
  readonly items: readonly ChatItem[];
  /** Rows before these. */
  readonly earlier: number;
}

interface FeedOptions {
  readonly id: string;
  readonly signal: AbortSignal;
  /** The chat changed: draw it again. */
  changed(what: "items" | "partial" | "state"): void;
  failed(error: unknown): void;
  connected(is: boolean): void;
}

const AT_ONCE = 300;

/** The content of a chat, which the server keeps up to date. After a lost connection it is read again as a whole. */
export class ChatFeed {
  readonly id: string;
  state: ChatState | undefined;
  partial: PartialAnswer = { number: 0, text: "", thinking: "", progress: {} };
  earlier = 0;
  readonly #options: FeedOptions;
  readonly #items = new Map<string, ChatItem>();
  #limit = AT_ONCE;
  /** Events that came while the content is read. */
  #waiting: (() => void)[] | undefined = [];

  constructor(options: FeedOptions) {
    this.id = options.id;
    this.#options = options;
    const { id, signal } = options;
    subscribe({
      topics: ["chat"],
      session: id,
      signal,
      on: (event, data) => this.#take(event, data),
      onReset: () => void this.read(),
      onState: (connected) => {
        options.connected(connected);
        if (connected) void this.read();
      },
    });
  }

  /** Rows in their order; queued messages are not among them. */
  get items(): readonly ChatItem[] {
    return [...this.#items.values()].filter((item) => !isQueued(item));
  }

  get queued(): readonly Extract<ChatItem, { kind: "message" }>[] {
    return [...this.#items.values()].filter(isQueued);
  }

  /** Reads the whole content. Never rejects. */
  async read(): Promise<void> {
    this.#waiting ??= [];
    try {
      const path = `/api/chats/${encodeURIComponent(this.id)}?limit=${this.#limit}`;
      const { state, partial, items, earlier } = await ask<Snapshot>("GET", path, undefined, this.#options.signal);
      this.state = state;
      this.partial = partial;
      this.earlier = earlier;
      this.#items.clear();
      for (const item of items) this.#items.set(item.id, item);
      const waiting = this.#waiting ?? [];
      this.#waiting = undefined;
      for (const apply of waiting) apply();
      for (const what of ["state", "items", "partial"] as const) this.#options.changed(what);
    } catch (error) {
      if (!this.#options.signal.aborted) this.#options.failed(error);
    }
  }

  showEarlier(): Promise<void> {
    this.#limit += 1_000;
    return this.read();
  }

  #take(event: string, data: unknown): void {
    const apply = (): void => {
      if (event === "items") this.#apply(data as ItemsChange);
      else if (event === "delta") this.#extend(data as Delta);
      else if (event === "chat") {
        this.state = data as ChatState;
        if (!this.state.busy)
          this.partial = { ...this.partial, text: "", thinking: "", tool: undefined, waiting: undefined };
        this.#options.changed("state");
      }
    };
    if (this.#waiting === undefined) apply();
    else this.#waiting.push(apply);
  }

  #apply({ items, removed }: ItemsChange): void {
    for (const id of removed) this.#items.delete(id);
    for (const item of items) {
      const before = this.#items.get(item.id);
      // A message leaves the queue: it comes behind what is there.
      if (before !== undefined && isQueued(before) && !isQueued(item)) this.#items.delete(item.id);
      this.#items.set(item.id, item);
      // The row takes the place of the text that streamed.
      if (item.kind === "answer") this.partial = { ...this.partial, text: "", thinking: "", tool: undefined };
    }
    this.#options.changed("items");
  }

  /** A delta that the content has already, or that follows one that was missed, is not added twice. */
  #extend(delta: Delta): void {
    if (delta.number < this.partial.number) return;
    if (delta.number > this.partial.number)
      this.partial = { number: delta.number, text: "", thinking: "", progress: this.partial.progress };
    const { partial } = this;
    switch (delta.kind) {
      case "text":
      case "thinking":
        if (delta.offset > partial[delta.kind].length) return void this.read();
        if (delta.offset < partial[delta.kind].length) return;
        this.partial = { ...partial, [delta.kind]: partial[delta.kind] + delta.text, waiting: undefined };
        break;
      case "tool":
        this.partial = { ...partial, tool: delta.tool };
        break;
      case "waiting":
        this.partial = { ...partial, waiting: { text: delta.text, untilAt: delta.untilAt } };
        break;
      case "progress":
        this.partial = { ...partial, progress: { ...partial.progress, [delta.callId]: delta.text } };
    }
    this.#options.changed("partial");
  }
}

function isQueued(item: ChatItem): item is Extract<ChatItem, { kind: "message" }> {
  return item.kind === "message" && item.queued === true;
}
