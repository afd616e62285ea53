import assert from "node:assert/strict";
import { test } from "node:test";
import { cleanParts, nextInputs } from "./next-inputs.ts";
import type { QueuedInput } from "../transcript/transcript.ts";

const input = (inputId: string, mode: "queue" | "steer" = "queue") =>
  ({ inputId, mode, origin: "person", parts: [] }) as unknown as QueuedInput;
const ids = (...given: Parameters<typeof nextInputs>) => nextInputs(...given).map(({ inputId }) => inputId);

test("messages get one turn each, the oldest first; one that interrupts goes first", () => {
  assert.deepEqual(ids([], undefined), []);
  assert.deepEqual(ids([input("a"), input("b")], undefined), ["a"]);
  assert.deepEqual(ids([input("a"), input("b")], "b"), ["b"]);
  assert.deepEqual(ids([input("a")], "gone"), ["a"]);
});

test("late steering messages share one turn, up to the next ordinary message", () => {
  assert.deepEqual(ids([input("a", "steer"), input("b", "steer"), input("c"), input("d", "steer")], undefined), [
    "a",
    "b",
  ]);
  assert.deepEqual(ids([input("a", "steer"), input("b", "steer")], undefined), ["a", "b"]);
});

test("stores only whole characters, refuses empty messages, and accepts a picture alone", () => {
  assert.deepEqual(cleanParts("a\ud800b"), [{ type: "text", text: "a\ufffdb" }]);
  const picture = { type: "image", mediaType: "image/png", data: "" } as never;
  assert.deepEqual(cleanParts([picture]), [picture]);
  for (const empty of ["", " \n", []])
    assert.throws(() => cleanParts(empty), { name: "UserError", message: "The message is empty." });
});
