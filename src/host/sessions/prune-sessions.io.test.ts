import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Json } from "../../contract/common/json.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { resolveHome } from "../environment/home.ts";
import { pruneSessions } from "./prune-sessions.ts";

const DAY = 86_400_000;

test("prunes old sessions once a day after the configured number of days, and ignores a failing store", async (t) => {
  const path = mkdtempSync(join(tmpdir(), "hermes-prune-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const home = resolveHome({ env: { HERMES_HOME: path }, userHome: path });
  const asked: number[] = [];
  const run = (settings: { readonly [path: string]: Json }, prune: () => Promise<[]> = async () => []) =>
    pruneSessions({
      home,
      config: (key) => settings[key],
      clock: { now: () => Date.now() },
      log: quietLog(),
      sessions: { prune: ({ olderThanMs }) => (asked.push(olderThanMs), prune()) },
    });
  await run({}, async () => Promise.reject(new Error("the disk is gone")));
  assert.deepEqual([asked, existsSync(join(path, "cache/sessions-pruned"))], [[90 * DAY], false]);
  await run({ "sessions.retention_days": 30 });
  await run({ "sessions.retention_days": 30 });
  assert.deepEqual(asked, [90 * DAY, 30 * DAY], "not again on the same day");
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  utimesSync(join(path, "cache/sessions-pruned"), yesterday, yesterday);
  await run({ "sessions.min_interval_hours": 26 });
  assert.equal(asked.length, 2);
  await run({});
  assert.equal(asked.length, 3);
});
