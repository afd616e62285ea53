export interface Day {
  /** `2026-05-17`, in local time. */
  readonly day: string;
  readonly sessions: number;
  readonly turns: number;
}

/** The last days up to `now` with the conversations started on each; includes empty days. */
export function countByDay(
  sessions: readonly { readonly startedAt: number; readonly turns: number }[],
  days: number,
  now: number,
): readonly Day[] {
  const last = new Date(now);
  // A calendar day may have 23 or 25 hours.
  const names = Array.from({ length: days }, (_, back) =>
    nameOf(new Date(last.getFullYear(), last.getMonth(), last.getDate() - (days - 1 - back))),
  );
  return names.map((day) => {
    const own = sessions.filter(({ startedAt }) => nameOf(new Date(startedAt)) === day);
    return { day, sessions: own.length, turns: own.reduce((sum, { turns }) => sum + turns, 0) };
  });
}

function nameOf(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
