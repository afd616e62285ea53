import assert from "node:assert/strict";
import { test } from "node:test";
import { Admission } from "./admission.ts";

test("admits requests up to the limit; a repeated dispose frees only one place", () => {
  const admission = new Admission(1);
  const first = admission.enter();
  assert.throws(() => admission.enter(), { status: 429, code: "rate_limit_exceeded", headers: { "retry-after": "1" } });
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  const second = admission.enter();
  assert.throws(() => admission.enter(), { status: 429 });
  second[Symbol.dispose]();
});

test("zero means no limit; after close, admits only resumed work", async () => {
  const admission = new Admission(0);
  using stack = new DisposableStack();
  for (let at = 0; at < 50; at++) stack.use(admission.enter());
  admission.close();
  assert.throws(() => admission.enter(), { status: 503, code: "server_stopping" });
  const idle = admission.idle(60_000);
  stack.dispose();
  await idle;
  await admission.idle(60_000);
});
