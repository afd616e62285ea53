import type { HarmId } from "../risk/harms.ts";
import type { Call, Program } from "../evaluate/call.ts";
import { UNSEEN } from "../risk/effect.ts";
import { fileWords, optionHarms } from "../risk/unknown-options.ts";

/** A harm that a program does if its arguments match. */
export interface WordRule {
  readonly looks: RegExp;
  readonly harm: HarmId | "power";
}

export const when = (looks: RegExp, harm: HarmId | "power"): WordRule => ({ looks, harm });

export function byWords(...rules: readonly WordRule[]): Program {
  return (call) => {
    const text = call.args.join(" ");
    const rule = rules.find(({ looks }) => looks.test(text));
    if (rule === undefined)
      call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
    else if (rule.harm === "power") call.by.add({ kind: "power", action: `${call.program} ${text}` });
    else call.by.harm(rule.harm, `${call.program} ${text}`);
    optionHarms(call);
    fileWords(call, false);
    runsBehind(call);
    return UNSEEN;
  };
}

/** Judges the command after `--`: `teller run -- make`, `toolbox enter x -- ls`. */
export function runsBehind(call: Call, state = call.state): void {
  const dashes = call.args.indexOf("--");
  if (dashes > 0 && call.args.slice(0, Math.min(dashes, 4)).some((arg) => RUN_VERB.test(arg)))
    call.by.run(call.args.slice(dashes + 1), call, UNSEEN, state);
}

const RUN_VERB = /^(run|exec|x|shell|ssh|enter|start|use|with|sh|command)$/;

/** Table entries for several programs with the same rules. */
export function together(names: string, ...rules: readonly WordRule[]): Readonly<Record<string, Program>> {
  const program = byWords(...rules);
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, program]));
}

/** Applies a program's rules, then judges the command that `inner` finds among its arguments. */
export function thenRuns(
  program: Program,
  inner: (args: readonly string[]) => readonly string[] | string | undefined,
): Program {
  return (call: Call) => {
    const flow = program(call);
    const found = inner(call.args);
    if (typeof found === "string") call.by.script(found, call);
    else if (found?.length === 1 && /\s/.test(found[0]!)) call.by.script(found[0]!, call);
    else if (found !== undefined && found.length > 0) call.by.run(found, call, UNSEEN);
    return flow;
  };
}

export const afterDashes = (args: readonly string[]): readonly string[] =>
  args.includes("--") ? args.slice(args.indexOf("--") + 1) : [];
