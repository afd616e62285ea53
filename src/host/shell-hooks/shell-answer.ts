import { parseExact } from "../../contract/common/parse-exact.ts";
import type { HookName } from "../../contract/plugins/hook.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import type { CommandRun } from "./run-command.ts";

/** The meaning of a shell hook's run. `warning` is for the log; `broken` means that it gave no valid answer. */
export interface ShellAnswer {
  readonly answer?:
    | { readonly action: "block"; readonly message: string }
    | { readonly action: "continue"; readonly message: string }
    | { readonly context: string };
  readonly warning?: string;
  readonly broken?: string;
}

/** Hooks that may refuse a call. */
export const GUARDS: readonly HookName[] = ["pre_tool_call", "pre_command"];
const REFUSED = 2;

/**
 * Output is a JSON object or nothing. Status 2 of a guard refuses, with what it wrote to its error output; any other
 * but 0 without a decision is a guard that broke.
 */
export function answerOf(event: HookName, run: CommandRun): ShellAnswer {
  if (run.endedBy === "failed") return { broken: run.reason! };
  const guard = GUARDS.includes(event);
  const message = run.stdout.trim();
  const decision = message === "" ? undefined : objectIn(message);
  const answer = decision === undefined ? undefined : decided(event, decision);
  if (answer !== undefined)
    return {
      answer,
      warning:
        run.exitCode === 0 || (guard && run.exitCode === REFUSED) ? undefined : `ended with status ${run.exitCode}`,
    };
  if (guard && run.exitCode === REFUSED)
    return { answer: { action: "block", message: run.stderr.trim().slice(0, 2_000) || BLOCKED } };
  if (run.exitCode !== 0 && decision === undefined)
    return {
      broken: `ended with status ${run.exitCode}${run.stderr.trim() === "" ? "" : `: ${run.stderr.trim().slice(0, 400)}`}`,
    };
  if (run.exitCode !== 0) return { warning: `ended with status ${run.exitCode}` };
  return message !== "" && decision === undefined ? { warning: "did not write a JSON object" } : {};
}

const BLOCKED = "Blocked by shell hook.";

function decided(event: HookName, decision: JsonObject): ShellAnswer["answer"] {
  const word = decision["action"] ?? decision["decision"];
  const text = [decision["message"], decision["reason"]].find(
    (one): one is string => typeof one === "string" && one !== "",
  );
  if (GUARDS.includes(event))
    return word === "block" || word === "deny" ? { action: "block", message: text ?? BLOCKED } : undefined;
  if (event === "pre_verify")
    return (word === "continue" || word === "block") && text !== undefined
      ? { action: "continue", message: text }
      : undefined;
  const { context } = decision;
  return event === "pre_llm_call" && typeof context === "string" && context !== "" ? { context } : undefined;
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = parseExact(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // Text, not a decision; the caller reports it.
  }
}
