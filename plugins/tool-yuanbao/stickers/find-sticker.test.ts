import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolFailure } from "hermes-agent/plugin";
import { STICKERS } from "./catalogue.ts";
import { findStickers, stickerOf } from "./find-sticker.ts";

test("finds a sticker by its name, ID, topic or a similar name", () => {
  const first = (words: string): string | undefined => findStickers(words, 10)[0]?.name;
  assert.deepEqual(["比心", "252", "笔芯", "LOVE", " 666 ", "kiss"].map(first), [
    "比心",
    "比心",
    "比心",
    "比心",
    "六六六",
    "亲亲",
  ]);
  assert.deepEqual(findStickers("", 3), STICKERS.slice(0, 3));
  assert.deepEqual(findStickers("quite unlike anything", 10), []);
  assert.equal(findStickers("爱", 2).length, 2);
});

test("takes the named sticker, refuses an unknown name, and picks a random one without a name", () => {
  assert.deepEqual(
    [stickerOf("278").name, stickerOf("六六六").id, stickerOf("", () => 0.999).id],
    ["六六六", "278", STICKERS.at(-1)!.id],
  );
  assert.throws(
    () => stickerOf("qqqq"),
    (cause) => cause instanceof ToolFailure && cause.code === "not_found" && Array.isArray(cause.data?.["candidates"]),
  );
});
