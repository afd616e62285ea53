import type { Json } from "../common/json.ts";
import type { Notice } from "../common/notice.ts";

/** `hermes config`. Paths are dotted. Every value remembers where it came from. */
export interface ConfigService {
  readonly file: string;
  /** Where keys are kept. */
  readonly envFile: string;
  /** Every mistake of the files with its place, and what they set that nothing reads. */
  check(): {
    readonly problems: readonly {
      readonly file: string;
      readonly line: number | undefined;
      readonly column: number | undefined;
      readonly text: string;
      readonly hint?: string;
    }[];
    readonly unused: readonly string[];
    /** While the files have mistakes: what they are, and which settings are in force instead. */
    readonly inForce?: Notice;
  };
  get(path: string): Json | undefined;
  /** The value as people may see it on a screen: keys, tokens and passwords masked. */
  shown(path: string): Json | undefined;
  /** @throws {UserError} naming the nearest key, when there is no such setting. */
  explain(path: string): {
    readonly value: Json | undefined;
    readonly source: "default" | "file" | "profile" | "environment" | "flag" | "unset";
    readonly where?: string;
    readonly description?: string;
    readonly allowed?: string;
    /** Known, and read by nothing here. */ readonly unused?: true;
  };
  /** Validates, keeps comments, writes atomically. @throws {UserError} naming allowed values and the nearest key. */
  set(path: string, value: string): Promise<void>;
  /** @throws {UserError} naming the nearest key, when it is neither a setting nor in the file. */
  unset(path: string): Promise<boolean>;
  /**
   * Applies changes of the files since they were read; called before each turn. A file with errors changes nothing, and
   * permissions (approvals, security, plugins) stay as they were when the process started.
   * @returns Messages for the user.
   */
  refresh(): Promise<readonly Notice[]>;
  /** A variable of `.env` or the process, whatever it is. */
  hasVariable(name: string): boolean;
  /** Kept in `.env`. */
  setVariable(name: string, value: string): Promise<void>;
  /** All known keys, for listings and completion. */
  keys(): readonly { readonly path: string; readonly description: string; readonly default: Json | undefined }[];
}
