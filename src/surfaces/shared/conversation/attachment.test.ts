import assert from "node:assert/strict";
import { test } from "node:test";
import { attachmentOf } from "./attachment.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("what an image is stands in its first bytes, whatever its name says", () => {
  assert.deepEqual(attachmentOf("/home/me/shot.txt", PNG), {
    name: "shot.txt",
    part: { type: "image", mediaType: "image/png", data: PNG.toString("base64") },
  });
  const typeOf = (head: string): string => attachmentOf("x", Buffer.from(head, "latin1")).part.mediaType;
  assert.deepEqual(["\xff\xd8\xff\xe0rest", "GIF89a", "RIFF\0\0\0\0WEBP"].map(typeOf), [
    "image/jpeg",
    "image/gif",
    "image/webp",
  ]);
});

test("no image and one too big are refused, with what helps", () => {
  assert.throws(() => attachmentOf("paper.pdf", Buffer.from("%PDF-1.7")), {
    message: '"paper.pdf" is no image that models read.',
    hint: "PNG, JPEG, GIF and WebP are, not .pdf.",
  });
  assert.throws(
    () => attachmentOf("big.png", Buffer.concat([PNG, Buffer.alloc(6 * 1024 * 1024)])),
    /"big\.png" is 6\.0 MB; services take images of up to 5 MB\./,
  );
});
