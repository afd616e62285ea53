import assert from "node:assert/strict";
import { test } from "node:test";
import { Lanes } from "./lanes.ts";

test("runs a limited number in parallel and the rest in order, also after a failure", async () => {
  const lanes = new Lanes(2);
  const begun: number[] = [];
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const runs = ends.map(({ promise }, at) =>
    lanes.run(async () => {
      begun.push(at);
      await promise;
    }),
  );
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  await settle();
  assert.deepEqual(begun, [0, 1]);
  ends[1]!.reject(new Error("no"));
  await assert.rejects(runs[1]!);
  await settle();
  assert.deepEqual(begun, [0, 1, 2]);
  for (const at of [0, 2, 3]) ends[at]!.resolve();
  await Promise.all([runs[0], runs[2], runs[3]]);
  assert.deepEqual(begun, [0, 1, 2, 3]);
});
