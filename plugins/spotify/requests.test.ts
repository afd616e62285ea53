import assert from "node:assert/strict";
import { test } from "node:test";
import { searchRequest } from "./catalogue-requests.ts";
import { devicesRequest, limitOf, playbackRequest, queueRequest } from "./player-requests.ts";

const ID = "4uLU6hMCjMI75M1A2tKUQC";

test("accepts ids, URIs and page URLs, without duplicates", () => {
  const { body } = playbackRequest({
    action: "play",
    uris: [ID, `spotify:track:${ID}`, `https://open.spotify.com/track/${ID}?si=x`],
    position_ms: -5,
  });
  assert.deepEqual(body, { uris: [`spotify:track:${ID}`], position_ms: 0 });
  assert.deepEqual(playbackRequest({ action: "play" }).body, {});
  assert.deepEqual(queueRequest({ action: "add", uri: `spotify:track:${ID}` }).query, {
    uri: `spotify:track:${ID}`,
    device_id: undefined,
  });
});

test("limits numbers to Spotify's range and converts booleans to its values", () => {
  assert.deepEqual([limitOf(undefined), limitOf(0), limitOf(7.9), limitOf(500)], [20, 1, 7, 50]);
  assert.equal(playbackRequest({ action: "set_volume", volume_percent: 250 }).query?.["volume_percent"], 100);
  assert.deepEqual(
    ["on", true, "No"].map((state) => playbackRequest({ action: "set_shuffle", state }).query?.["state"]),
    ["true", "true", "false"],
  );
});

test("refuses incomplete input and names what is missing", () => {
  for (const [input, words] of [
    [{ action: "seek" }, /position_ms/],
    [{ action: "set_repeat", state: "twice" }, /track, context or off/],
    [{ action: "set_shuffle", state: "maybe" }, /true or false/],
    [{ action: "play", context_uri: `spotify:album:${ID}`, uris: [ID] }, /not both/],
    [{ action: "recently_played", after: 1, before: 2 }, /Use after or before, not both/],
    [{ action: "dance" }, /Unknown action "dance"/],
  ] as const)
    assert.throws(() => playbackRequest(input), words);
  assert.throws(() => devicesRequest({ action: "transfer", device_id: " " }), /device_id/);
  assert.throws(() => searchRequest({ query: " " }), /empty/);
  assert.throws(() => searchRequest({ query: "x", types: ["song"] }), /not "song"/);
});
