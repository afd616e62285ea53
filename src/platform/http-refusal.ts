import { ToolFailure } from "../contract/common/failure.ts";
import type { SendResult } from "../contract/providers/platform.ts";

/** A request that a chat service refused, or that did not reach it. Its message holds no secret. */
export class HttpRefusal extends Error {
  /** 0: no answer. */
  readonly status: number;
  /** The pause that the service asks for. */
  readonly retryAfterMs: number | undefined;
  /** Whether the service may have carried the request out. */
  readonly unsure: boolean;
  /** The parsed JSON of the answer, or its text. */
  readonly body: unknown;

  constructor(
    message: string,
    options: {
      readonly status: number;
      readonly retryAfterMs?: number;
      readonly unsure?: boolean;
      readonly body?: unknown;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.name = "HttpRefusal";
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
    this.unsure = options.unsure ?? false;
    this.body = options.body;
  }
}

/** Whether a request surely did not leave this machine: no server there, or the guard refused it. */
export function neverSent(cause: unknown): boolean {
  if (cause instanceof ToolFailure && cause.code === "blocked") return true;
  const { code } = ((cause as Error).cause ?? cause) as { readonly code?: string };
  return ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"].includes(code ?? "");
}

/**
 * Runs a request that sends a message, and turns a refusal into the adapter's result: another try may help after no
 * answer, 408, 429 and 5xx. A message that may have arrived becomes a `TimeoutError`, which the gateway reports instead
 * of sending again.
 */
export async function sendResult(work: () => Promise<SendResult>): Promise<SendResult> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof HttpRefusal)) throw cause;
    if (cause.unsure) throw Object.assign(new Error(cause.message, { cause }), { name: "TimeoutError" });
    return {
      success: false,
      error: cause.message,
      retryable: cause.status === 0 || cause.status === 408 || cause.status === 429 || cause.status >= 500,
      retry_after: cause.retryAfterMs === undefined ? undefined : cause.retryAfterMs / 1_000,
    };
  }
}
