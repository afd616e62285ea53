import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { withFileLock } from "./file-lock.ts";
import { withTimeout } from "../../testing/wait-for.ts";

function folder() {
  const path = mkdtempSync(join(tmpdir(), "hermes-lock-"));
  return { path, file: join(path, "count"), [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Another process that takes the lock of `file`. */
function elsewhere(file: string, program: string) {
  const child = spawn(
    process.execPath,
    [
      "--conditions=hermes-source",
      "--input-type=module",
      "--eval",
      `import { readFileSync, readSync, writeFileSync, writeSync } from "node:fs"; import { withFileLock } from "./file-lock.ts"; const file = ${JSON.stringify(file)}; ${program}`,
    ],
    { cwd: import.meta.dirname, stdio: ["pipe", "pipe", "inherit"] },
  );
  return { child, ended: once(child, "exit") };
}

const HOLDING = `await withFileLock(file, () => { writeSync(1, "held"); readSync(0, Buffer.alloc(1)); });`;

test("a change waits for another process's change, and leaves no file behind", async () => {
  using place = folder();
  const { child, ended } = elsewhere(place.file, HOLDING);
  await withTimeout(once(child.stdout, "data"), { what: "the process prints a line" });
  let ran = false;
  const changed = withFileLock(place.file, () => (ran = true));
  await wait(100);
  assert.equal(ran, false);
  child.stdin.write("x");
  await changed;
  await ended;
  assert.deepEqual([ran, readdirSync(place.path)], [true, []]);
});

test("a process killed in the middle of a change leaves no stale lock and no file", async () => {
  using place = folder();
  const { child, ended } = elsewhere(place.file, HOLDING);
  await withTimeout(once(child.stdout, "data"), { what: "the process prints a line" });
  child.kill("SIGKILL");
  await ended;
  assert.deepEqual(readdirSync(place.path), ["count.lock"]);
  assert.equal(await withFileLock(place.file, () => "mine"), "mine");
  assert.deepEqual(readdirSync(place.path), []);
});

test("concurrent changes of one file by several processes lose nothing", async () => {
  using place = folder();
  writeFileSync(place.file, "0");
  const counting = `for (let count = 0; count < 20; count++) await withFileLock(file, () => writeFileSync(file, String(Number(readFileSync(file, "utf8")) + 1)));`;
  const codes = await Promise.all(
    Array.from({ length: 3 }, async () => (await elsewhere(place.file, counting).ended)[0]),
  );
  assert.deepEqual([codes, readFileSync(place.file, "utf8")], [[0, 0, 0], "60"]);
});

test("a change that throws releases the lock", async () => {
  using place = folder();
  await assert.rejects(
    withFileLock(place.file, () => {
      throw new Error("no");
    }),
    /no/,
  );
  assert.equal(await withFileLock(place.file, () => 1), 1);
});

test("does not modify another program's file at the lock's path and names it in the error", async () => {
  using place = folder();
  writeFileSync(`${place.file}.lock`, "somebody's own words\n".repeat(50));
  await assert.rejects(
    withFileLock(place.file, () => 1),
    { message: `${place.file}.lock cannot be locked: file is not a database.` },
  );
  assert.match(readFileSync(`${place.file}.lock`, "utf8"), /^somebody's own words/);
});
