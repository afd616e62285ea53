/** A file on its way to a chat: a copy that the home keeps until it is sent. */
export interface OutgoingFile {
  /** What the chat is to show it as. */
  readonly kind: "image" | "voice" | "audio" | "video" | "document";
  readonly name: string;
  /** Of the copy. */
  readonly path: string;
  /** Where it lay. */
  readonly source: string;
}

export type TakenFile =
  | { readonly ok: true; readonly file: OutgoingFile }
  | { readonly ok: false; /** In a phrase. */ readonly reason: string };

/** The files that answers name, and what may be sent of them. */
export interface OutgoingFiles {
  /**
   * Judges a file and takes a copy of it: only what lies in the workspace or was made by a tool of the conversation, and nothing protected.
   * @param from.made Paths that tools of this conversation said they made.
   */
  take(
    path: string,
    from: {
      readonly cwd: string;
      readonly made: readonly string[];
      readonly voice: boolean;
      readonly asDocument: boolean;
    },
  ): Promise<TakenFile>;
  /** They are sent. */
  release(files: readonly OutgoingFile[]): Promise<void>;
  /** Removes what nobody came for and is older than this (epoch ms). */
  prune(beforeAt: number): Promise<void>;
}
