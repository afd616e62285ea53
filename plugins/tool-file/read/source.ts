/** A file to read from, in the place or among this session's own disposable files. */
export interface Source {
  readonly stamp: { readonly modifiedMs: number; readonly bytes: number };
  read(from: number, bytes: number): Promise<Uint8Array>;
  /** Line ends from a byte on, without bringing the bytes here. */
  countNewlines?(from: number): Promise<number | undefined>;
}
