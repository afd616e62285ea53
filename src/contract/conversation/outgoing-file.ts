/** A file on its way to a chat: a copy that the home keeps until it is sent. */
export interface OutgoingFile {
  /** How the chat shows it. */
  readonly kind: "image" | "voice" | "audio" | "video" | "document";
  readonly name: string;
  /** Path of the copy. */
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
   * Checks a file and copies it. Allowed are files in the workspace and files that a tool of the conversation made;
   * protected files never are.
   * @param from.made Paths that tools of this conversation reported.
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
  /** Removes copies that no one fetched and that are older than this (epoch ms). */
  prune(beforeAt: number): Promise<void>;
}
