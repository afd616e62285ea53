/** Where in a session a conversation stands. */
export interface ConversationPoint {
  readonly sessionId: string;
  /** The last of its facts that belongs to it. */
  readonly seq: number;
}

/** Input of a program that was told that it is taken. */
export interface AcceptedInput {
  readonly inputId: string;
  readonly sessionId: string;
  /** Epoch ms. */
  readonly at: number;
}

/**
 * What the API server has to find again after any end of its process, beside what its sessions say themselves. Each step is durable when it
 * resolves.
 */
export interface ApiLedger {
  /** Programs that keep no id send their conversation again: by its digest it is found. */
  point(digest: string): Promise<ConversationPoint | undefined>;
  notePoints(digests: readonly string[], at: ConversationPoint): Promise<void>;
  /** What is accepted anew under the same id is that now. */
  accept(inputId: string, sessionId: string): Promise<void>;
  accepted(inputId: string): Promise<AcceptedInput | undefined>;
  /** How its turn ended is in the session. */
  finish(inputId: string): Promise<void>;
  unfinished(): Promise<readonly AcceptedInput[]>;
  /** Removes what is over and older than this; epoch ms. */
  prune(older: { readonly inputsBefore: number; readonly pointsBefore: number }): Promise<void>;
}
