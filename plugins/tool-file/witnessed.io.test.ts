import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { JsonObject } from "hermes-agent/plugin";
import { openFileBench, type FileBench } from "./testing/file-bench.ts";

/**
 * Calls whose results were witnessed on hermes-agent 0.19.0. Texts for people and models are ours, so errors and hints
 * count as present or
 * absent (`true`); everything else is compared as a value. ROOT is the working directory. `strategy` is ours. Where ours differs on purpose
 * the line says so.
 */
const CALLS: readonly (readonly [tool: string, args: JsonObject, expected: JsonObject])[] = [
  [
    "read_file",
    { path: "abc.txt" },
    { content: "1|a\n2|b\n3|c\n4|", total_lines: 3, file_size: 6, truncated: false, is_binary: false, is_image: false },
  ],
  [
    "read_file",
    { path: "abc.txt" },
    { status: "unchanged", message: true, path: "abc.txt", dedup: true, content_returned: false },
  ],
  ["read_file", { path: "abc.txt" }, { error: true, hint: true, path: "abc.txt", already_read: 3 }],
  [
    "read_file",
    { path: "nonl.txt" },
    { content: "1|x\n2|y", total_lines: 1, file_size: 3, truncated: false, is_binary: false, is_image: false },
  ],
  [
    "read_file",
    { path: "empty.txt" },
    { content: "1|", total_lines: 0, file_size: 0, truncated: false, is_binary: false, is_image: false },
  ],
  [
    "read_file",
    { path: "bom.txt" },
    {
      content: "1|hi\r\n2|yo\r\n3|",
      total_lines: 2,
      file_size: 11,
      truncated: false,
      is_binary: false,
      is_image: false,
    },
  ],
  // The original ends a page in the middle of a file with an empty line under the next number, which is not what that
  // line holds.
  [
    "read_file",
    { path: "abc.txt", offset: 2, limit: 1 },
    { content: "2|b", total_lines: 3, file_size: 6, truncated: true, hint: true, is_binary: false, is_image: false },
  ],
  [
    "read_file",
    { path: "big.txt", offset: 2999, limit: 5000 },
    {
      content: "2999|2999\n3000|3000\n3001|",
      total_lines: 3000,
      file_size: 13893,
      truncated: false,
      is_binary: false,
      is_image: false,
    },
  ],
  [
    "read_file",
    { path: "big.txt", offset: 0, limit: 0 },
    {
      content: "1|1",
      total_lines: 3000,
      file_size: 13893,
      truncated: true,
      hint: true,
      is_binary: false,
      is_image: false,
    },
  ],
  [
    "read_file",
    { path: "abd.txt" },
    {
      content: "",
      total_lines: 0,
      file_size: 0,
      truncated: false,
      is_binary: false,
      is_image: false,
      error: true,
      similar_files: ["./abc.txt", "./big.txt", "./bom.txt"],
    },
  ],
  [
    "read_file",
    { path: "b.unk" },
    {
      content: "",
      total_lines: 0,
      file_size: 4,
      truncated: false,
      is_binary: true,
      is_image: false,
      error: true,
      hint: true,
    },
  ],
  ["read_file", { path: "pic.png" }, { error: true, hint: true }],
  ["read_file", { path: "/dev/zero" }, { error: true }],
  ["read_file", { path: ".env" }, { error: true }],
  // 0.19.0 reports dirs_created as true after every write; here it is true only if folders were created.
  [
    "write_file",
    { path: "new/dir/f.txt", content: "hello\n" },
    {
      bytes_written: 6,
      dirs_created: true,
      lint: { status: "skipped", message: true },
      resolved_path: "ROOT/new/dir/f.txt",
      files_modified: ["ROOT/new/dir/f.txt"],
    },
  ],
  ["write_file", { path: "new/dir/f.txt" }, { error: true, hint: true }],
  ["write_file", { path: "", content: "a" }, { error: true, hint: true }],
  ["write_file", { path: "q.txt", content: { a: 1 } }, { error: true }],
  [
    "write_file",
    { path: "q.txt", content: "" },
    {
      bytes_written: 0,
      dirs_created: false,
      lint: { status: "skipped", message: true },
      resolved_path: "ROOT/q.txt",
      files_modified: ["ROOT/q.txt"],
    },
  ],
  [
    "write_file",
    { path: "new/dir/f.json", content: '{"a":1,}' },
    { bytes_written: 0, dirs_created: false, error: true, hint: true, resolved_path: "ROOT/new/dir/f.json" },
  ],
  [
    "write_file",
    { path: "new/dir/f.json", content: '{"a":1}' },
    {
      bytes_written: 7,
      dirs_created: false,
      lint: { status: "ok", output: "" },
      resolved_path: "ROOT/new/dir/f.json",
      files_modified: ["ROOT/new/dir/f.json"],
    },
  ],
  [
    "write_file",
    { path: "f.yaml", content: "a: [1\n" },
    { bytes_written: 0, dirs_created: false, error: true, hint: true, resolved_path: "ROOT/f.yaml" },
  ],
  [
    "write_file",
    { path: "abc.txt", content: "1|a\n2|b\n3|c\n" },
    { bytes_written: 0, dirs_created: false, resolved_path: "ROOT/abc.txt", error: true, hint: true },
  ],
  [
    "write_file",
    { path: "crlf.txt", content: "x\ny\n" },
    {
      bytes_written: 6,
      dirs_created: false,
      lint: { status: "skipped", message: true },
      resolved_path: "ROOT/crlf.txt",
      files_modified: ["ROOT/crlf.txt"],
    },
  ],
  [
    "patch",
    { path: "abc.txt", old_string: "b", new_string: "B" },
    {
      success: true,
      strategy: "exact",
      diff: "--- aROOT/abc.txt\n+++ bROOT/abc.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
      files_modified: ["ROOT/abc.txt"],
      lint: { status: "skipped", message: true },
      resolved_path: "ROOT/abc.txt",
    },
  ],
  ["patch", { path: "abc.txt", old_string: "zzz", new_string: "B" }, { success: false, error: true, _hint: true }],
  ["patch", { path: "abc.txt", old_string: "", new_string: "B" }, { success: false, error: true, _hint: true }],
  ["patch", { path: "abc.txt", old_string: "B", new_string: "B" }, { success: false, error: true }],
  [
    "patch",
    { path: "abc.txt", old_string: "\n", new_string: "X" },
    { success: false, error: "Found 3 matches for old_string; nothing was changed.", _hint: true },
  ],
  ["patch", { path: "nofile.py", old_string: "a", new_string: "b" }, { success: false, error: true, _hint: true }],
  ["patch", { old_string: "return", new_string: "RET" }, { error: "path required", hint: true }],
  ["patch", { path: "code.py", new_string: "RET" }, { error: "old_string and new_string required" }],
  [
    "patch",
    { path: "code.txt", old_string: "  x = 1\n  return x", new_string: "  x = 2\n  if x:\n    return x" },
    {
      success: true,
      strategy: "line_trimmed",
      diff: "--- aROOT/code.txt\n+++ bROOT/code.txt\n@@ -1,6 +1,7 @@\n def f():\n-    x = 1\n-    return x\n+    x = 2\n+    if x:\n+      return x\n \n def g():\n     return 2\n",
      files_modified: ["ROOT/code.txt"],
      lint: { status: "skipped", message: true },
      resolved_path: "ROOT/code.txt",
    },
  ],
  [
    "patch",
    { path: "code.txt", old_string: "return", new_string: "RET", replace_all: true },
    {
      success: true,
      strategy: "exact",
      diff: "--- aROOT/code.txt\n+++ bROOT/code.txt\n@@ -1,7 +1,7 @@\n def f():\n     x = 2\n     if x:\n-      return x\n+      RET x\n \n def g():\n-    return 2\n+    RET 2\n",
      files_modified: ["ROOT/code.txt"],
      lint: { status: "skipped", message: true },
      resolved_path: "ROOT/code.txt",
    },
  ],
  ["patch", { mode: "patch", patch: "" }, { error: "patch content required" }],
  ["patch", { mode: "patch", patch: "*** Begin Patch\n*** End Patch" }, { success: false, error: true }],
  ["patch", { mode: "patch", patch: "hello" }, { success: false, error: true }],
  ["patch", { mode: "patch", patch: "*** Update File: ../etc/x\n@@\n-a\n+b" }, { error: true, hint: true }],
  ["patch", { mode: "patch", patch: "*** Update File: abc.txt\n*** End Patch" }, { success: false, error: true }],
  // The original's diff of an added file has no range, and its lint also names files that no longer exist.
  [
    "patch",
    {
      mode: "patch",
      patch:
        "*** Begin Patch\n*** Add File: added.txt\n+one\n+two\n*** Update File: abc.txt\n@@\n a\n-B\n+b2\n c\n*** End Patch",
    },
    {
      success: true,
      diff: "--- /dev/null\n+++ b/added.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n--- a/abc.txt\n+++ b/abc.txt\n@@ -1,3 +1,3 @@\n a\n-B\n+b2\n c\n",
      files_modified: ["ROOT/added.txt", "ROOT/abc.txt"],
      files_created: ["added.txt"],
      strategies: { "abc.txt": ["exact"] },
      lint: { "added.txt": { status: "skipped", message: true }, "abc.txt": { status: "skipped", message: true } },
    },
  ],
  [
    "patch",
    {
      mode: "patch",
      patch: "*** Begin Patch\n*** Delete File: added.txt\n*** Move File: nonl.txt -> moved.txt\n*** End Patch",
    },
    {
      success: true,
      diff: "--- a/added.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n# Moved: nonl.txt -> moved.txt\n",
      files_modified: ["ROOT/added.txt", "ROOT/nonl.txt", "ROOT/moved.txt"],
      files_deleted: ["added.txt"],
    },
  ],
  [
    "patch",
    { mode: "patch", patch: "*** Update File: abc.txt\n@@\n-nope\n+b2\n*** Delete File: gone" },
    { success: false, error: true, _hint: true },
  ],
  ["patch", { mode: "patch", patch: "*** Move File: moved.txt -> abc.txt" }, { success: false, error: true }],
  // 0.19.0 does not say that it skipped a file with NUL bytes that matches.
  [
    "search_files",
    { pattern: "needle", path: "s" },
    {
      total_count: 10,
      warning: true,
      matches_format: true,
      matches_text:
        "s/ctx.txt\n  2: needle\n  5: needle\ns/sp ace/-dash file.txt\n  1: needle\ns/src/many.txt\n  1: line needle 1\n  2: line needle 2\n  3: line needle 3\n  4: line needle 4\n  5: line needle 5\n  6: line needle 6\n  7: line needle 7",
    },
  ],
  [
    "search_files",
    { pattern: "needle", path: "s/ctx.txt", context: 1 },
    {
      total_count: 6,
      matches_format: true,
      matches_text: "s/ctx.txt\n  1: one\n  2: needle\n  3: three\n  4: four\n  5: needle\n  6: six",
    },
  ],
  // total_count is the true one here, so that truncated can be.
  [
    "search_files",
    { pattern: "needle", path: "s/src", limit: 2, offset: 3 },
    {
      total_count: 7,
      matches: [
        { path: "s/src/many.txt", line: 4, content: "line needle 4" },
        { path: "s/src/many.txt", line: 5, content: "line needle 5" },
      ],
      truncated: true,
      hint: true,
    },
  ],
  [
    "search_files",
    { pattern: "needle", path: "s", output_mode: "count" },
    { total_count: 10, warning: true, counts: { "s/ctx.txt": 2, "s/sp ace/-dash file.txt": 1, "s/src/many.txt": 7 } },
  ],
  [
    "search_files",
    { pattern: "needle", path: "s", output_mode: "files_only", limit: 60 },
    { total_count: 3, warning: true, files: ["s/ctx.txt", "s/sp ace/-dash file.txt", "s/src/many.txt"] },
  ],
  ["search_files", { pattern: "many.txt", target: "files" }, { total_count: 1, files: ["./s/src/many.txt"] }],
  ["search_files", { pattern: "many", target: "find" }, { total_count: 0 }],
  [
    "search_files",
    { pattern: "b2", path: "ROOT" },
    { total_count: 1, matches: [{ path: "ROOT/abc.txt", line: 2, content: "b2" }] },
  ],
  ["search_files", { pattern: "needle", path: "s", file_glob: "*.dat" }, { total_count: 0, warning: true }],
  ["search_files", { pattern: "(", target: "grep", path: "s" }, { total_count: 0, error: true, hint: true }],
  ["search_files", { pattern: "needle", path: ".env" }, { error: true }],
  ["search_files", { pattern: "b", path: "abz.txt" }, { total_count: 0, error: true }],
  ["search_files", { pattern: "one\\ntwo", path: "s" }, { total_count: 0, warning: true }],
  ["search_files", { pattern: "zzznothing" }, { total_count: 0 }],
  ["search_files", { pattern: "zzznothing" }, { total_count: 0 }],
  ["search_files", { pattern: "zzznothing" }, { total_count: 0, _warning: true }],
  ["search_files", { pattern: "zzznothing" }, { error: true, hint: true, pattern: "zzznothing", already_searched: 4 }],
];

