import assert from "node:assert/strict";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { changeFile } from "./change-file.ts";

test("concurrent changes of a file lose nothing, and only its owner can read it", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "hermes-change-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  await Promise.all(
    Array.from({ length: 10 }, (_, index) => changeFile(home, "notes/a.md", (text = "") => `${text}${index}\n`)),
  );
  const file = join(home, "notes/a.md");
  assert.deepEqual(
    readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map(Number)
      .sort((a, b) => a - b),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
  assert.equal(statSync(file).mode & 0o777, 0o600);
  await changeFile(home, "notes/a.md", () => undefined);
  await assert.rejects(
    changeFile(home, "notes/a.md", () => {
      throw new Error("no");
    }),
    /no/,
  );
  assert.equal(readFileSync(file, "utf8").length, 20);
  assert.deepEqual(readdirSync(join(home, "notes")), ["a.md"]);
});

test("refuses to change paths outside the home or folders, and writes through a symbolic link", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "hermes-change-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  for (const path of ["../x.md", "/etc/x.md", ".", "a/../../x"])
    await assert.rejects(
      changeFile(home, path, () => "x"),
      /is not in the agent's home/,
      path,
    );
  mkdirSync(join(home, "folder"));
  await assert.rejects(
    changeFile(home, "folder", () => "x"),
    /is not a regular file/,
  );
  writeFileSync(join(home, "real.md"), "one");
  symlinkSync("real.md", join(home, "link.md"));
  await changeFile(home, "link.md", (text) => `${text} two`);
  assert.equal(readFileSync(join(home, "real.md"), "utf8"), "one two");
});
