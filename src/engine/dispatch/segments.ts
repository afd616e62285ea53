/** Runs of items that may go side by side, in order; every other item is alone. */
export function segments<T>(items: readonly T[], parallel: (item: T) => boolean): readonly (readonly T[])[] {
  const runs: T[][] = [];
  let open: T[] | undefined;
  for (const item of items) {
    if (!parallel(item)) {
      runs.push([item]);
      open = undefined;
    } else if (open === undefined) runs.push((open = [item]));
    else open.push(item);
  }
  return runs;
}

/**
 * Runs all, at most `limit` at a time, started in order. Rejects with the first rejection after all that were started
 * have ended.
 */
export async function sideBySide<T>(
  items: readonly T[],
  limit: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const failures: unknown[] = [];
  const lane = async () => {
    for (const item of waiting) {
      if (failures.length > 0) return;
      try {
        await run(item);
      } catch (cause) {
        failures.push(cause);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, lane));
  if (failures.length > 0) throw failures[0];
}
