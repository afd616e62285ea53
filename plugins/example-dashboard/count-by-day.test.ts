import assert from "node:assert/strict";
import { test } from "node:test";
import { countByDay } from "./count-by-day.ts";

const at = (day: number, hour: number): number => new Date(2026, 2, day, hour).getTime();

test("lists every day of the span with the conversations started on it", () => {
  const sessions = [
    { startedAt: at(29, 1), turns: 2 },
    { startedAt: at(29, 23), turns: 3 },
    { startedAt: at(31, 0), turns: 1 },
    { startedAt: at(1, 12), turns: 9 },
  ];
  assert.deepEqual(countByDay(sessions, 3, at(31, 22)), [
    { day: "2026-03-29", sessions: 2, turns: 5 },
    { day: "2026-03-30", sessions: 0, turns: 0 },
    { day: "2026-03-31", sessions: 1, turns: 1 },
  ]);
});
