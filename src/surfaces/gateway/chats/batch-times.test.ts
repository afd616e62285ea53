import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../contract/common/json.ts";
import type { TextBatch } from "../../../contract/providers/platform-offers.ts";
import { batchDelayMs, batchTimes } from "./batch-times.ts";

const DISCORD: TextBatch = { delay_seconds: 0.6, split_delay_seconds: 2, split_length: 1_900 };

function times(
  variables: { readonly [name: string]: string },
  extra: JsonObject = {},
  declared: TextBatch | undefined = DISCORD,
): readonly [number, number] {
  const { delayMs, splitMs } = batchTimes("discord", declared, extra, (name) => variables[name]);
  return [delayMs, splitMs];
}

// req: platforms.batch-tuning
test("variables win over settings, which win over the plugin's delays; an invalid value has no effect", () => {
  const set = { HERMES_DISCORD_TEXT_BATCH_DELAY_SECONDS: "1", HERMES_DISCORD_TEXT_BATCH_SPLIT_DELAY_SECONDS: "3" };
  const extra = { text_batch_delay_seconds: 4, text_batch_split_delay_seconds: 5 };
  assert.deepEqual(times({}), [600, 2_000]);
  assert.deepEqual(times(set, extra), [1_000, 3_000]);
  assert.deepEqual(times({}, extra), [4_000, 5_000]);
  assert.deepEqual(times({ HERMES_DISCORD_TEXT_BATCH_DELAY_SECONDS: "soon" }), [600, 2_000]);
  assert.deepEqual(times({ HERMES_DISCORD_TEXT_BATCH_DELAY_SECONDS: "-1" }), [600, 2_000]);
  assert.deepEqual(times({ HERMES_DISCORD_TEXT_BATCH_DELAY_SECONDS: "99" }), [10_000, 2_000]);
  assert.deepEqual(times({ HERMES_DISCORD_TEXT_BATCH_DELAY_SECONDS: "0" }), [0, 0]);
  assert.deepEqual(batchTimes("signal", undefined, {}, () => undefined).delayMs, 0);
});

test("a message waits by its length, an album for its pictures, and a platform without joining waits for nothing", () => {
  const usual = batchTimes(
    "telegram",
    {
      ...DISCORD,
      short_delays: [
        [320, 0.18],
        [1_024, 0.24],
      ],
    },
    {},
    () => undefined,
  );
  const wait = (length: number, media_group_id?: string): number =>
    batchDelayMs({ text: "x".repeat(length), media_group_id }, usual);
  assert.deepEqual([wait(10), wait(900), wait(1_500), wait(1_900), wait(5, "album")], [180, 240, 600, 2_000, 800]);
  const none = batchTimes("signal", undefined, {}, () => undefined);
  assert.equal(batchDelayMs({ text: "x".repeat(9_000), media_group_id: undefined }, none), 0);
});
