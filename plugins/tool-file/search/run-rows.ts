import { quoted } from "hermes-agent/plugin";
import type { Place } from "../access/task-files.ts";

/**
 * Separators for the fields of a row and for a line end in a path: characters that file names do not contain in
 * practice.
 */
export const FIELD = "\u001f";
const LINE_END_IN_PATH = "\u001e";

export interface RawRows {
  /** The first `keep` rows. */
  readonly rows: readonly string[];
  readonly total: number;
  readonly exitCode: number;
  readonly timedOut: boolean;
}

/** Makes one NUL of many, and cuts each row. */
const BOUNDED = "LC_ALL=C tr -s '\\000' | LC_ALL=C cut -b 1-6000 | ";
const TIMEOUT_MS = 60_000;
const MAX_BYTES = 8_000_000;

/**
 * Runs a search program and returns its first rows and the total number of rows.
 * The rows are truncated and counted in the environment, so that a million matches are not transferred.
 * @param options.nulEnds Rows end with NUL (lists of paths); otherwise with a line end, and NUL parts their fields.
 * @param options.text Rows may have runs of NULs, as in a log that was truncated while a program wrote it.
 */
export async function runRows(
  command: string,
  place: Place,
  options: { readonly cwd: string; readonly keep: number; readonly nulEnds: boolean; readonly text?: boolean },
): Promise<RawRows> {
  // A row without a field is the beginning of a path that contains a line end: it belongs to the next row.
  const join = `LC_ALL=C sed -e ':a' -e '/${FIELD}/!{' -e '$!{' -e 'N' -e 's/\\n/${LINE_END_IN_PATH}/' -e 'ba' -e '}' -e '}'`;
  const translate = options.nulEnds
    ? `LC_ALL=C tr '\\n\\000' '\\036\\n'`
    : `${options.text === true ? BOUNDED : ""}LC_ALL=C tr '\\000' '\\037' | ${join}`;
  const end = options.nulEnds ? "\\000" : "\\n";
  // The last line is the number of lines, the one before it the program's exit status.
  const script = `{ ${command}; printf 'exit %d${end}' "$?"; } 2>/dev/null </dev/null | ${translate} | LC_ALL=C sed -n -e '1,${options.keep}p' -e '$p' -e '$='`;
  const result = await place.run(script, { timeoutMs: TIMEOUT_MS, cwd: options.cwd, maxOutputBytes: MAX_BYTES });
  if (result.endedBy !== "exit")
    return {
      rows: result.output.split("\n").slice(0, options.keep).map(restore),
      total: 0,
      exitCode: 0,
      timedOut: result.endedBy === "timeout",
    };
  const lines = result.output.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const total = Number(lines.pop()) - 1;
  const exitCode = Number(/^exit (\d+)$/.exec(lines.pop() ?? "")?.[1] ?? 2);
  return {
    rows: lines.slice(0, Math.min(options.keep, total)).map(restore),
    total: Math.max(0, total),
    exitCode,
    timedOut: false,
  };
}

/** The files that a program reports as binary, of those that match; the first ones. */
export async function binaryNames(command: string, place: Place, cwd: string): Promise<readonly string[]> {
  const forms = [
    "s/^Binary file \\(.*\\) matches$/\\1/p",
    "s/^grep: \\(.*\\): binary file matches$/\\1/p",
    "s/^\\(.*\\): binary file matches (found .*)$/\\1/p",
  ];
  const sed = words("sed", "-n", ...forms.flatMap((form) => ["-e", form]));
  const result = await place.run(`{ ${command} ; } 2>&1 </dev/null | LC_ALL=C ${sed} | head -n ${MAX_BINARIES}`, {
    timeoutMs: TIMEOUT_MS,
    cwd,
  });
  return result.endedBy === "exit" ? result.output.split("\n").filter((name) => name !== "") : [];
}

const MAX_BINARIES = 50;

/** A program's error message. */
export async function whyFailed(command: string, place: Place, cwd: string): Promise<string> {
  const result = await place.run(`{ ${command} ; } 2>&1 >/dev/null </dev/null | head -c 2000`, {
    timeoutMs: 10_000,
    cwd,
  });
  return result.output.trim();
}

/** Joins words into a command and quotes each. */
export function words(...parts: readonly string[]): string {
  return parts.map(quoted).join(" ");
}

function restore(row: string): string {
  return row.replaceAll(LINE_END_IN_PATH, "\n");
}
