import assert from "node:assert/strict";
import { test } from "node:test";
import { systemFailure } from "./system-failure.ts";

test("what the system refuses is told with its path and reason; any other error is not ours to explain", () => {
  const refused = Object.assign(new Error("EROFS: read-only file system, mkdir '/x'"), {
    code: "EROFS",
    syscall: "mkdir",
    path: "/x",
  });
  assert.equal(systemFailure(refused)?.message, "/x could not be made: its disk is read-only.");
  assert.equal(systemFailure(Object.assign(new Error("EROFS"), { code: "EROFS" })), undefined);
  assert.equal(
    systemFailure(Object.assign(new Error("no"), { code: "ERR_X", syscall: "open", path: "/x" })),
    undefined,
  );
  assert.equal(systemFailure(new TypeError("x is not a function")), undefined);
});

test("a full disk is told of where the system names no file, and so is a folder that is gone", () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write" });
  assert.equal(systemFailure(full)?.message, "A file could not be written: no space is left on its disk.");
  const gone = Object.assign(new Error("ENOENT: process.cwd failed"), { code: "ENOENT", syscall: "uv_cwd" });
  assert.equal(systemFailure(gone)?.message, "The folder that this was started in is gone.");
});
