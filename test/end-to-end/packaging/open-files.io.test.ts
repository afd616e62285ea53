import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

const ROOT = join(import.meta.dirname, "../../..");

function limited(files: number, command: string): { readonly status: number | null; readonly err: string } {
  const { status, stderr } = spawnSync("sh", ["-c", `ulimit -n ${files}; exec ${command}`], {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, HERMES_CLONE_BUILD: "off", HERMES_NODE: process.execPath },
  });
  return { status, err: stderr };
}

const MESSAGE = (files: number): string =>
  `hermes: Only ${files} files can be open here at once; Hermes needs at least 64.\n` +
  "        Raise the limit where it is set (ulimit -n, limits.conf, LimitNOFILE), and try again.\n";

// field: T15
test("a clone with too few open files says so instead of crashing", () => {
  for (const files of [12, 20, 30, 63])
    assert.deepEqual(limited(files, "./hermes --version"), { status: 69, err: MESSAGE(files) });
  for (const files of [64, 100, 256])
    assert.deepEqual(limited(files, "./hermes --version"), { status: 0, err: "" }, String(files));
});

// field: T15
test("the installed launcher with too few open files says so", { skip: process.platform !== "linux" }, () => {
  for (const files of [24, 40, 63])
    assert.deepEqual(limited(files, `"${process.execPath}" src/launcher.cjs doctor`), {
      status: 69,
      err: MESSAGE(files),
    });
});