let bench: FileBench;

before(async () => {
  bench = await openFileBench();
  await Promise.all([
    bench.write("abc.txt", "a\nb\nc\n"),
    bench.write("nonl.txt", "x\ny"),
    bench.write("empty.txt", ""),
    bench.write("bom.txt", "\ufeffhi\r\nyo\r\n"),
    bench.write("big.txt", Array.from({ length: 3_000 }, (_, index) => `${index + 1}\n`).join("")),
    bench.write("b.unk", new Uint8Array([0, 1, 2, 3])),
    bench.write("pic.png", new Uint8Array([0, 1, 2, 3])),
    bench.write(".env", "SECRET=needle\n"),
    bench.write("crlf.txt", "alpha\r\nbeta\r\n"),
    bench.write("code.txt", "def f():\n    x = 1\n    return x\n\ndef g():\n    return 2\n"),
    bench.write("s/src/many.txt", [1, 2, 3, 4, 5, 6, 7].map((n) => `line needle ${n}\n`).join("")),
    bench.write("s/ctx.txt", "one\nneedle\nthree\nfour\nneedle\nsix\n"),
    bench.write("s/src/.hidden/h.txt", "needle\n"),
    bench.write("s/.dot", "needle\n"),
    bench.write("s/bin.dat", "needle\0bin"),
    bench.write("s/sp ace/-dash file.txt", "needle\n"),
  ]);
});

after(() => bench[Symbol.asyncDispose]());

CALLS.forEach(([tool, args, expected], index) => {
  // req: tool-file.read-file, tool-file.write-file, tool-file.patch, tool-file.search
  test(`call ${index + 1} answers as witnessed: ${tool} ${JSON.stringify(args).slice(0, 100)}`, async () => {
    const rooted = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll("ROOT", bench.root)) as T;
    assert.deepEqual(masked(await bench.call(tool, rooted(args)), expected), rooted(expected));
  });
});

/** Texts that are ours become `true` where the table says `true`. */
function masked(value: unknown, expected: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return expected === true && typeof value === "string" && value !== "" ? true : value;
  const known = (typeof expected === "object" ? expected : {}) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, masked(inner, known[key])]));
}
