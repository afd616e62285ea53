import type { Clock } from "../../contract/common/clock.ts";

/**
 * Waits for `work` at most `timeoutMs`. Rejects as `work` does; work that comes too late is ignored, its rejection too.
 */
export async function bounded<T>(
  work: PromiseLike<T>,
  timeoutMs: number,
  clock: Clock,
): Promise<{ readonly kind: "value"; readonly value: T } | { readonly kind: "timeout" }> {
  const late = Promise.withResolvers<{ readonly kind: "timeout" }>();
  const alarm = clock.alarm(timeoutMs, () => late.resolve({ kind: "timeout" }));
  try {
    return await Promise.race([
      Promise.resolve(work).then((value) => ({ kind: "value" as const, value })),
      late.promise,
    ]);
  } finally {
    alarm[Symbol.dispose]();
  }
}
