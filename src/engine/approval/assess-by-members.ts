import type { Assessment } from "../../contract/tools/assessment.ts";
import type { Effect } from "../../contract/tools/effect.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { AnyTool, RiskContext } from "../../contract/tools/tool.ts";

/** How a tool is asked. */
export interface AssessOptions {
  readonly log?: Logger;
  /** The session holds untrusted content. Only then is the deprecated `reach` called. */
  readonly untrusted: boolean;
}

/** The members of a tool that predate `assess`. */
export const DEPRECATED_MEMBERS = ["risk", "provenance", "reach", "touches", "survey"] as const;

export function hasDeprecatedMembers(tool: AnyTool): boolean {
  return (
    tool.risk !== undefined ||
    typeof tool.effect === "function" ||
    tool.provenance !== undefined ||
    tool.reach !== undefined ||
    tool.touches !== undefined ||
    tool.survey !== undefined
  );
}

/**
 * The assessment of a tool that has the deprecated members in place of `assess`. Each member fails as it always did:
 * `risk` and `reach` deny the call, an unknown effect counts as `execute`, unknown provenance as untrusted, unknown
 * paths as the session's directory. Answers without a promise if all members do.
 */
export function assessByMembers(
  tool: AnyTool,
  input: unknown,
  context: RiskContext,
  { log, untrusted }: AssessOptions,
): Assessment | Promise<Assessment> {
  const report = (asked: string) => (cause: unknown) =>
    log?.error(`The tool "${tool.name}" failed to report its ${asked}; dispatch assumes the strictest answer.`, {
      cause,
    });
  const { effect } = tool;
  const answers = [
    typeof effect === "function"
      ? orElse<Effect>(
          () => effect(input, context),
          "execute",
          () => {},
        ) // `risk` reports what is wrong with the input.
      : effect,
    attempt(() => tool.risk?.(input, context)),
    attempt(() => (untrusted ? tool.reach?.(input, context) : [])),
    orElse(() => tool.touches?.(input, context), [context.cwd], report("touched paths")),
  ] as const;
  const join = (values: { readonly [at in keyof typeof answers]: Awaited<(typeof answers)[at]> }): Assessment => {
    const [effectThen, risk, egress, touches] = values;
    return {
      effect: effectThen,
      risk: risk ?? undefined,
      egress: tool.reach === undefined ? undefined : egress,
      untrusted: tool.provenance && (async () => (await tool.provenance!(input, context)) ?? false),
      touches,
      survey: tool.survey && ((signal) => tool.survey!(input, context, signal)),
    };
  };
  return answers.some((answer) => answer instanceof Promise)
    ? Promise.all(answers).then(join)
    : join(answers as Parameters<typeof join>[0]);
}

/** A failure is a rejection, so that the other members' promises are not left alone. */
function attempt<T>(ask: () => T | Promise<T>): T | Promise<T> {
  try {
    return ask();
  } catch (cause) {
    return Promise.reject(cause);
  }
}

function orElse<T>(ask: () => T | Promise<T>, otherwise: T, report: (cause: unknown) => void): T | Promise<T> {
  const failed = (cause: unknown): T => {
    report(cause);
    return otherwise;
  };
  try {
    const answer = ask();
    return answer instanceof Promise ? answer.catch(failed) : answer;
  } catch (cause) {
    return failed(cause);
  }
}
