/** `hermes backup` and `hermes import`: a whole home in one file. Paths of files are relative to the home. */
export interface BackupService {
  /**
   * Writes a backup and reads it again to check it. Databases are copied consistently while other processes use them.
   * @param options.file Path of the new file. @throws {UserError} if it exists.
   */
  create(options: { readonly file: string; readonly withSecrets?: boolean }): Promise<BackupReport>;
  /** Checks every digest of a backup. @throws {UserError} that names the first wrong file. */
  verify(file: string): Promise<BackupContents>;
  /**
   * Restores a backup into this home. Changes nothing before the whole backup was checked and unpacked; a process that
   * is killed later leaves a home that the next start completes.
   * @throws {UserError} if it would replace files and `force` is not set, or while a gateway runs.
   */
  restore(file: string, options: { readonly force?: boolean }): Promise<RestoreReport>;
}

export interface BackupReport {
  readonly file: string;
  readonly files: number;
  /** Size of the file. */
  readonly bytes: number;
  readonly secrets: boolean;
  readonly leftOut: readonly LeftOut[];
}

/** A file that the backup does not contain, although it is the user's. */
export interface LeftOut {
  readonly path: string;
  /** In a phrase. */
  readonly why: string;
}

export interface BackupContents {
  /** The original's backups have no digests, only the checksums of their archive. */
  readonly by: "hermes-ts" | "original";
  readonly createdAt?: string;
  readonly version?: string;
  readonly profile?: string;
  readonly secrets: boolean;
  readonly files: number;
  /** Unpacked. */
  readonly bytes: number;
  readonly leftOut: readonly LeftOut[];
}

export interface RestoreReport {
  readonly contents: BackupContents;
  readonly restored: readonly string[];
  /** Identical files that were there already. */
  readonly unchanged: number;
  /** Folder with the replaced files; absent if none were replaced. */
  readonly replacedIn?: string;
  /** A session store of the original, whose sessions `hermes sessions import FILE` takes over. */
  readonly originalStore?: string;
}
