import assert from "node:assert/strict";
import { test } from "node:test";
import { FileMemory } from "./task-memory.ts";

const old = { modifiedMs: 1, bytes: 10 };
const newer = { modifiedMs: 2, bytes: 10 };

// req: tool-file.write-file
test("marks a file as stale after a sibling wrote it, it changed or only a part of it was read", () => {
  const memory = new FileMemory();
  assert.equal(memory.staleness("a", "/f", old), undefined, "a file that was never read is not stale");
  memory.read("a", "/f", old, false);
  assert.equal(memory.staleness("a", "/f", old), "partial");
  memory.read("a", "/f", old, true);
  assert.equal(memory.staleness("a", "/f", old), undefined);
  assert.equal(memory.staleness("a", "/f", newer), "changed");
  memory.wrote("b", "/f", newer);
  assert.equal(memory.staleness("a", "/f", newer), "sibling");
  assert.equal(memory.staleness("b", "/f", newer), undefined);
  memory.read("a", "/f", newer, true);
  assert.equal(memory.staleness("a", "/f", newer), undefined);
});

test("any other call resets the count of equal calls", () => {
  const { run } = new FileMemory().task("a");
  assert.deepEqual(
    ["x", "x", "y", "x"].map((key) => run.count(key)),
    [1, 2, 1, 1],
  );
  run.end();
  assert.equal(run.count("x"), 1);
});

test("limits what it remembers and drops the oldest first", () => {
  const memory = new FileMemory();
  const task = memory.task("a");
  for (let index = 0; index < 1_500; index++) task.given.set(`p${index}`, { file: "/f", stamp: old, times: 1 });
  assert.equal(task.given.entries().length, 1_000);
  assert.equal(task.given.get("p499"), undefined);
  assert.notEqual(task.given.get("p500"), undefined);
  task.forget("/f");
  assert.equal(task.given.entries().length, 0);
  for (let index = 0; index < 300; index++) memory.task(`t${index}`);
  assert.notEqual(memory.task("a"), task, "the memory drops the oldest task");
});
