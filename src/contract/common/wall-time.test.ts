import assert from "node:assert/strict";
import { test } from "node:test";
import { formatWallTime, wallDay, wallTime } from "./wall-time.ts";

const AT = Date.UTC(2026, 4, 17, 22, 30, 5);

test("converts a moment to the date and time of a time zone", () => {
  assert.deepEqual(wallTime(AT, "Asia/Tokyo"), { year: 2026, month: 5, day: 18, hour: 7, minute: 30, second: 5 });
  assert.equal(wallDay(wallTime(AT, "America/New_York")), "2026-05-17");
  assert.equal(wallTime(Date.UTC(2026, 0, 1, 0, 0), "UTC").hour, 0);
  assert.equal(wallTime(AT, "").minute, new Date(AT).getMinutes());
});

test("formats a time by its format string", () => {
  const time = wallTime(AT, "Asia/Tokyo");
  assert.deepEqual(
    ["%H:%M", "%I:%M %p", "%F %T", "100%% %x"].map((format) => formatWallTime(time, format)),
    ["07:30", "07:30 AM", "2026-05-18 07:30:05", "100% %x"],
  );
});
