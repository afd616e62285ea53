import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { watchFolder } from "./watch-folder.ts";

test("reports every change below a folder, however an editor saves, also in new and recreated folders", async () => {
  const dir = mkdtempSync(join(tmpdir(), "hermes-watch-"));
  let message = 0;
  let next = Promise.withResolvers<void>();
  mkdirSync(join(dir, "sub"));
  for (const file of ["f.ts", "sub/g.ts"]) writeFileSync(join(dir, file), "0");
  const watching = watchFolder(dir, async () => {
    message += 1;
    next.resolve();
  });
  let count = 0;
  const write = (file: string): void => writeFileSync(join(dir, file), String((count += 1)));
  /** Saves as vim and others do: a new file replaces the old one. */
  const replace = (file: string): void => {
    write(`${file}~`);
    renameSync(join(dir, `${file}~`), join(dir, file));
  };
  const steps: readonly (readonly [name: string, change: () => void])[] = [
    ["written", () => write("f.ts")],
    ["replaced", () => replace("f.ts")],
    ["written after it was replaced", () => write("f.ts")],
    ["replaced again", () => replace("f.ts")],
    ["replaced below", () => replace("sub/g.ts")],
    ["replaced again below", () => replace("sub/g.ts")],
    ["a new folder", () => mkdirSync(join(dir, "new/deep"), { recursive: true })],
    ["written in the new folder", () => write("new/deep/h.ts")],
    ["the folder is gone", () => rmSync(join(dir, "sub"), { recursive: true })],
    ["the folder is back", () => mkdirSync(join(dir, "sub"))],
    ["written where it is back", () => write("sub/g.ts")],
    ["gone", () => rmSync(join(dir, "f.ts"))],
  ];
  try {
    for (const [name, change] of steps) {
      next = Promise.withResolvers();
      change();
      assert.notEqual(await Promise.race([next.promise, sleep(20_000, "silence", { ref: false })]), "silence", name);
      // A late event of one change must not count as the next.
      for (let before = -1; before !== message; await sleep(200)) before = message;
    }
  } finally {
    watching[Symbol.dispose]();
    rmSync(dir, { recursive: true });
  }
  const before = message;
  await sleep(200);
  assert.equal(message, before);
});
