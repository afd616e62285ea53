import assert from "node:assert/strict";
import { test } from "node:test";
import { syncStep } from "./sync-plan.ts";

const NONE = { here: undefined, there: undefined };
const A = { here: "a", there: "a" };

test("the side that did not change follows the one that did", () => {
  assert.equal(syncStep(NONE, { here: "a", there: undefined }, true), "send");
  assert.equal(syncStep(NONE, { here: undefined, there: "a" }, true), "take");
  assert.equal(syncStep(A, { here: "b", there: "a" }, true), "send");
  assert.equal(syncStep(A, { here: "a", there: "b" }, true), "take");
  assert.equal(syncStep(A, { here: undefined, there: "a" }, true), "send", "a deletion");
  assert.equal(syncStep(A, { here: "a", there: undefined }, true), "take", "a deletion");
  assert.equal(syncStep(A, { here: "a", there: "a" }, true), "settled");
});

test("a change on both sides is a conflict, unless it is the same", () => {
  assert.equal(syncStep(A, { here: "b", there: "c" }, true), "conflict");
  assert.equal(syncStep(A, { here: undefined, there: "c" }, true), "conflict");
  assert.equal(syncStep(A, { here: "b", there: undefined }, true), "conflict");
  assert.equal(syncStep(NONE, { here: "b", there: "c" }, true), "conflict", "what is met for the first time");
  assert.equal(syncStep(A, { here: "b", there: "b" }, true), "settled");
});

test("a reported conflict rests until one side changes again, which then wins", () => {
  const message = { here: "b", there: "c" };
  assert.equal(syncStep(message, message, true), "leave");
  assert.equal(syncStep(message, { here: "d", there: "c" }, true), "send");
  assert.equal(syncStep(message, { here: "b", there: "d" }, true), "take");
});

test("what goes one way is sent again where it is gone, and left alone where the place has changed it", () => {
  assert.equal(syncStep(A, { here: "a", there: undefined }, false), "send");
  assert.equal(syncStep(A, { here: "b", there: undefined }, false), "send");
  assert.equal(syncStep(A, { here: "a", there: "b" }, false), "leave");
  assert.equal(syncStep(NONE, { here: undefined, there: "b" }, false), "leave");
  assert.equal(syncStep(A, { here: "b", there: "c" }, false), "conflict");
});
