import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

const PROGRAM = `
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
const { hideEnvironment } = await import(process.argv[1]);
const before = readFileSync("/proc/self/environ", "latin1").includes("canary");
const { variables, exposed } = hideEnvironment(process.env);
const child = execFileSync("/bin/sh", ["-c", "tr '\\\\0' '\\\\n' < /proc/" + process.pid + "/environ; env"], { encoding: "utf8" });
console.log(JSON.stringify({ before, exposed, key: variables.OPENAI_API_KEY, here: process.env.OPENAI_API_KEY ?? null, url: process.env.SHOP_URL, leaks: child.includes("canary-key"), urlInProc: readFileSync("/proc/self/environ", "latin1").includes("canary-pass"), path: child.includes("PATH=/usr/bin:/bin"), empty: process.env.EMPTY_TOKEN }));
`;

const skip = process.platform === "linux" ? false : "the environment of a process is shown in /proc on Linux only";

// req: R-38
test("only the process can read its secrets: they are not in /proc, and child processes inherit none", { skip }, () => {
  const env = {
    PATH: "/usr/bin:/bin",
    OPENAI_API_KEY: "sk-canary-key-123",
    MY_TOKEN: "canary-key ümläut=x",
    EMPTY_TOKEN: "",
    SHOP_URL: "postgres://u:canary-pass@h/d",
  };
  const ended = spawnSync(
    process.execPath,
    [
      "--conditions=hermes-source",
      "--input-type=module",
      "-e",
      PROGRAM,
      join(import.meta.dirname, "hide-environment.ts"),
    ],
    { env, encoding: "utf8" },
  );
  assert.equal(ended.stderr, "");
  assert.deepEqual(JSON.parse(ended.stdout), {
    before: true,
    exposed: [],
    key: "sk-canary-key-123",
    here: null,
    url: "postgres://u:canary-pass@h/d",
    leaks: false,
    urlInProc: false,
    path: true,
    empty: "",
  });
});
