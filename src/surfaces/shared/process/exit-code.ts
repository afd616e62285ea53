import type { TurnEnd } from "../../../contract/conversation/session.ts";

/**
 * Exit statuses of `hermes`, for scripts. Documented in docs/cli.md; the numbers follow sysexits.h and the shell's
 * 128 + signal.
 */
export const EXIT = {
  ok: 0,
  /** The turn or the command failed. */
  failed: 1,
  /** The command line is invalid. */
  usage: 2,
  /** The turn reached its limit of model requests or budget. */
  limit: 3,
  /** A manual tool call (`hermes tools call`) was denied. */
  denied: 4,
  /** The configuration is not usable. */
  config: 78,
  interrupted: 130,
} as const;

/** The exit statuses for the help. */
export const EXIT_MEANS: readonly (readonly [status: number, means: string])[] = [
  [EXIT.ok, "success, even if a tool call was denied"],
  [EXIT.failed, "the turn or the command failed"],
  [EXIT.usage, "the command line is invalid"],
  [EXIT.limit, "the turn reached its limit of model requests or its budget"],
  [EXIT.denied, "hermes tools call: the call was denied"],
  [EXIT.config, "the configuration is not usable"],
  [EXIT.interrupted, "stopped by Ctrl-C or SIGTERM"],
];

export function exitCodeOf(end: TurnEnd): number {
  switch (end.reason) {
    case "done":
      return EXIT.ok;
    case "cancelled":
      return EXIT.interrupted;
    case "limit":
    case "budget":
      return EXIT.limit;
    case "failed":
      return EXIT.failed;
  }
}
