import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { droppedImages } from "./dropped-images.ts";

test("paths of images as terminals paste them are images; other texts are texts", () => {
  const folder = mkdtempSync(join(tmpdir(), "dropped-"));
  try {
    const [plain, spaced] = [join(folder, "a.png"), join(folder, "my shot.JPG")];
    for (const path of [plain, spaced, join(folder, "notes.txt")]) writeFileSync(path, "");
    const dropped = (text: string): readonly string[] => droppedImages(text, "/");
    assert.deepEqual(dropped(plain), [plain]);
    assert.deepEqual(dropped(`${plain} `), [plain]);
    assert.deepEqual(dropped(spaced.replace(" ", "\\ ")), [spaced]);
    assert.deepEqual(dropped(`'${spaced}' "${plain}"`), [spaced, plain]);
    assert.deepEqual(dropped(`file://${encodeURI(spaced)}`), [spaced]);
    assert.deepEqual(dropped(`look at ${plain}`), []);
    assert.deepEqual(dropped("a.png"), [], "a relative name may be a word of the message");
    assert.deepEqual(dropped(join(folder, "nowhere.png")), []);
    assert.deepEqual(dropped(join(folder, "notes.txt")), []);
    assert.deepEqual(dropped(""), []);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
