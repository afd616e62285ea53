import { judgeCommand, riskOfCommand, type CommandContext } from "./command.ts";
import { denyingRule } from "./deny-rules.ts";
import type { RuleEntry } from "./rule-entries.ts";
import { rulesCover } from "./rules.ts";

export interface FailedExample {
  readonly rule: string;
  readonly example: string;
  /** The rule owner's expectation: the example is allowed, or it is not. */
  readonly expected: "allow" | "deny";
}

/**
 * Examples that a rule does not keep. Of a rule that allows, `allow` commands must run without a question and `deny`
 * commands must not be covered; of one that denies, `deny` commands or paths must be refused and `allow` ones left
 * alone.
 */
export async function failedExamples(
  list: "allow" | "deny",
  entries: readonly RuleEntry[],
  context: CommandContext,
): Promise<readonly FailedExample[]> {
  const failed: FailedExample[] = [];
  for (const { rule, examples } of entries) {
    for (const expected of ["allow", "deny"] as const) {
      for (const example of examples[expected]) {
        const allowed =
          list === "allow"
            ? await allows(rule, example, context, expected === "allow")
            : !(await denies(rule, example, context));
        if (allowed !== (expected === "allow")) failed.push({ rule, example, expected });
      }
    }
  }
  return failed;
}

/** @param harmless What is answered for a command that needs no rule. */
async function allows(rule: string, command: string, context: CommandContext, harmless: boolean): Promise<boolean> {
  const risk = riskOfCommand(await judgeCommand(command, context));
  return risk === undefined ? harmless : rulesCover([rule], risk, command);
}

async function denies(rule: string, example: string, context: CommandContext): Promise<boolean> {
  for (const args of [{ command: example }, { path: example }, { url: example }])
    if ((await denyingRule([rule], args, context)) !== undefined) return true;
  return false;
}
