import type { Program } from "../evaluate/call.ts";
import { type Flow, UNSEEN } from "../risk/effect.ts";
import { type OptionSpec, parseOptions } from "../parse/options.ts";

interface Wrapper extends OptionSpec {
  /** The number of operands before the command. */
  readonly skip?: number;
  /** Options whose value is shell text. */
  readonly shell?: readonly string[];
  /** Joins the operands and passes them to a shell. */
  readonly joined?: boolean;
  /** The subcommand that runs a command: `uv run`, `poetry run`. */
  readonly verb?: readonly string[];
  /** Options whose value is a file that is written. */
  readonly writes?: readonly string[];
}

/** A program that runs its remaining arguments as a command. */
export function wrapper(spec: Wrapper = {}): Program {
  return (call) => {
    let args = call.args;
    if (spec.verb) {
      const at = args.findIndex((arg) => !arg.startsWith("-"));
      if (at === -1 || !spec.verb.includes(args[at]!)) return;
      args = args.slice(at + 1);
    }
    const options = parseOptions(args, {
      ...spec,
      long: [...(spec.long ?? []), ...(spec.shell ?? []).filter((name) => name.length > 1)],
      stop: true,
    });
    for (const target of options.values(...(spec.writes ?? [])))
      if (/^[|!]/.test(target)) {
        call.by.harm("option-runs", `${call.program} sends its output to ${target.slice(1)}`);
        call.by.script(target.slice(1), call);
      } else call.by.write(target, call);
    let flow: Flow = UNSEEN;
    for (const text of options.values(...(spec.shell ?? []))) flow = call.by.script(text, call);
    const words = options.operands.slice(spec.skip ?? 0);
    if (words.length === 0) return flow;
    return spec.joined
      ? call.by.script(words.join(" "), call)
      : call.by.run(words[0] === "--" ? words.slice(1) : words, call);
  };
}
