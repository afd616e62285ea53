import assert from "node:assert/strict";
import { test } from "node:test";
import { streamText } from "./stream-text.ts";

const shown = (text: string, room = 0) => streamText(text, { cursor: " ▉", room });

test("a text that is being written is shown with its cursor, once it is worth it and cannot be a word for silence", () => {
  assert.deepEqual(
    ["", "Hi", "NO_RE", "[SILENT]", "*silent*"].map((text) => shown(text)),
    Array(5).fill(undefined),
  );
  assert.equal(shown("Nowhere \n"), "Nowhere ▉");
});

test("tags for files, and their beginnings, are not shown", () => {
  for (const begun of [
    "Here it is.\nM",
    "Here it is.\nMEDIA:/a/b c",
    "Here it is.\n[[audio_as",
    "Here it is.\n[[audio_as_voice]]\nMEDIA:/a/b.ogg",
  ])
    assert.equal(shown(begun), "Here it is. ▉", begun);
});

test("what is too long for one message is shown as far as it goes", () => {
  const text = shown("word ".repeat(100), 200)!;
  assert.ok(text.endsWith("…") && text.length <= 100, text);
});
