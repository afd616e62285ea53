import { constants } from "node:os";

const MEANINGS: { readonly [program: string]: { readonly [code: number]: string } } = {
  ...Object.fromEntries(
    ["grep", "egrep", "fgrep", "rg", "ag", "ack"].map((program) => [program, { 1: "No matches found (not an error)" }]),
  ),
  ...Object.fromEntries(["diff", "colordiff"].map((program) => [program, { 1: "Files differ (not an error)" }])),
  ...Object.fromEntries(["test", "["].map((program) => [program, { 1: "Condition is false (not an error)" }])),
  find: { 1: "Some paths could not be read; the rest is valid" },
  curl: {
    6: "Host name could not be resolved",
    7: "Could not connect to the host",
    22: "The server answered with an HTTP error",
    28: "The request timed out",
  },
  git: { 1: "Depends on the command: `git diff --exit-code` and `git merge-base` use it for a negative answer" },
};

/** The meaning of a non-zero status for programs that do not use it only for errors. */
export function exitCodeMeaning(program: string | undefined, exitCode: number): string | undefined {
  const own = program === undefined ? undefined : MEANINGS[program]?.[exitCode];
  return own ?? (KILLED[exitCode] && `Killed by ${KILLED[exitCode]}`);
}

/** A shell adds 128 to the signal that ended a program. Interrupts are left out: they have a message of their own. */
const KILLED: { readonly [code: number]: string } = Object.fromEntries(
  (["SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGKILL", "SIGSEGV", "SIGSYS", "SIGTERM"] as const).map(
    (name) => [128 + constants.signals[name], name],
  ),
);
