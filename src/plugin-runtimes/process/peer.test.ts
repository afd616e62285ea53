import assert from "node:assert/strict";
import { test } from "node:test";
import { Peer } from "./peer.ts";

function listener() {
  const taken: unknown[] = [];
  const garbage: string[] = [];
  const peer = new Peer(
    {
      write: () => undefined,
      answer: () => null,
      take: (method, params) => void taken.push([method, params]),
      garbage: (line) => void garbage.push(line.slice(0, 20)),
      overlong: () => void garbage.push("overlong"),
    },
    "a",
  );
  return { peer, taken, garbage };
}

test("reads messages in any pieces", () => {
  const { peer, taken, garbage } = listener();
  const text =
    '{"method":"one","params":{"n":1}}\n\n{"method":"two","params":{"t":"a\\nb"}}\nno message\n{"method":"three"}\n';
  for (const size of [1, 2, 3, 7, 40, 1000])
    for (let at = 0; at < text.length; at += size) peer.receive(text.slice(at, at + size));
  assert.deepEqual(
    taken,
    Array.from({ length: 6 }, () => [
      ["one", { n: 1 }],
      ["two", { t: "a\nb" }],
      ["three", {}],
    ]).flat(),
  );
  assert.deepEqual(
    garbage,
    Array.from({ length: 6 }, () => "no message"),
  );
});

test("reads a message of very many pieces in linear time, and drops one without end", () => {
  const { peer, taken, garbage } = listener();
  const piece = "x".repeat(100);
  peer.receive('{"method":"long","params":{"t":"');
  for (let at = 0; at < 400_000; at += 1) peer.receive(piece);
  peer.receive('"}}\n');
  assert.equal(taken.length, 1);
  const block = "y".repeat(1 << 20);
  for (let at = 0; at < 70; at += 1) peer.receive(block);
  peer.receive('\n{"method":"after"}\n');
  assert.deepEqual([taken.at(-1), garbage[0]], [["after", {}], "overlong"]);
});
