import assert from "node:assert/strict";
import { test } from "node:test";
import { whyReset, type ResetPolicy } from "./session-reset.ts";

const policy = (mode: ResetPolicy["mode"], more: Partial<ResetPolicy> = {}): ResetPolicy => ({
  mode,
  atHour: 4,
  idleMinutes: 60,
  notify: true,
  ...more,
});
const at = (day: number, hour: number, minute = 0): number => new Date(2030, 5, day, hour, minute).getTime();

test("resets at the configured hour or after the idle time; by default never", () => {
  const table: readonly [ResetPolicy["mode"], last: number, now: number, why: ReturnType<typeof whyReset>][] = [
    ["none", at(1, 12), at(9, 12), undefined],
    ["daily", at(1, 12), at(1, 23, 59), undefined],
    ["daily", at(1, 23), at(2, 3, 59), undefined],
    ["daily", at(1, 23), at(2, 4), "daily"],
    ["daily", at(2, 3, 59), at(2, 4, 1), "daily"],
    ["daily", at(2, 4), at(2, 4, 1), undefined],
    ["idle", at(1, 12), at(1, 12, 59), undefined],
    ["idle", at(1, 12), at(1, 13), "idle"],
    ["idle", at(2, 3, 59), at(2, 4, 1), undefined],
    ["both", at(2, 3, 59), at(2, 4, 1), "daily"],
    ["both", at(1, 12), at(2, 12), "idle"],
  ];
  for (const [mode, last, now, why] of table)
    assert.equal(
      whyReset(policy(mode), last, now),
      why,
      `${mode} ${new Date(last).toString()} ${new Date(now).toString()}`,
    );
  assert.equal(whyReset(policy("daily", { atHour: 0 }), at(1, 23), at(2, 0)), "daily");
});
