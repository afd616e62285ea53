import type { Program } from "../evaluate/call.ts";
import { UNSEEN } from "../risk/effect.ts";
import { type OptionSpec, parseOptions } from "../parse/options.ts";
import { contents } from "./filters.ts";

interface Reader extends OptionSpec {
  /** The number of operands before the files: a pattern, a program. */
  readonly skip?: number;
  /** Options that give the pattern instead of an operand. */
  readonly insteadOfSkip?: readonly string[];
  /** Options whose value is a file that is written. */
  readonly writes?: readonly string[];
  /** Options whose value is a program that is run. */
  readonly runs?: readonly string[];
  /** Prints names, sizes or counts, never the content. */
  readonly meta?: boolean;
  /** The second operand is written. */
  readonly secondIsOutput?: boolean;
  readonly recursive?: readonly string[];
  /** Reads folders recursively, and the current folder if none is named: ripgrep. */
  readonly walks?: boolean;
  /** Options whose value is a file with file names or settings. The program prints lines that it cannot use. */
  readonly reads?: readonly string[];
}

/** Usual pagers and compressors. */
const SHOWS = /^(?:less|more|most|cat|never|delta|gzip|bzip2|xz|lz4|zstd|pigz)(?: -[\w-]+)*$/;

/** A program that reads the given files and prints their content. */
export function reader(spec: Reader): Program {
  return (call) => {
    const options = parseOptions(call.args, {
      ...spec,
      short: [
        spec.short ?? "",
        ...[...(spec.writes ?? []), ...(spec.runs ?? []), ...(spec.reads ?? [])].filter((name) => name.length === 1),
      ].join(""),
      long: [...(spec.long ?? []), ...(spec.writes ?? []), ...(spec.runs ?? []), ...(spec.reads ?? [])].filter(
        (name) => name.length > 1,
      ),
    });
    for (const program of options.values(...(spec.runs ?? [])))
      if (!SHOWS.test(program)) {
        call.by.harm("option-runs", `${call.program} runs ${program}`);
        call.by.script(program, call, { stdin: UNSEEN });
      }
    for (const file of options.values(...(spec.reads ?? []))) call.by.read(file, call);
    for (const target of options.values(...(spec.writes ?? []))) call.by.write(target, call);
    const skip = spec.insteadOfSkip?.some((name) => options.has(name)) ? 0 : (spec.skip ?? 0);
    const files = options.operands.slice(skip);
    if (spec.secondIsOutput && files[1] !== undefined) call.by.write(files[1], call);
    const recursive = spec.walks ?? spec.recursive?.some((name) => options.has(name)) ?? false;
    // `grep -r` ignores its input; ripgrep prefers it to the current folder.
    if (recursive && files.length === 0 && !spec.meta && !(spec.walks && call.stdin.from === "pipe"))
      call.by.read(".", call, { recursive, shown: true });
    for (const file of spec.secondIsOutput ? files.slice(0, 1) : files) {
      if (spec.meta) continue;
      call.by.read(file, call, { recursive, shown: true });
    }
    return spec.meta ? UNSEEN : contents(files, call);
  };
}

/** A program that prints facts about files, never their content. */
export const meta = (spec: OptionSpec = {}): Program => reader({ ...spec, meta: true });
