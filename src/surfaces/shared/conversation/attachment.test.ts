import assert from "node:assert/strict";
import { test } from "node:test";
import { attachmentOf } from "./attachment.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("detects the image type from the first bytes, not from the name", () => {
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

test("refuses a file that is no image or too big, with a hint", () => {
  assert.throws(() => attachmentOf("paper.pdf", Buffer.from("%PDF-1.7")), {
    message: '"paper.pdf" is not an image that models can read.',
    hint: "Use PNG, JPEG, GIF or WebP, not .pdf.",
  });
  assert.throws(
    () => attachmentOf("big.png", Buffer.concat([PNG, Buffer.alloc(6 * 1024 * 1024)])),
    /"big\.png" is 6\.0 MB; the limit is 5 MB\./,
  );
});
