import assert from "node:assert/strict";
import { test } from "node:test";
import { syncStep } from "./sync-plan.ts";

const NONE = { here: undefined, there: undefined };
const A = { here: "a", there: "a" };

test("the unchanged side takes the version of the changed side", () => {
  assert.equal(syncStep(NONE, { here: "a", there: undefined }, true), "send");
  assert.equal(syncStep(NONE, { here: undefined, there: "a" }, true), "take");
  assert.equal(syncStep(A, { here: "b", there: "a" }, true), "send");
  assert.equal(syncStep(A, { here: "a", there: "b" }, true), "take");
  assert.equal(syncStep(A, { here: undefined, there: "a" }, true), "send", "a deletion");
  assert.equal(syncStep(A, { here: "a", there: undefined }, true), "take", "a deletion");
  assert.equal(syncStep(A, { here: "a", there: "a" }, true), "settled");
});

test("a change on both sides is a conflict, unless both are equal", () => {
  assert.equal(syncStep(A, { here: "b", there: "c" }, true), "conflict");
  assert.equal(syncStep(A, { here: undefined, there: "c" }, true), "conflict");
  assert.equal(syncStep(A, { here: "b", there: undefined }, true), "conflict");
  assert.equal(syncStep(NONE, { here: "b", there: "c" }, true), "conflict", "a path that neither side had before");
  assert.equal(syncStep(A, { here: "b", there: "b" }, true), "settled");
});

test("a reported conflict waits until one side changes again, and then that side wins", () => {
  const message = { here: "b", there: "c" };
  assert.equal(syncStep(message, message, true), "leave");
  assert.equal(syncStep(message, { here: "d", there: "c" }, true), "send");
  assert.equal(syncStep(message, { here: "b", there: "d" }, true), "take");
});

test("a one-way file is sent again if it is missing, and left alone if the other side changed it", () => {
  assert.equal(syncStep(A, { here: "a", there: undefined }, false), "send");
  assert.equal(syncStep(A, { here: "b", there: undefined }, false), "send");
  assert.equal(syncStep(A, { here: "a", there: "b" }, false), "leave");
  assert.equal(syncStep(NONE, { here: undefined, there: "b" }, false), "leave");
  assert.equal(syncStep(A, { here: "b", there: "c" }, false), "conflict");
});
