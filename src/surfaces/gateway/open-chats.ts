/** As much of a chat as whoever keeps it needs. */
export interface KeptChat {
  /** Epoch ms. */
  usedAt: number;
  readonly busy: boolean;
  /** Lets go of its conversation. @returns whether nothing of it is under way. */
  rest(): Promise<boolean>;
}

/** How long a conversation that nobody goes on with stays open here. */
export const IDLE_MS = 3_600_000;

/** The chats that were written in lately, by session key. One that rests is made anew by its next message: what matters of it is stored. */
export class OpenChats<Chat extends KeptChat> {
  readonly #chats = new Map<string, Chat>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
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
    await Promise.all(
      [...this.#chats].map(async ([key, chat]) => {
        if (this.#inUse(chat) || !(await chat.rest())) return;
        // A message may have come meanwhile.
        if (!this.#inUse(chat)) this.#chats.delete(key);
      }),
    );
  }

  #inUse({ usedAt }: Chat): boolean {
    return this.#now() - usedAt <= IDLE_MS;
  }
}
