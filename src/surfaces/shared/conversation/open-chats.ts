/** As much of a chat as whoever keeps it needs. */
export interface OpenChat {
  /** Epoch ms. */
  usedAt: number;
  readonly busy: boolean;
  /** Lets go of its conversation. @returns whether nothing of it is under way. */
  rest(): Promise<boolean>;
}

/** How long a conversation that nobody goes on with stays open here. */
export const IDLE_MS = 3_600_000;

/** The chats that were written in lately, by session key. One that rests is made anew by its next message: what matters of it is stored. */
export class OpenChats<Chat extends OpenChat> {
  readonly #chats = new Map<string, Chat>();
  readonly #now: () => number;
  readonly #most: number;

  /** @param most Beyond these, the ones that were not written in for the longest time rest, too. */
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

  /** Counts as use: it is not let go of while its message is on the way to it. */
  of(key: string, make: () => Chat): Chat {
    const chat = this.#chats.get(key) ?? make();
    chat.usedAt = this.#now();
    this.#chats.set(key, chat);
    return chat;
  }

  async sweep(): Promise<void> {
    const latest = new Set(this.all.toSorted((a, b) => b.usedAt - a.usedAt).slice(0, this.#most));
    await Promise.all(
      [...this.#chats].map(async ([key, chat]) => {
        const { usedAt } = chat;
        if ((latest.has(chat) && this.#now() - usedAt <= IDLE_MS) || !(await chat.rest())) return;
        // A message may have come meanwhile.
        if (chat.usedAt === usedAt) this.#chats.delete(key);
      }),
    );
  }
}
