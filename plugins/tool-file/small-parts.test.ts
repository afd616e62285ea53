import assert from "node:assert/strict";
import { test } from "node:test";
import { binaryKind, extensionOf } from "./read/binary-extension.ts";
import { isDevicePath } from "./read/device-path.ts";
import { looksBinary } from "./read/looks-binary.ts";
import { PathLock } from "./write/path-lock.ts";
import { absolutePath } from "hermes-agent/plugin";
import { isInside } from "./access/task-files.ts";
import { similarNames } from "./read/similar-names.ts";
import { decodeText, encodeText } from "./write/text-file.ts";
import { unifiedDiff } from "./write/unified-diff.ts";

test("a file keeps its line ends and byte order mark; data without a known encoding is not text", async () => {
  const windows = Buffer.from("\ufeffa\r\nb\r\n");
  const read = decodeText(windows)!;
  assert.deepEqual(read, { text: "a\nb\n", form: { encoding: { name: "utf-8", bom: true }, crlf: true } });
  assert.deepEqual(Buffer.from(await encodeText("a\nb\r\nc\n", read.form)).toString(), "\ufeffa\r\nb\r\nc\r\n");
  assert.equal(decodeText(new Uint8Array([0xff, 0xfe, 0x41])), undefined);
});

// req: tool-file.patch
test("a change in a file with mixed line ends leaves all other line ends unchanged", async () => {
  const mixed = "a\r\nb\nc\r\nd\r\n\ne\r\nlast\r";
  const { text, form } = decodeText(Buffer.from(mixed))!;
  assert.equal(text, "a\nb\nc\nd\n\ne\nlast\r");
  const written = async (changed: string) => Buffer.from(await encodeText(changed, form)).toString();
  assert.equal(await written(text), mixed);
  assert.equal(
    await written(text.replace("b\n", "B\n")),
    mixed.replace("b\n", "B\n"),
    "a replaced line keeps its line ending",
  );
  assert.equal(
    await written(text.replace("b\n", "B\nB2\n")),
    mixed.replace("b\n", "B\nB2\r\n"),
    "an added line gets the most frequent line ending",
  );
  assert.equal(await written(text.replace("c\nd\n", "")), mixed.replace("c\r\nd\r\n", ""));
  assert.equal(await written(`new\n${text}`), `new\r\n${mixed}`);
  const unix = decodeText(Buffer.from("a\r\nb\nc\n"))!;
  assert.equal(Buffer.from(await encodeText(`${unix.text}d\n`, unix.form)).toString(), "a\r\nb\nc\nd\n");
});

test("detects text in any script as text, and bytes as binary", () => {
  assert.equal(looksBinary(Buffer.from("häßlich 漢字 \u001b[1mbold\u001b[0m\n")), false);
  assert.equal(
    looksBinary(Buffer.from("漢".repeat(2_000)).subarray(0, 1_000)),
    false,
    "a character cut at the end of the sample",
  );
  assert.equal(looksBinary(new Uint8Array([0, 1, 2, 3])), true);
  assert.equal(looksBinary(Buffer.from("text as UTF-16", "utf16le")), false);
  assert.equal(looksBinary(new Uint8Array()), false);
});

test("detects binary files by their extension; a leading dot is not an extension", () => {
  assert.deepEqual(["a.PNG", "b.tar.gz", "c.pdf", ".env", "d", "e.docx"].map(binaryKind), [
    "image",
    "archive",
    undefined,
    undefined,
    undefined,
    "document",
  ]);
  assert.equal(extensionOf("/x.d/.bashrc"), "");
});

// req: tool-file.read-file
test("recognises devices and process files by their paths", () => {
  for (const path of [
    "/dev/zero",
    "/dev/urandom",
    "/dev/stdin",
    "/dev/fd/0",
    "/proc/self/environ",
    "/proc/1/fd/2",
    "/proc/12/task/13/maps",
    "/proc/self/mem",
  ])
    assert.equal(isDevicePath(path), true, path);
  for (const path of ["/dev/shm/x", "/dev/null", "/proc/cpuinfo", "/proc/self/status", "/home/dev/zero"])
    assert.equal(isDevicePath(path), false, path);
});

test("sorts similar names by similarity", () => {
  assert.deepEqual(similarNames("Read.md", ["zzz.bin", "read.txt", "README.md", "read.md", "my-read.md", "rea"]), [
    "read.md",
    "read.txt",
    "rea",
    "my-read.md",
    "README.md",
  ]);
  assert.deepEqual(
    similarNames(
      "q",
      Array.from({ length: 80 }, (_, index) => `q${index}`),
    ).length,
    5,
  );
});

test("makes paths absolute without reading the disk", () => {
  assert.deepEqual(
    ["a/../b", "/x//y/", "~", "~/c", "."].map((path) => absolutePath(path, "/work", "/home/me")),
    ["/work/b", "/x/y", "/home/me", "/home/me/c", "/work"],
  );
  assert.throws(() => absolutePath("a\0b", "/work", "/home/me"), /NUL/);
  assert.deepEqual(
    [isInside("/a/b", "/a"), isInside("/a", "/a"), isInside("/ab", "/a"), isInside("/a/..b", "/a")],
    [true, true, false, true],
  );
});

test("writes a unified diff, marks new and deleted files, and omits the diff of unrelated texts", async () => {
  assert.equal(
    await unifiedDiff("/x/f", "a\nb\n", "a\nc"),
    "--- a/x/f\n+++ b/x/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n",
  );
  assert.equal(await unifiedDiff("f", undefined, "a\n"), "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n");
  assert.equal(await unifiedDiff("f", "a\n", undefined), "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n");
  assert.equal(await unifiedDiff("f", "a", "a"), "");
  const many = (letter: string): string => Array.from({ length: 6_000 }, (_, index) => `${letter}${index}\n`).join("");
  assert.equal(
    await unifiedDiff("f", many("a"), many("b")),
    "--- a/f\n+++ b/f\n@@ rewritten: 6000 lines became 6000 @@\n",
  );
});

test("writers of one path take turns in order, and a failed one releases the path", async () => {
  const locks = new PathLock();
  const seen: string[] = [];
  const work = (name: string, paths: readonly string[], fail = false) =>
    locks.hold(paths, async () => {
      seen.push(`${name} starts`);
      await new Promise(setImmediate);
      seen.push(`${name} ends`);
      if (fail) throw new Error(name);
    });
  const results = await Promise.allSettled([
    work("1", ["a", "b"], true),
    work("2", ["b", "c"]),
    work("3", ["c", "a"]),
    work("4", ["d"]),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["rejected", "fulfilled", "fulfilled", "fulfilled"],
  );
  assert.deepEqual(
    seen.filter((entry) => !entry.startsWith("4")),
    ["1 starts", "1 ends", "2 starts", "2 ends", "3 starts", "3 ends"],
  );
});
