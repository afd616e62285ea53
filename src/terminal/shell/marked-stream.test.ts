import assert from "node:assert/strict";
import { test } from "node:test";
import { ControlReader } from "./control-reader.ts";
import { MarkedStream } from "./marked-stream.ts";

test("output ends at its end mark, however it is split, and later output is dropped", async () => {
  const text = "one \u0001end no\u0001 two\u0001end x 7\u0001 of another";
  for (const size of [1, 2, 5, 9, 100]) {
    const stream = new MarkedStream("\u0001end x ");
    let seen = "";
    let over = false;
    const ended = stream.until("7", (bytes) => void (seen += Buffer.from(bytes).toString())).then(() => (over = true));
    for (let at = 0; at < text.length; at += size) stream.push(Buffer.from(text.slice(at, at + size)));
    await ended;
    assert.deepEqual([seen, over], ["one \u0001end no\u0001 two", true], `pieces of ${size}`);
  }
});

test("drops output before a start mark, however it is split", async () => {
  const text = "late \u0001end x 7\u0001 words\u0001end x s1\u0001one\u0001end x 7\u0001 of another";
  for (const size of [1, 2, 5, 9, 100]) {
    const stream = new MarkedStream("\u0001end x ");
    let seen = "";
    const ended = stream.until("7", (bytes) => void (seen += Buffer.from(bytes).toString()), "s1");
    for (let at = 0; at < text.length; at += size) stream.push(Buffer.from(text.slice(at, at + size)));
    await ended;
    assert.equal(seen, "one", `pieces of ${size}`);
  }
});

test("holds back only a possible start of a mark", () => {
  const stream = new MarkedStream("\u0001end x ");
  let seen = "";
  void stream.until("7", (bytes) => void (seen += Buffer.from(bytes).toString()));
  stream.push(Buffer.from("early words"));
  assert.equal(seen, "early words");
  stream.push(Buffer.from("a\u0001"));
  assert.equal(seen, "early wordsa");
  stream.push(Buffer.from("b"));
  assert.equal(seen, "early wordsa\u0001b");
});

test("separates notices from noise of the transport", () => {
  const reader = new ControlReader();
  const bytes = Buffer.from("Warning: it is late\nat 0 /two words/漢\0done 12 3 /a\nb\0Connection closed.\r\n");
  const notices = [...bytes].flatMap((_, at) => reader.read(bytes.subarray(at, at + 1)));
  assert.deepEqual(notices, [
    { kind: "at", id: "0", rest: "/two words/漢" },
    { kind: "done", id: "12", rest: "3 /a\nb" },
  ]);
  assert.equal(reader.noise, "Warning: it is late\nConnection closed.");
});
