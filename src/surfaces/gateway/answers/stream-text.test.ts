import assert from "node:assert/strict";
import { test } from "node:test";
import { streamText } from "./stream-text.ts";

const shown = (text: string, room = 0) => streamText(text, { cursor: " ▉", room });

test("shows text with a cursor once it is long enough and cannot become a silence marker", () => {
  assert.deepEqual(
    ["", "Hi", "NO_RE", "[SILENT]", "*silent*"].map((text) => shown(text)),
    Array(5).fill(undefined),
  );
  assert.equal(shown("Nowhere \n"), "Nowhere ▉");
});

test("hides file tags and incomplete tags", () => {
  for (const begun of [
    "Here it is.\nM",
    "Here it is.\nMEDIA:/a/b c",
    "Here it is.\n[[audio_as",
    "Here it is.\n[[audio_as_voice]]\nMEDIA:/a/b.ogg",
  ])
    assert.equal(shown(begun), "Here it is. ▉", begun);
});

test("truncates text beyond one message", () => {
  const text = shown("word ".repeat(100), 200)!;
  assert.ok(text.endsWith("…") && text.length <= 100, text);
});
