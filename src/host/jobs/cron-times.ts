import { UserError } from "../../contract/common/failure.ts";

/** The times of a cron expression. */
export interface CronTimes {
  /** The first after `at`, epoch ms. */
  after(at: number): number | undefined;
}

/**
 * Five fields; a sixth is seconds, a seventh years. Days of the month and of the week are either-or, as cron has them.
 * A time that clocks jump over comes right behind the jump, and one that they show twice comes once, unless it comes
 * every hour.
 * @throws {UnreadableSchedule}
 */
export async function cronTimes(expr: string, zone: string): Promise<CronTimes> {
  const { Cron } = await import("croner");
  const [minute, hour, day, month, weekday, second, year, ...more] = expr.trim().split(/\s+/);
  if (weekday === undefined || more.length > 0) throw new UnreadableSchedule("it must have five to seven fields");
  const fields = [
    ...(second === undefined ? [] : [second]),
    minute,
    hour,
    day,
    month,
    weekday,
    ...(year === undefined ? [] : [year]),
  ];
  try {
    const cron = new Cron(fields.join(" "), { timezone: zone, paused: true });
    return { after: (at) => cron.nextRun(new Date(at))?.getTime() };
  } catch (cause) {
    throw new UnreadableSchedule((cause as Error).message.replace(/^Cron\w*: /, ""), { cause });
  }
}

export class UnreadableSchedule extends UserError {}
