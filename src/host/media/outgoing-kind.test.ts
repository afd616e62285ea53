import assert from "node:assert/strict";
import { test } from "node:test";
import { kindOfFile } from "./outgoing-kind.ts";

const kind = (name: string, how: { readonly voice?: boolean; readonly asDocument?: boolean } = {}) =>
  kindOfFile(name, { voice: false, asDocument: false, ...how });

test("derives the kind from the extension in any case, and defaults to a document", () => {
  assert.deepEqual(
    ["a.PNG", "b.jpeg", "c.webm", "d.MOV", "e.flac", "f.ogg", "g.pdf", "h", ".png"].map((name) => kind(name)),
    ["image", "image", "video", "video", "audio", "audio", "document", "document", "document"],
  );
});

test("sends a voice message only in formats that chats can play, and a picture as a file on request", () => {
  assert.deepEqual(
    ["a.ogg", "a.opus", "a.m4a", "a.wav", "a.flac", "a.png"].map((name) => kind(name, { voice: true })),
    ["voice", "voice", "voice", "audio", "audio", "image"],
  );
  assert.deepEqual(
    [
      kind("a.png", { asDocument: true }),
      kind("a.ogg", { asDocument: true }),
      kind("a.ogg", { voice: true, asDocument: true }),
    ],
    ["document", "document", "voice"],
  );
});
