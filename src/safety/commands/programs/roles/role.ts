import type { HarmId } from "../../risk/harms.ts";

/**
 * What the options and operands of one program name. Each value is a list of words: a letter or a long name is an
 * option that takes a value, `#1` the first operand, `#2+` the second and all behind it, `#last` the last, `#*` all,
 * `key=` an operand of that form.
 *
 * The rows add to what a program's own function in the tables does. They hold only what that function does not say.
 */
export interface Roles {
  /** The manual that the row was checked against: page, package and version. */
  readonly manual?: string;
  /** Operands that make the row apply: it describes these subcommands only, and operands are counted behind them. */
  readonly verbs?: string;
  /** Only for a call whose words match. */
  readonly when?: RegExp;
  /** What a call does whose words match `when`. */
  readonly harm?: HarmId;
  /** `when` also looks at the call's input, as far as it is known. */
  readonly input?: true;
  /** Finds files that a program text writes, reads, or a command that it runs, in the first group. */
  readonly writes?: RegExp;
  readonly reads?: RegExp;
  readonly calls?: RegExp;
  /** A command line that users choose for each call: it is judged, and may run. */
  readonly runs?: string;
  /** A command line: it runs. A pager, an editor, a compressor or ssh is nothing special. */
  readonly command?: string;
  /** A host, an address or a URL: the program connects to it, or resolves it. */
  readonly host?: string;
  /** Like `host`, for an option or operand that also sends data there. */
  readonly sends?: string;
  /** A file, whose content the program prints; a URL instead of a file is a host. */
  readonly read?: string;
  /** A file that the program writes; a URL instead of a file is a host. */
  readonly write?: string;
  /** A file with settings that can make the program run another one. */
  readonly config?: string;
  /** Like `config`, but the project's own files are as harmless as its build. */
  readonly settings?: string;
  /** A library, a plugin or a module that the program loads. */
  readonly load?: string;
  /** A URL counts as a host; anything else is data. */
  readonly url?: string;
  /** Data that needs no judgement: the option takes a value. */
  readonly data?: string;
  /** `-name value` with one dash: ffmpeg, openssl. */
  readonly words?: true;
  /** The options end at the first operand, where another command begins. */
  readonly stop?: true;
}

export type RoleName =
  | "command"
  | "runs"
  | "host"
  | "sends"
  | "read"
  | "write"
  | "config"
  | "settings"
  | "load"
  | "url"
  | "data";

export const ROLE_NAMES: readonly RoleName[] = [
  "command",
  "runs",
  "host",
  "sends",
  "read",
  "write",
  "config",
  "settings",
  "load",
  "url",
  "data",
];

export type RoleRow = readonly [programs: string, roles: Roles];
