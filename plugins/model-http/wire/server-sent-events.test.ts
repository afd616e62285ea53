import assert from "node:assert/strict";
import { test } from "node:test";
import { BrokenStream, EventReader, type ServerSentEvent } from "./server-sent-events.ts";

const STREAM =
  "\uFEFF: hello\r\n\r\nevent: a\r\ndata: é漢🦀\r\n\r\ndata:one\rdata: two\r\r\nid: 7\ndata\n\nretry: 5\n\ndata: last";
const EVENTS: readonly ServerSentEvent[] = [
  { event: "a", data: "é漢🦀" },
  { event: "", data: "one\ntwo" },
  { event: "", data: "" },
  { event: "", data: "last" },
];

// row 27 of the fault matrix
test("parses the same server-sent events however the bytes are split into chunks", () => {
  const bytes = new TextEncoder().encode(STREAM);
  for (let size = 1; size <= bytes.length; size++) {
    const reader = new EventReader();
    const events: ServerSentEvent[] = [];
    for (let from = 0; from < bytes.length; from += size)
      events.push(...reader.push(bytes.subarray(from, from + size)));
    assert.deepEqual([...events, ...reader.end()], EVENTS, `pieces of ${size}`);
  }
});

// row 27 of the fault matrix
test("rejects an answer stream with invalid UTF-8, also at its end", () => {
  assert.throws(() => new EventReader().push(new Uint8Array([0x64, 0xc3, 0x28])), BrokenStream);
  const reader = new EventReader();
  reader.push(new Uint8Array([0x64, 0xe6, 0xbc]));
  assert.throws(() => reader.end(), BrokenStream);
});

test("joins an event of many megabytes from small pieces in linear time", () => {
  const piece = new TextEncoder().encode("x".repeat(100));
  const pieces = 600_000;
  const reader = new EventReader();
  reader.push(new TextEncoder().encode("data: "));
  for (let count = 0; count < pieces; count++)
    if (reader.push(piece).length > 0) assert.fail("an event before its end");
  assert.equal(reader.end()[0]?.data.length, pieces * 100);
});
