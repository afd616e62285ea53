import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolFailure } from "hermes-agent/plugin";
import { STICKERS } from "./catalogue.ts";
import { findStickers, stickerOf } from "./find-sticker.ts";

test("a sticker is found by its name, its id, what it is about, and what comes near", () => {
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

test("one that is named is taken, none that is not; without a name it is any", () => {
  assert.deepEqual(
    [stickerOf("278").name, stickerOf("六六六").id, stickerOf("", () => 0.999).id],
    ["六六六", "278", STICKERS.at(-1)!.id],
  );
  assert.throws(
    () => stickerOf("qqqq"),
    (cause) => cause instanceof ToolFailure && cause.code === "not_found" && Array.isArray(cause.data?.["candidates"]),
  );
});
