/** The part of a chat that `OpenChats` needs. */
export interface OpenChat {
  /** Epoch ms. */
  usedAt: number;
  readonly busy: boolean;
  /** Closes its conversation. @returns whether the chat is idle. */
  rest(): Promise<boolean>;
}

/** How long an idle conversation stays open. */
export const IDLE_MS = 3_600_000;

/** The recently used chats, by session key. The next message opens a closed chat again from the store. */
export class OpenChats<Chat extends OpenChat> {
  readonly #chats = new Map<string, Chat>();
  readonly #now: () => number;
  readonly #most: number;

  /** @param most The maximum of open chats; the least recently used ones close. */
  constructor(now: () => number, most = Infinity) {
    this.#now = now;
    this.#most = most;
  }

  get all(): readonly Chat[] {
    return [...this.#chats.values()];
  }

  get busy(): number {
    return this.all.filter(({ busy }) => busy).length;
  }

  /** Counts as use, so the chat does not close while its message is on the way. */
  of(key: string, make: () => Chat): Chat {
    const chat = this.#chats.get(key) ?? make();
    chat.usedAt = this.#now();
    this.#chats.set(key, chat);
    return chat;
  }

  /** The chat of this key, if it is open. */
  find(key: string): Chat | undefined {
    return this.#chats.get(key);
  }

  drop(key: string): void {
    this.#chats.delete(key);
  }

  async sweep(): Promise<void> {
    const latest = new Set(this.all.toSorted((a, b) => b.usedAt - a.usedAt).slice(0, this.#most));
    await Promise.all(
      [...this.#chats].map(async ([key, chat]) => {
        const { usedAt } = chat;
        if ((latest.has(chat) && this.#now() - usedAt <= IDLE_MS) || !(await chat.rest())) return;
        // A message may have arrived in the meantime.
        if (chat.usedAt === usedAt) this.#chats.delete(key);
      }),
    );
  }
}
