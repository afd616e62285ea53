import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "hermes-agent/plugin";
import { pruneCheckpoints } from "./prune-checkpoints.ts";
import type { Checkpoint } from "./snapshot-store.ts";

const DAY_MS = 86_400_000;

/** Checkpoints, the newest first, each of them as large as the others. @returns The numbers of those that stay. */
function left(
  given: readonly { readonly root?: string; readonly days?: number }[],
  config: JsonObject,
  megabytes = 1,
): readonly number[] {
  let stored = given.map(
    ({ root = "/a", days = 0 }, id) => ({ id, root, at: Date.now() - days * DAY_MS }) as Checkpoint,
  );
  const store = {
    checkpoints: () => stored,
    get bytes() {
      return stored.length * megabytes * 1_000_000;
    },
  };
  pruneCheckpoints(store, config, (gone) => (stored = stored.filter((one) => !gone.includes(one))));
  return stored.map(({ id }) => id);
}

test("keeps the configured number of newest checkpoints for each folder", () => {
  assert.deepEqual(left([{}, { root: "/b" }, {}, {}, { root: "/b" }], { max_snapshots: 2 }), [0, 1, 2, 4]);
});

test("deletes checkpoints beyond the age limit, if there is one", () => {
  const given = [{ days: 1 }, { days: 6 }, { days: 8 }];
  assert.deepEqual(left(given, {}), [0, 1]);
  assert.deepEqual(left(given, { retention_days: 3 }), [0]);
  assert.deepEqual(left(given, { auto_prune: false }), [0, 1, 2]);
});

test("deletes the oldest beyond the total size, never the newest", () => {
  assert.deepEqual(left([{}, {}, {}, {}], { max_total_size_mb: 2 }), [0, 1]);
  assert.deepEqual(left([{}, {}], { max_total_size_mb: 2 }, 100), [0]);
});
