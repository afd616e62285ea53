import assert from "node:assert/strict";
import { test } from "node:test";
import { once } from "./once.ts";

test("once() computes its value on first use and reuses it", () => {
  let made = 0;
  const ask = once(() => ({ made: ++made }));
  assert.equal(made, 0);
  assert.equal(ask(), ask());
  assert.equal(made, 1);
});
