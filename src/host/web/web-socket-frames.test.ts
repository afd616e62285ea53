import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameError, frameOf, FrameReader, OPCODES, type Incoming } from "./web-socket-frames.ts";

/** A frame as a server sends it: bare. */
function bare(first: number, payload: Uint8Array, length = payload.length): Buffer {
  const head =
    length < 126
      ? Buffer.from([first, length])
      : length < 65_536
        ? Buffer.from([first, 126, length >> 8, length & 255])
        : Buffer.concat([Buffer.from([first, 127]), Buffer.from(BigInt(length).toString(16).padStart(16, "0"), "hex")]);
  return Buffer.concat([head, payload]);
}

const text = (words: string, first = 0x81): Buffer => bare(first, Buffer.from(words));
const shown = (all: readonly Incoming[]) =>
  all.map((one) =>
    one.kind === "message"
      ? typeof one.message === "string"
        ? one.message
        : [...one.message]
      : one.kind === "close"
        ? one.reason === ""
          ? one.code
          : `${one.code} ${one.reason}`
        : one.kind,
  );

test("reads messages of every length the same, however the stream is split", () => {
  const stream = Buffer.concat([
    text("a"),
    text("b".repeat(126)),
    bare(0x82, Buffer.alloc(70_000, 7)),
    text(""),
    bare(0x89, Buffer.from("?")),
    text("he", 0x01),
    bare(0x8a, Buffer.alloc(0)),
    text("llo", 0x80),
    bare(0x88, Buffer.from([3, 0xe8, ...Buffer.from("enough")])),
  ]);
  const expected = ["a", "b".repeat(126), [...Buffer.alloc(70_000, 7)], "", "ping", "pong", "hello", "1000 enough"];
  for (const step of [1, 3, 1_000, stream.length]) {
    const reader = new FrameReader(100_000);
    const found: Incoming[] = [];
    for (let at = 0; at < stream.length; at += step) found.push(...reader.take(stream.subarray(at, at + step)));
    assert.deepEqual(shown(found), expected, `in steps of ${step}`);
  }
});

test("refuses a frame that breaks the protocol or is too long as soon as its header says so", () => {
  const cases: readonly (readonly [Buffer, RegExp])[] = [
    [bare(0xc1, Buffer.from("x")), /extension/],
    [frameOf(OPCODES.text, Buffer.from("x")), /masked/],
    [bare(0x09, Buffer.alloc(1)), /control frame/],
    [Buffer.from([0x89, 126, 0, 200]), /control frame/],
    [text("x", 0x80), /out of order/],
    [Buffer.concat([text("x", 0x01), text("y", 0x81)]), /out of order/],
    [text("x", 0x83), /of an unknown kind/],
    [bare(0x81, Buffer.from([0xff, 0xfe])), /not valid UTF-8/],
    // Announced, and nothing of it has come.
    [bare(0x82, Buffer.alloc(0), 1_001), /longer than 1000 bytes/],
    [Buffer.from("827fffffffffffffffff", "hex"), /longer than 1000 bytes/],
    [Buffer.concat([bare(0x02, Buffer.alloc(600)), bare(0x80, Buffer.alloc(0), 600)]), /longer than 1000 bytes/],
  ];
  for (const [bytes, words] of cases) {
    assert.throws(
      () => new FrameReader(1_000).take(bytes),
      (cause) => cause instanceof FrameError && words.test(cause.message),
      bytes.toString("hex").slice(0, 40),
    );
  }
});

test("masks each sent message with a new key, and the mask decodes it", () => {
  for (const length of [0, 5, 126, 65_535, 65_536]) {
    const payload = Buffer.alloc(length, 65);
    const frame = frameOf(OPCODES.binary, payload);
    const head = length < 126 ? 2 : length < 65_536 ? 4 : 10;
    assert.deepEqual([frame[0], frame[1]! & 0x80, frame.length], [0x82, 0x80, head + 4 + length]);
    const mask = frame.subarray(head, head + 4);
    assert.deepEqual(
      frame.subarray(head + 4).map((byte, at) => byte ^ mask[at & 3]!),
      payload,
    );
  }
  assert.notDeepEqual(frameOf(OPCODES.text, Buffer.from("same")), frameOf(OPCODES.text, Buffer.from("same")));
});
