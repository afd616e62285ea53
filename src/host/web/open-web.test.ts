import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceOf } from "./open-web.ts";

test("reports the whole address of a request, but only the origin of a session address with a key", () => {
  const url = "wss://x.example:8443/session/key?token=key";
  assert.deepEqual([sourceOf(url), sourceOf(url, { own: true })], [url, url]);
  const signed = { slot: "browser", provider: "rented" } as const;
  assert.deepEqual([sourceOf(url, { signed }), sourceOf("no address", { signed })], ["wss://x.example:8443", ""]);
});
