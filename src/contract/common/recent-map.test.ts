import assert from "node:assert/strict";
import { test } from "node:test";
import { RecentMap } from "./recent-map.ts";

test("beyond its limit drops the least recently used entry, and reading counts as use", () => {
  const map = new RecentMap<string, number>(2);
  map.set("a", 1);
  map.set("b", 2);
  assert.equal(map.get("a"), 1);
  map.set("c", 3);
  assert.deepEqual([map.get("a"), map.get("b"), map.get("c"), map.size], [1, undefined, 3, 2]);
  map.set("a", 4);
  assert.deepEqual([map.get("a"), map.size], [4, 2]);
  map.delete("c");
  assert.deepEqual([map.get("c"), map.size], [undefined, 1]);
});
