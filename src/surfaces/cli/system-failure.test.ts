import assert from "node:assert/strict";
import { test } from "node:test";
import { systemFailure } from "./system-failure.ts";

test("what the system refuses is told with its path and reason; any other error is not ours to explain", () => {
  const refused = Object.assign(new Error("EROFS: read-only file system, mkdir '/x'"), { code: "EROFS", syscall: "mkdir", path: "/x" });
  assert.equal(systemFailure(refused)?.message, "/x could not be made: its disk is read-only.");
  assert.equal(systemFailure(Object.assign(new Error("EROFS"), { code: "EROFS" })), undefined);
  assert.equal(systemFailure(Object.assign(new Error("no"), { code: "ERR_X", syscall: "open", path: "/x" })), undefined);
  assert.equal(systemFailure(new TypeError("x is not a function")), undefined);
});
