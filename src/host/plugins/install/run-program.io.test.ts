import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { runProgram } from "./run-program.ts";

test("removes passwords of URLs from the output of a failed program", async () => {
  const run = { cwd: tmpdir(), env: { PATH: process.env["PATH"] ?? "" }, signal: new AbortController().signal };
  await assert.rejects(
    runProgram("sh", ["-c", "echo \"fatal: unable to access 'https://me:T0KEN@host/a/': no\" >&2; exit 3"], run),
    { message: "sh failed (status 3).\nfatal: unable to access 'https://host/a/': no" },
  );
});
