import { ToolFailure } from "hermes-agent/plugin";

/** The value of `work`; rejects when the tool call is stopped before. */
export async function stoppable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
    work.catch(() => undefined); // After a stop, no caller receives the outcome.
  }
}

/** Every answer of these tools says whether it is a success. */
export function failed(code: string, message: string, hint?: string): ToolFailure {
  return new ToolFailure(code, message, { data: { success: false }, hint });
}
