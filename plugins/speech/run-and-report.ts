import type { UntrustedSource } from "hermes-agent/plugin";
import { plainEnvironment, runProgram } from "hermes-agent/terminal";

export interface ReportedEnd {
  /** Absent when it ended by itself with status 0. */
  readonly problem?: string;
  readonly out: string;
  /** The last that it printed, of a problem. */
  readonly printed: string;
  /** It could not be started. */
  readonly missing: boolean;
}

/** What went wrong, with what the program printed. */
export function problemOf({ problem = "", printed }: ReportedEnd): string {
  return `${problem}${printed === "" ? "" : `: ${printed}`}`;
}

/** A program may print what a service told it: whose words those are nobody knows. */
export function printedBy({ printed }: ReportedEnd, source: string): UntrustedSource | undefined {
  return printed === "" ? undefined : { source };
}

/** Runs a program without anybody's secrets in its environment; what went wrong is in words. Never rejects. */
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
    time: `it did not end within ${timeoutMs / 1000} s`,
    caller: "it was stopped",
    output: "it printed too much",
  };
  const problem =
    missing ??
    (endedBy === undefined
      ? code === 0
        ? undefined
        : code === null
          ? `it was ended by ${by}`
          : `it ended with status ${code}`
      : stopped[endedBy]);
  const printed =
    [err, out]
      .map((text) => text.trim())
      .find((text) => text !== "")
      ?.slice(-500) ?? "";
  return { out, missing: missing !== undefined, printed, problem };
}
