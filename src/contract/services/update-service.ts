/** `hermes update`: how this program was installed, and newer versions of it. */
export interface UpdateService {
  /** Looks for a newer version; changes nothing but what git has fetched. @throws {UserError} */
  check(options?: UpdateOptions): Promise<UpdateCheck>;
  /** Installs the newer version, and takes it back if it does not start. @throws {UserError} */
  apply(options?: UpdateOptions): Promise<UpdateResult>;
  /** Returns to the version before the last update. @throws {UserError} if there is none. */
  rollback(): Promise<UpdateResult>;
}

export interface UpdateOptions {
  /** Branch of a clone; default: the one it follows. */
  readonly branch?: string;
  /** For a package: a version, or the path of a packed file; default: the latest version. */
  readonly from?: string;
  readonly signal?: AbortSignal;
}

export interface UpdateCheck {
  readonly kind: "clone" | "package";
  /** Folder of the program. */
  readonly root: string;
  /** Version or commit in use. */
  readonly current: string;
  /** Version or commit to install; the same as `current` if there is nothing newer. */
  readonly latest: string;
  readonly newer: boolean;
  /** What the update brings: subjects of commits, newest first, or nothing for a package. */
  readonly changes: readonly string[];
  /** How many commits. */
  readonly count: number;
  /** Why it cannot be installed now, such as uncommitted changes. */
  readonly obstacle?: string;
  readonly hint?: string;
}

export interface UpdateResult {
  readonly kind: "clone" | "package";
  readonly from: string;
  readonly to: string;
  /** Nothing was newer. */
  readonly unchanged: boolean;
  /** What `--version` of the new version prints. */
  readonly version: string;
}
