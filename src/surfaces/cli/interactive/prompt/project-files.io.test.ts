import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { ProjectFiles } from "./project-files.ts";

function folderWith(t: TestContext, ...files: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "hermes-files-"));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), "");
  }
  return folder;
}

const never = new AbortController().signal;

test("finds files by some of their letters, best match first", async (t) => {
  const files = new ProjectFiles(folderWith(t, "src/call-card.ts", "src/cards/list.ts", "node_modules/a/card.ts"));
  assert.deepEqual(await files.matching("card", 5, never), ["src/cards/list.ts", "src/call-card.ts"]);
  assert.deepEqual(await files.matching("clcrd", 5, never), ["src/call-card.ts"]);
  assert.deepEqual(await files.matching("zzz", 5, never), []);
});

test("in a repository, offers new files and leaves out ignored ones", async (t) => {
  const folder = folderWith(t, ".gitignore", "new.ts", "build/out.ts");
  writeFileSync(join(folder, ".gitignore"), "build/\n");
  execFileSync("git", ["init", "-q"], { cwd: folder });
  assert.deepEqual((await new ProjectFiles(folder).matching("", 5, never)).toSorted(), [".gitignore", "new.ts"]);
});

test("a search among 100,000 files does not block other work, and stops when cancelled", async (t) => {
  const folder = folderWith(t, "placeholder");
  const files = new ProjectFiles(folder);
  const names = Array.from({ length: 100_000 }, (_, at) => `packages/p${at % 300}/src/module-${at}.ts`);
  execFileSync("git", ["init", "-q"], { cwd: folder });
  const input = names.map((name) => `100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\t${name}\n`).join("");
  execFileSync("git", ["hash-object", "-w", "--stdin"], { cwd: folder, input: "" });
  execFileSync("git", ["update-index", "--index-info"], { cwd: folder, input });
  await files.matching("warm", 1, never);
  let turns = 0;
  const counting = setInterval(() => turns++, 1);
  assert.deepEqual(await files.matching("module-99999", 1, never), ["packages/p99/src/module-99999.ts"]);
  clearInterval(counting);
  assert.ok(turns >= 5, `other work had ${turns} turns`);
  const stop = new AbortController();
  const search = files.matching("module", 5, stop.signal);
  stop.abort();
  assert.deepEqual(await search, []);
});
