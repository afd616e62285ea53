import assert from "node:assert/strict";
import { test } from "node:test";
import { spelled } from "./spelled.ts";

test("writes a body like JSON.stringify, with the same bytes the second time", () => {
  const shared = { role: "user", content: ['\u2028 "x"', null, { a: 1 }] };
  const body = {
    model: "m",
    messages: [shared, { role: "tool", content: null }],
    stop: ["a", null, 1],
    empty: [],
    options: { deep: [shared] },
    left: undefined,
  } as never;
  assert.equal(spelled(body), JSON.stringify(body));
  assert.equal(spelled(body), JSON.stringify(body));
  assert.equal(spelled({}), "{}");
});
