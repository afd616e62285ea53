import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { MAX_FILES, writeFiles } from "./write-files.ts";

test("writes files with owner-only permissions; an unsafe or duplicate name, or too many files, stops the whole write", (t) => {
  const place = mkdtempSync(join(tmpdir(), "hermes-written-"));
  t.after(() => rmSync(place, { recursive: true, force: true }));
  const bytes = Buffer.from("x");
  writeFiles(
    join(place, "a"),
    [
      { path: "SKILL.md", bytes },
      { path: "scripts/run.sh", bytes, executable: true },
      { path: ".hidden", bytes },
    ],
    "Somebody",
  );
  assert.equal(readFileSync(join(place, "a/scripts/run.sh"), "utf8"), "x");
  assert.deepEqual(
    ["SKILL.md", "scripts/run.sh"].map((path) => statSync(join(place, "a", path)).mode & 0o777),
    [0o600, 0o700],
  );
  for (const path of [
    "../up",
    "/etc/x",
    "a/../../up",
    "a//b",
    "./a",
    "",
    "a\\b",
    "C:/x",
    "a\nb",
    ".git/config",
    "a/.GIT/hooks/x",
    "x".repeat(500),
  ]) {
    assert.throws(
      () =>
        writeFiles(
          join(place, "b"),
          [
            { path: "first", bytes },
            { path, bytes },
          ],
          "Somebody",
        ),
      /^UserError: Somebody sent a file with an unsafe name/,
      JSON.stringify(path),
    );
  }
  assert.equal(existsSync(join(place, "b")), false, "nothing is written before all names are known");
  assert.throws(
    () =>
      writeFiles(
        join(place, "c"),
        [
          { path: "a", bytes },
          { path: "a", bytes },
        ],
        "Somebody",
      ),
    /EEXIST/,
  );
  assert.throws(
    () =>
      writeFiles(
        join(place, "d"),
        Array.from({ length: MAX_FILES + 1 }, (_, at) => ({ path: `${at}`, bytes })),
        "Somebody",
      ),
    /^UserError: Somebody is too large for a skill/,
  );
  assert.equal(existsSync(join(place, "up")), false);
});
