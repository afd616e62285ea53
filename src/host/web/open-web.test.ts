import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceOf } from "./open-web.ts";

test("what a call asked is told with its whole address, but for the one of a session, which holds a key", () => {
  const url = "wss://x.example:8443/session/key?token=key";
  assert.deepEqual([sourceOf(url), sourceOf(url, { own: true })], [url, url]);
  const signed = { slot: "browser", provider: "rented" } as const;
  assert.deepEqual([sourceOf(url, { signed }), sourceOf("no address", { signed })], ["wss://x.example:8443", ""]);
});
