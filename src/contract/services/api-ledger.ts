/** Where in a session a conversation stands. */
export interface ConversationPoint {
  readonly sessionId: string;
  /** The last of its facts that belongs to it. */
  readonly seq: number;
}

/** An input that the server has accepted towards its client. */
export interface AcceptedInput {
  readonly inputId: string;
  readonly sessionId: string;
  /** Epoch ms. */
  readonly at: number;
}

/**
 * State that the API server must find again after a crash, besides its sessions. Each step is durable when it resolves.
 */
export interface ApiLedger {
  /** Programs that keep no id send their conversation again: by its digest it is found. */
  point(digest: string): Promise<ConversationPoint | undefined>;
  notePoints(digests: readonly string[], at: ConversationPoint): Promise<void>;
  /** A later input with the same id replaces it. */
  accept(inputId: string, sessionId: string): Promise<void>;
  accepted(inputId: string): Promise<AcceptedInput | undefined>;
  /** How its turn ended is in the session. */
  finish(inputId: string): Promise<void>;
  unfinished(): Promise<readonly AcceptedInput[]>;
  /** Removes what is over and older than this; epoch ms. */
  prune(older: { readonly inputsBefore: number; readonly pointsBefore: number }): Promise<void>;
}
