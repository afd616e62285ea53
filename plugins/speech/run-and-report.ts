import type { UntrustedSource } from "hermes-agent/plugin";
import { plainEnvironment, runProgram } from "hermes-agent/terminal";

export interface ReportedEnd {
  /** Absent if the program ended with status 0. */
  readonly problem?: string;
  readonly out: string;
  /** The end of its output, if there is a problem. */
  readonly printed: string;
  /** The program could not be started. */
  readonly missing: boolean;
}

/** The problem, with the program's output. */
export function problemOf({ problem = "", printed }: ReportedEnd): string {
  return `${problem}${printed === "" ? "" : `: ${printed}`}`;
}

/** A program may print text from a service, so its output is untrusted content. */
export function printedBy({ printed }: ReportedEnd, source: string): UntrustedSource | undefined {
  return printed === "" ? undefined : { source };
}

/** Runs a program without secrets in its environment. Never rejects: returns a problem as text. */
export async function runAndReport(
  program: string,
  args: readonly string[],
  {
    input = "",
    timeoutMs,
    signal,
    env,
  }: {
    readonly input?: string;
    readonly timeoutMs: number;
    readonly signal?: AbortSignal;
    readonly env?: { readonly [name: string]: string };
  },
): Promise<ReportedEnd> {
  const { code, by, endedBy, missing, out, err } = await runProgram({
    program,
    args,
    env: { ...plainEnvironment(), ...env },
    input,
    timeoutMs,
    signal,
  });
  const stopped = {
    time: `it timed out after ${timeoutMs / 1000} s`,
    caller: "it was stopped",
    output: "it printed too much",
  };
  const problem =
    missing ??
    (endedBy === undefined
      ? code === 0
        ? undefined
        : code === null
          ? `it was killed by ${by}`
          : `it exited with status ${code}`
      : stopped[endedBy]);
  const printed =
    [err, out]
      .map((text) => text.trim())
      .find((text) => text !== "")
      ?.slice(-500) ?? "";
  return { out, missing: missing !== undefined, printed, problem };
}
