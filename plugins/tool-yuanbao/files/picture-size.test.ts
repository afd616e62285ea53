import assert from "node:assert/strict";
import { test } from "node:test";
import { pictureSize } from "./picture-size.ts";

test("reads a picture's size from its header, and returns none for other files", () => {
  const png = Buffer.from("89504e470d0a1a0a0000000d494844520000000300000002", "hex");
  const jpeg = Buffer.from("ffd8ffe000040000ffc40004ffffffc2000b08000200030100", "hex");
  assert.deepEqual(
    [
      pictureSize(png),
      pictureSize(Buffer.from("GIF89a\x03\0\x02\0", "latin1")),
      pictureSize(jpeg),
      pictureSize(Buffer.from("RIFF")),
      pictureSize(png.subarray(0, 20)),
    ],
    [{ width: 3, height: 2 }, { width: 3, height: 2 }, { width: 3, height: 2 }, undefined, undefined],
  );
});
