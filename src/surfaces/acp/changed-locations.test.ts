import assert from "node:assert/strict";
import { test } from "node:test";
import { changedPlaces } from "./changed-locations.ts";

const shown = (unified: string, named?: string): readonly unknown[] =>
  changedPlaces(unified, "/work/here", named).map(({ diff: { path, oldText, newText }, line }) => [
    path,
    line,
    oldText,
    newText,
  ]);

test("returns each change with its old and new text and its current line", () => {
  const unified =
    "--- a/src/x.lua\n+++ b/src/x.lua\n@@ -1,3 +1,2 @@\n one\n--- gone\n-two\n+++ 2\n@@ -20 +19,2 @@\n-x\n+y\n+z\n";
  assert.deepEqual(shown(unified), [
    ["/work/here/src/x.lua", 1, "one\n-- gone\ntwo", "one\n++ 2"],
    ["/work/here/src/x.lua", 19, "x", "y\nz"],
  ]);
});

test("a new file has no old text, a deleted one no new text, and each change names its file", () => {
  const unified =
    "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+made\n--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n";
  assert.deepEqual(shown(unified), [
    ["/work/here/new.txt", 1, null, "made"],
    ["/work/here/old.txt", 0, "gone", ""],
  ]);
});

test("restores a path's missing first slash from the folder or the call's path", () => {
  const of = (path: string): string => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`;
  assert.deepEqual(shown(of("work/here/x"))[0], ["/work/here/x", 1, "a", "b"]);
  assert.deepEqual(shown(of("etc/x"), "/etc/x")[0], ["/etc/x", 1, "a", "b"]);
});

test("returns nothing for text that is not a diff", () => {
  assert.deepEqual(shown(""), []);
  assert.deepEqual(shown("--- a/big\n+++ b/big\n@@ rewritten: 9 lines became 8 @@\n"), []);
});
