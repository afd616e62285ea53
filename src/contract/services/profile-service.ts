import type { BackupReport } from "./backup-service.ts";

/** A separate home: `default`, or a folder in its `profiles`. */
export interface ProfileInfo {
  readonly name: string;
  readonly home: string;
  /** This process uses it. */
  readonly current: boolean;
  /** `hermes` without `-p` and without `HERMES_HOME` uses it. */
  readonly sticky: boolean;
  readonly description?: string;
  /** `model.default` of its settings. */
  readonly model?: string;
  readonly gateway: boolean;
  readonly skills: number;
  readonly hasEnv: boolean;
  readonly hasSoul: boolean;
  /** Scripts in `~/.local/bin` that start it. */
  readonly aliases: readonly string[];
}

export interface CreateProfile {
  /** The profile to copy from; default: the current one. */
  readonly from?: string;
  /** What to copy. `settings`: settings, keys, SOUL.md, memories and skills. `all`: everything but sessions. */
  readonly copy?: "settings" | "all";
  /** Install no bundled skills, now and later. */
  readonly noSkills?: boolean;
  readonly description?: string;
}

export interface ProfileAlias {
  readonly file: string;
  /** Whether the folder of the script, and `hermes`, are on `PATH`. */
  readonly onPath: boolean;
  readonly hermesOnPath: boolean;
}

/** `hermes profile`. Every method throws a `UserError` for an unknown profile or an invalid name. */
export interface ProfileService {
  /** `default` first, then by name. */
  list(): Promise<readonly ProfileInfo[]>;
  show(name: string): Promise<ProfileInfo>;
  create(name: string, options?: CreateProfile): Promise<ProfileInfo>;
  /** Makes it the one that `hermes` uses without `-p`. */
  use(name: string): Promise<ProfileInfo>;
  describe(name: string, text: string): Promise<void>;
  rename(name: string, to: string): Promise<ProfileInfo>;
  /** Deletes its home and its scripts. */
  remove(name: string): Promise<ProfileInfo>;
  alias(name: string, as?: string): Promise<ProfileAlias>;
  /** @returns the deleted scripts. */
  removeAlias(name: string, as?: string): Promise<readonly string[]>;
  /** Writes it into one file, without keys. */
  export(name: string, file: string): Promise<BackupReport>;
  /** Makes a profile from such a file, or from an archive of the original. */
  import(file: string, name?: string): Promise<ProfileInfo>;
}
