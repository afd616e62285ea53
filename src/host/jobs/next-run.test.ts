import assert from "node:assert/strict";
import { test } from "node:test";
import type { Job, Schedule } from "../../contract/services/job.ts";
import { dueTime } from "./due-time.ts";
import { graceOf, nextRun } from "./next-run.ts";
import { fromWall, toIso } from "./zoned-time.ts";

const cron = (expr: string): Schedule => ({ kind: "cron", expr, display: expr });
const every = (minutes: number): Schedule => ({ kind: "interval", minutes, display: "" });
const at = (iso: string): number => Date.parse(iso);
const BERLIN = "Europe/Berlin";

async function following(schedule: Schedule, from: string, count: number): Promise<readonly string[]> {
  const times: string[] = [];
  for (let now = at(from); times.length < count;)
    times.push(toIso((now = (await nextRun(schedule, now, BERLIN))!), BERLIN));
  return times;
}

// row 38 of the fault matrix
test("a daily job runs once a day across both daylight-saving changes", async () => {
  assert.deepEqual(await following(cron("30 2 * * *"), "2026-03-28T12:00:00Z", 2), [
    "2026-03-29T03:00:00+02:00",
    "2026-03-30T02:30:00+02:00",
  ]);
  assert.deepEqual(await following(cron("30 2 * * *"), "2026-10-24T12:00:00Z", 2), [
    "2026-10-25T02:30:00+02:00",
    "2026-10-26T02:30:00+01:00",
  ]);
  assert.deepEqual(await following(cron("0 9 * * *"), "2026-03-28T12:00:00Z", 2), [
    "2026-03-29T09:00:00+02:00",
    "2026-03-30T09:00:00+02:00",
  ]);
  assert.deepEqual(await following(cron("*/30 * * * *"), "2026-10-25T00:00:00Z", 4), [
    "2026-10-25T02:30:00+02:00",
    "2026-10-25T02:00:00+01:00",
    "2026-10-25T02:30:00+01:00",
    "2026-10-25T03:00:00+01:00",
  ]);
});

test("day of month and day of week are alternatives, and a sixth field is seconds", async () => {
  assert.deepEqual(await following(cron("0 0 13 * 5"), "2026-11-07T12:00:00Z", 2), [
    "2026-11-13T00:00:00+01:00",
    "2026-11-20T00:00:00+01:00",
  ]);
  assert.deepEqual(await following(cron("0 9 * * * 30"), "2026-11-07T12:00:00Z", 1), ["2026-11-08T09:00:30+01:00"]);
});

test("an interval keeps its schedule after a late run, and runs once for all missed times", async () => {
  const due = at("2026-11-23T09:00:00Z");
  assert.equal(await nextRun(every(30), due + 4_000, "UTC", due), due + 30 * 60_000);
  assert.equal(await nextRun(every(30), due + 100 * 60_000, "UTC", due), due + 120 * 60_000);
  assert.equal(
    await nextRun(every(30), due - 86_400_000, "UTC", due),
    due - 86_400_000 + 30 * 60_000,
    "a clock that was set back",
  );
});

test("a run counts as on time within half its period, at least two minutes and at most two hours", async () => {
  const due = at("2026-11-23T09:00:00Z");
  assert.deepEqual(
    await Promise.all(
      [every(1), every(60), every(1440), cron("0 9 * * *"), cron("*/10 * * * *")].map((schedule) =>
        graceOf(schedule, due, "UTC"),
      ),
    ),
    [120_000, 1_800_000, 7_200_000, 7_200_000, 300_000],
  );
});

// row 38 of the fault matrix
test("recomputes a due time that is no longer valid", async () => {
  const job = (part: Partial<Job>): Job =>
    ({ enabled: true, triggered_at: null, next_run_at: null, last_run_at: null, ...part }) as Job;
  const now = at("2026-11-23T06:00:00Z");
  // Nine o'clock in New York is still to come in Berlin's terms, where it is seven now.
  assert.equal(
    await dueTime(job({ schedule: cron("0 9 * * *"), next_run_at: "2026-11-23T09:00:00-05:00" }), now, BERLIN),
    at("2026-11-23T08:00:00Z"),
  );
  assert.equal(
    await dueTime(job({ schedule: every(30), next_run_at: "2026-11-24T06:00:00Z" }), now, "UTC"),
    now + 30 * 60_000,
    "the clock was set back by a day",
  );
  assert.equal(
    await dueTime(job({ schedule: every(30) }), now, "UTC"),
    now + 30 * 60_000,
    "the job has no stored time",
  );
  const once = (run_at: string): Schedule => ({ kind: "once", run_at, display: "" });
  assert.equal(await dueTime(job({ schedule: once("2026-11-23T05:59:00Z") }), now, "UTC"), now - 60_000);
  assert.equal(await dueTime(job({ schedule: once("2026-11-23T05:57:00Z") }), now, "UTC"), undefined);
  assert.equal(
    await dueTime(job({ schedule: once("2026-11-23T05:57:00Z"), next_run_at: "2026-11-23T05:57:00Z" }), now, "UTC"),
    now - 180_000,
    "a job that never ran is due at its recorded time",
  );
  assert.equal(
    await dueTime(job({ schedule: every(30), enabled: false, next_run_at: "2026-11-23T05:57:00Z" }), now, "UTC"),
    undefined,
  );
  assert.equal(
    await dueTime(job({ schedule: every(30), enabled: false, triggered_at: "2026-11-23T05:57:00Z" }), now, "UTC"),
    now - 180_000,
  );
});

test("resolves an ambiguous wall time to the earlier moment, and a skipped one to after the jump", () => {
  const moment = (day: number, month: number, hour: number): string =>
    toIso(fromWall({ year: 2026, month, day, hour, minute: 30, second: 0 }, BERLIN), BERLIN);
  assert.deepEqual(
    [moment(25, 10, 2), moment(29, 3, 2), moment(1, 7, 9)],
    ["2026-10-25T02:30:00+02:00", "2026-03-29T03:30:00+02:00", "2026-07-01T09:30:00+02:00"],
  );
});
