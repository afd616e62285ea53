import assert from "node:assert/strict";
import { test } from "node:test";
import { systemFailure } from "./system-failure.ts";

test("reports a refused system call with path and reason, and ignores other errors", () => {
  const refused = Object.assign(new Error("EROFS: read-only file system, mkdir '/x'"), {
    code: "EROFS",
    syscall: "mkdir",
    path: "/x",
  });
  assert.equal(systemFailure(refused)?.message, "Cannot create /x: its disk is read-only.");
  assert.equal(systemFailure(Object.assign(new Error("EROFS"), { code: "EROFS" })), undefined);
  assert.equal(
    systemFailure(Object.assign(new Error("no"), { code: "ERR_X", syscall: "open", path: "/x" })),
    undefined,
  );
  assert.equal(systemFailure(new TypeError("x is not a function")), undefined);
});

test("reports a full disk without a path, and a deleted working folder", () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write" });
  assert.equal(systemFailure(full)?.message, "Cannot write a file: no space is left on its disk.");
  const gone = Object.assign(new Error("ENOENT: process.cwd failed"), { code: "ENOENT", syscall: "uv_cwd" });
  assert.equal(systemFailure(gone)?.message, "The current folder no longer exists.");
});
