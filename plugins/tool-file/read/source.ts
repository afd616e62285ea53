/** A file to read from, in the environment or in this session's scratch directory. */
export interface Source {
  readonly stamp: { readonly modifiedMs: number; readonly bytes: number };
  read(from: number, bytes: number): Promise<Uint8Array>;
  /** Counts line ends from a byte offset on, without transferring the bytes. */
  countNewlines?(from: number): Promise<number | undefined>;
}
