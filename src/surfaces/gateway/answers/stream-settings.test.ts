import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../../contract/common/json.ts";
import { streamWays } from "./stream-settings.ts";

const DEFAULTS: { readonly [path: string]: Json } = {
  "streaming.enabled": false,
  "streaming.transport": "auto",
  "streaming.edit_interval": 0.8,
  "streaming.cursor": " ▉",
};
const ways = (set: { readonly [path: string]: Json }) =>
  streamWays(
    {
      get: (path) => set[path] ?? DEFAULTS[path],
      explain: (path) => ({ value: undefined, source: path in set ? "file" : "default" }),
    },
    "telegram",
  );

test("does not stream by default; the platform's setting wins over streaming, which wins over gateway.streaming", () => {
  assert.equal(ways({}), undefined);
  assert.deepEqual(ways({ "streaming.enabled": true }), { everyMs: 800, cursor: " ▉" });
  assert.deepEqual(
    ways({ "gateway.streaming.enabled": true, "gateway.streaming.edit_interval": 2, "streaming.cursor": "" }),
    { everyMs: 2_000, cursor: "" },
  );
  assert.deepEqual(ways({ "streaming.mode": "edit" }), { everyMs: 800, cursor: " ▉" });
  assert.ok(ways({ "display.platforms.telegram.streaming": true }));
  const offs: readonly { readonly [path: string]: Json }[] = [
    { "streaming.enabled": true, "display.platforms.telegram.streaming": false },
    { "streaming.enabled": true, "streaming.transport": "off" },
    { "streaming.mode": "off" },
    { "streaming.enabled": false, "gateway.streaming.enabled": true },
  ];
  for (const off of offs) assert.equal(ways(off), undefined, JSON.stringify(off));
});
