import assert from "node:assert/strict";
import { test } from "node:test";
import { importedFiles, SOURCES } from "./sources.ts";

test("no files import each other in a circle", () => {
  const graph = new Map(SOURCES.map((file) => [file, importedFiles(file)]));
  assert.deepEqual(
    circlesOf(graph).map(
      (files) =>
        `${files.toSorted().join(", ")}: move the shared code into a separate file that imports none of them, or pass it in`,
    ),
    [],
  );
});

test("finds a circle through any kind of import", () => {
  const graph = new Map([
    ["a", ["b"]],
    ["b", ["c", "e"]],
    ["c", ["d"]],
    ["d", ["b"]],
    ["e", []],
  ]);
  assert.deepEqual(
    circlesOf(graph).map((files) => files.toSorted()),
    [["b", "c", "d"]],
  );
});

/** Groups of files of which each reaches all others (Tarjan's strongly connected components). */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const circles: string[][] = [];
  const order = new Map<string, number>();
  const open: string[] = [];

  function lowest(file: string): number {
    const own = order.size;
    order.set(file, own);
    open.push(file);
    let low = own;
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) low = Math.min(low, lowest(next));
      else if (open.includes(next)) low = Math.min(low, order.get(next)!);
    }
    if (low === own) {
      const group = open.splice(open.indexOf(file));
      if (group.length > 1) circles.push(group);
    }
    return low;
  }

  for (const file of graph.keys()) if (!order.has(file)) lowest(file);
  return circles;
}
