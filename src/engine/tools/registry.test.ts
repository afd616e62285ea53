import assert from "node:assert/strict";
import { test } from "node:test";
import { quietLog } from "../../testing/quiet-log.ts";
import { Registry } from "./registry.ts";

// req: registry.collision
test("the later registration of a name wins, with one warning that names both owners", () => {
  const log = quietLog();
  const registry = new Registry<string>("tool", log);
  registry.add("x", "first", "alpha");
  registry.add("x", "second", "beta");
  assert.equal(registry.get("x"), "second");
  assert.equal(registry.owner("x"), "beta");
  assert.deepEqual(log.lines, [
    {
      level: "warning",
      name: "",
      message: 'The tool "x" of "alpha" is replaced by the one of "beta".',
      detail: { name: "x", was: "alpha", now: "beta" },
    },
  ]);
});

test("the earlier registration returns when the later one is disposed, in any order", () => {
  const registry = new Registry<number>("tool", quietLog());
  registry.add("x", 1, "a");
  const second = registry.add("x", 2, "b");
  const third = registry.add("x", 3, "c");
  second[Symbol.dispose]();
  assert.equal(registry.get("x"), 3);
  third[Symbol.dispose]();
  third[Symbol.dispose]();
  assert.deepEqual(registry.list(), [{ name: "x", value: 1, owner: "a" }]);
});

test("an owner can replace its own registration without a warning", () => {
  const log = quietLog();
  const registry = new Registry<number>("tool", log);
  registry.add("x", 1, "a");
  registry.add("x", 2, "a");
  assert.deepEqual([registry.get("x"), log.lines], [2, []]);
});

test("sorts the list by name, and every change increments the generation", () => {
  const registry = new Registry<number>("tool", quietLog());
  const generations = [registry.generation];
  const b = registry.add("b", 2, "o");
  generations.push(registry.generation);
  registry.add("a", 1, "o");
  generations.push(registry.generation);
  assert.deepEqual(
    registry.list().map(({ name }) => name),
    ["a", "b"],
  );
  assert.equal(registry.list(), registry.list());
  b[Symbol.dispose]();
  generations.push(registry.generation);
  assert.deepEqual(generations, [0, 1, 2, 3]);
  assert.equal(registry.get("b"), undefined);
  assert.equal(registry.owner("b"), undefined);
});
