import type { TurnEnd } from "../../../contract/conversation/session.ts";

/** Exit statuses of `hermes`, for scripts. Documented in docs/cli.md; the numbers follow sysexits.h and the shell's 128 + signal. */
export const EXIT = {
  ok: 0,
  /** The turn failed, or the command did. */
  failed: 1,
  /** The command line was not understood. */
  usage: 2,
  /** The turn ran out of model requests or budget before it was done. */
  limit: 3,
  /** A tool call by hand (`hermes tools call`) was refused. */
  denied: 4,
  /** The configuration is not usable. */
  config: 78,
  interrupted: 130,
} as const;

/** The same in words, for help. */
export const EXIT_MEANS: readonly (readonly [status: number, means: string])[] = [
  [EXIT.ok, "done; also when a call of the turn was refused"],
  [EXIT.failed, "the turn or the command failed"],
  [EXIT.usage, "the command line was not understood"],
  [EXIT.limit, "out of model requests before it was done"],
  [EXIT.denied, "hermes tools call: the call was refused"],
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
