import assert from "node:assert/strict";
import { test } from "node:test";
import { UserError } from "../../contract/common/failure.ts";
import { parseSchedule } from "./parse-schedule.ts";

const NOW = Date.UTC(2026, 10, 23, 0, 30);

/** As hermes-agent 0.19.0 reads them, displays included. */
const READ: readonly (readonly [text: string, schedule: object])[] = [
  ["every 30m", { kind: "interval", minutes: 30, display: "every 30m" }],
  ["every 2h", { kind: "interval", minutes: 120, display: "every 120m" }],
  ["every 1d", { kind: "interval", minutes: 1440, display: "every 1440m" }],
  ["Every 5M", { kind: "interval", minutes: 5, display: "every 5m" }],
  ["  every 90 minutes ", { kind: "interval", minutes: 90, display: "every 90m" }],
  ["30m", { kind: "once", run_at: "2026-11-23T01:00:00+00:00", display: "once in 30m" }],
  ["2 hours", { kind: "once", run_at: "2026-11-23T02:30:00+00:00", display: "once in 2 hours" }],
  ["1d", { kind: "once", run_at: "2026-11-24T00:30:00+00:00", display: "once in 1d" }],
  ["0 9 * * *", { kind: "cron", expr: "0 9 * * *", display: "0 9 * * *" }],
  ["*/5 * * * *", { kind: "cron", expr: "*/5 * * * *", display: "*/5 * * * *" }],
  ["0 9 * * 1-5", { kind: "cron", expr: "0 9 * * 1-5", display: "0 9 * * 1-5" }],
  ["5 4 * * 7", { kind: "cron", expr: "5 4 * * 7", display: "5 4 * * 7" }],
  ["0 9 * * * 30", { kind: "cron", expr: "0 9 * * * 30", display: "0 9 * * * 30" }],
  ["2026-12-01T09:00:00", { kind: "once", run_at: "2026-12-01T09:00:00+00:00", display: "once at 2026-12-01 09:00" }],
  ["2026-12-01 09:00", { kind: "once", run_at: "2026-12-01T09:00:00+00:00", display: "once at 2026-12-01 09:00" }],
  ["2026-12-01", { kind: "once", run_at: "2026-12-01T00:00:00+00:00", display: "once at 2026-12-01 00:00" }],
  [
    "2026-12-01T09:00:00+02:00",
    { kind: "once", run_at: "2026-12-01T07:00:00+00:00", display: "once at 2026-12-01 07:00" },
  ],
  ["2026-11-23T00:29:00Z", { kind: "once", run_at: "2026-11-23T00:29:00+00:00", display: "once at 2026-11-23 00:29" }],
];

test("parses a schedule as the original does", async () => {
  for (const [text, schedule] of READ) assert.deepEqual(await parseSchedule(text, NOW, "UTC"), schedule, text);
});

test("converts days and hours in words to a cron expression", async () => {
  for (const [text, expr] of [
    ["every day at 9am", "0 9 * * *"],
    ["every 1d at 09:00", "0 9 * * *"],
    ["every sunday 9am", "0 9 * * 0"],
    ["every Mon at 18:30", "30 18 * * 1"],
    ["every weekday at 12am", "0 0 * * 1-5"],
    ["every weekend 12:15pm", "15 12 * * 0,6"],
  ] as const) {
    assert.deepEqual(await parseSchedule(text, NOW, "UTC"), { kind: "cron", expr, display: expr }, text);
  }
});

test("reads a time without an offset in the configured time zone", async () => {
  assert.deepEqual(await parseSchedule("2026-07-01T09:00", NOW - 180 * 86_400_000, "Europe/Berlin"), {
    kind: "once",
    run_at: "2026-07-01T09:00:00+02:00",
    display: "once at 2026-07-01 09:00",
  });
  assert.deepEqual(await parseSchedule("2026-12-01T09:00", NOW, "America/New_York"), {
    kind: "once",
    run_at: "2026-12-01T09:00:00-05:00",
    display: "once at 2026-12-01 09:00",
  });
});

test("refuses an invalid schedule and lists the accepted forms", async () => {
  for (const text of [
    "",
    "bogus",
    "every",
    "every 0m",
    "0m",
    "every 1.5h",
    "1w",
    "every 30 s",
    "@daily",
    "0 9 * * MON",
    "* * * *",
    "T",
    "every sunday",
    "every day 25:00",
    "every day 13pm",
    "2026-02-30",
    "2026-12-01T24:00",
  ]) {
    await assert.rejects(
      parseSchedule(text, NOW, "UTC"),
      (error) =>
        error instanceof UserError && /not a schedule/.test(error.message) && /every 30m/.test(error.hint ?? ""),
      text,
    );
  }
});

test("refuses a cron expression that is invalid or never fires, and a time in the past", async () => {
  await assert.rejects(parseSchedule("61 * * * *", NOW, "UTC"), /cannot be read/);
  await assert.rejects(parseSchedule("0 0 31 2 *", NOW, "UTC"), /never matches/);
  await assert.rejects(parseSchedule("0 0 1 1 * 0 2020", NOW, "UTC"), /never matches/);
  await assert.rejects(parseSchedule("2026-11-23T00:27:59", NOW, "UTC"), /in the past/);
});
