import { setTimeout as sleep } from "node:timers/promises";
import { ToolFailure, type PluginContext, type ToolContext } from "hermes-agent/plugin";

export interface ModelQuestion {
  /** The settings path that names the model. */
  readonly setting: string;
  readonly label: string;
  /** The task whose `auxiliary.TASK.timeout` applies. */
  readonly task: "moa_reference" | "moa_aggregator";
  readonly system?: string;
  readonly text: string;
  readonly temperature: number;
  readonly maxOutputTokens: number;
}

const ATTEMPTS = 6;
const FIRST_REST_MS = 2_000;
const LONGEST_REST_MS = 60_000;
const DEFAULT_SECONDS = 900;

/**
 * Asks the model, with up to six attempts while its service is busy and before the timeout. @throws The error of the
 * last attempt.
 */
export async function askPatiently(
  question: ModelQuestion,
  call: Pick<ToolContext, "config" | "signal">,
  ctx: Pick<PluginContext, "llm">,
): Promise<string> {
  const { label, task, text, ...rest } = question;
  const set = call.config(`auxiliary.${task}.timeout`);
  const seconds = typeof set === "number" ? set : DEFAULT_SECONDS;
  const late = AbortSignal.timeout(seconds * 1000);
  const signal = AbortSignal.any([call.signal, late]);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await ctx.llm(
        {
          ...rest,
          messages: [{ role: "user", text }],
          timeoutMs: seconds * 1000,
          purpose: `mixture_of_agents (${label})`,
          kind: "mixture",
        },
        signal,
      );
      if (answer.text.trim() !== "") return answer.text.trim();
      throw new ToolFailure("unavailable", "The answer was empty.", { data: { retryable: true } });
    } catch (cause) {
      if (late.aborted && !call.signal.aborted)
        throw new ToolFailure("timeout", `No answer within ${seconds} s (auxiliary.${task}.timeout).`, {
          cause,
        });
      const rest = restAfter(cause, attempt);
      if (rest === undefined || signal.aborted) throw cause;
      await sleep(rest, undefined, { signal }).catch(() => undefined); // After an abort, the next attempt ends with the signal's reason.
    }
  }
}

/** `undefined` if a retry would not help. */
function restAfter(cause: unknown, attempt: number): number | undefined {
  const { retryable, retry_after_ms: message } = (cause instanceof ToolFailure ? cause.data : undefined) ?? {};
  if (retryable !== true || attempt >= ATTEMPTS) return undefined;
  if (typeof message !== "number") return Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (attempt - 1));
  return message <= LONGEST_REST_MS ? message : undefined;
}
