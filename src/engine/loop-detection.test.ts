import assert from "node:assert/strict";
import { test } from "node:test";
import type { SettledOutcome } from "../contract/outcome.ts";
import { LoopDetection } from "./loop-detection.ts";

const ok = (text: string): SettledOutcome => ({ kind: "ok", shown: [{ type: "text", text }] });

test("the same result for the same arguments is counted, however they are written", () => {
  const loops = new LoopDetection();
  assert.equal(loops.settled("read", "{\"a\":1,\"b\":2}", ok("x"), "read"), 1);
  assert.equal(loops.settled("read", "{ \"b\": 2, \"a\": 1 }", ok("x"), "read"), 2);
  assert.equal(loops.count("read", "{\"b\":2,\"a\":1}"), 2);
  assert.equal(loops.settled("read", "{\"a\":1,\"b\":2}", ok("y"), "read"), 1, "another result begins anew");
  assert.equal(loops.count("read", "{\"a\":2}"), 0);
});

test("failures and arguments that are no JSON count like all else", () => {
  const loops = new LoopDetection();
  const failed: SettledOutcome = { kind: "failed", code: "x", message: "no" };
  loops.settled("run", "{\"a", failed, "execute");
  assert.equal(loops.settled("run", "{\"a", failed, "execute"), 2);
});

test("a change that was not seen before clears the others, one that was does not", () => {
  const loops = new LoopDetection();
  loops.settled("test", "{}", ok("red"), "execute");
  loops.settled("edit", "{\"n\":1}", ok("ok"), "write");
  assert.equal(loops.count("test", "{}"), 0);
  loops.settled("test", "{}", ok("red"), "execute");
  loops.settled("edit", "{\"n\":1}", ok("ok"), "write");
  assert.equal(loops.settled("test", "{}", ok("red"), "execute"), 2, "going round between two calls is a loop");
});
