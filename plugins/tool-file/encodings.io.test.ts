import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { encodeString, type TextEncoding } from "hermes-agent/plugin";
import { openFileBench, type FileBench } from "./testing/file-bench.ts";

const latin: TextEncoding = { name: "latin-1", bom: false };
const gbk: TextEncoding = { name: "gbk", bom: false };
const powershell: TextEncoding = { name: "utf-16le", bom: true };

function bytes(text: string, encoding: TextEncoding): Uint8Array {
  const encoded = encodeString(text, encoding);
  assert.ok("bytes" in encoded);
  return encoded.bytes;
}

const stored = (bench: FileBench, path: string) => readFile(join(bench.root, path));

const FILES: readonly (readonly [encoding: TextEncoding, text: string, changed: string])[] = [
  [latin, "café\nthé\n", "café noir\nthé\n"],
  [{ name: "windows-1252", bom: false }, "“café”\nthe\n", "“café” – €5\nthe\n"],
  [gbk, "第一章 你好，世界\n他走了。\n", "第一章 你好，世界！\n他走了。\n"],
  [powershell, "Größe 漢字\r\nzwei\r\n", "Größe 漢字🦀\r\nzwei\r\n"],
  [{ name: "utf-16be", bom: true }, "Größe\nzwei\n", "Größen\nzwei\n"],
  [{ name: "utf-16le", bom: false }, "name=value\nother=2\n", "name=größer\nother=2\n"],
  [{ name: "utf-8", bom: true }, "Größe\r\n", "Größen\r\n"],
];

for (const [encoding, text, changed] of FILES) {
  const name = `${encoding.name}${encoding.bom ? " with a byte order mark" : ""}`;
  // field: F06
  test(`read_file names the encoding, and write_file and patch preserve it: ${name}`, async () => {
    await using bench = await openFileBench();
    await bench.write("f.txt", bytes(text, encoding));
    const read = await bench.call("read_file", { path: "f.txt" });
    assert.equal(read.encoding, encoding.name === "utf-8" ? undefined : encoding.name);
    const [was, now] = [text, changed].map((whole) => whole.replaceAll("\r\n", "\n")) as [string, string];
    if (encoding.name !== "utf-8") {
      const content = text.split("\n").map((line, at) => `${at + 1}|${line}`);
      assert.equal(read.content, content.join("\n"));
    }
    assert.equal((await bench.call("write_file", { path: "f.txt", content: was })).error, undefined);
    assert.deepEqual(await stored(bench, "f.txt"), Buffer.from(bytes(text, encoding)));
    const [line, fresh] = [was.split("\n")[0]!, now.split("\n")[0]!];
    assert.equal((await bench.call("patch", { path: "f.txt", old_string: line, new_string: fresh })).success, true);
    assert.deepEqual(await stored(bench, "f.txt"), Buffer.from(bytes(changed, encoding)));
    const patch = `*** Update File: f.txt\n-${fresh}\n+${line}`;
    assert.equal((await bench.call("patch", { mode: "patch", patch })).success, true);
    assert.deepEqual(await stored(bench, "f.txt"), Buffer.from(bytes(text, encoding)));
  });
}

// field: F06
test("refuses text that the file's encoding cannot represent, and changes nothing", async () => {
  await using bench = await openFileBench();
  await bench.write("f.txt", bytes("café\nthé\n", latin));
  const calls = [
    ["write_file", { path: "f.txt", content: "café → thé\n" }],
    ["patch", { path: "f.txt", old_string: "thé", new_string: "漢字" }],
    ["patch", { mode: "patch", patch: "*** Update File: f.txt\n-thé\n+漢字" }],
  ] as const;
  for (const [tool, args] of calls) {
    assert.match((await bench.call(tool, args)).error, /stored as latin-1, which does not have the character "[→漢]"/);
    assert.deepEqual(await stored(bench, "f.txt"), Buffer.from(bytes("café\nthé\n", latin)));
  }
});

// field: F06
test("an edit preserves bytes that are not UTF-8; overwriting a file read with such bytes is refused", async () => {
  await using bench = await openFileBench();
  const damaged = Buffer.concat([Buffer.from("größe ä "), Buffer.from([0xff]), Buffer.from("\nzwei ü\n")]);
  await bench.write("f.log", damaged);
  const read = await bench.call("read_file", { path: "f.log" });
  assert.equal(read.encoding, "utf-8 with invalid bytes");
  assert.equal(read.content, "1|größe ä \ufffd\n2|zwei ü\n3|");
  const rewritten = await bench.call("write_file", { path: "f.log", content: "größe ä \ufffd\ndrei\n" });
  assert.match(rewritten.error, /U\+FFFD/);
  assert.deepEqual(await stored(bench, "f.log"), damaged);
  assert.equal((await bench.call("patch", { path: "f.log", old_string: "zwei", new_string: "drei" })).success, true);
  assert.deepEqual(
    await stored(bench, "f.log"),
    Buffer.from(damaged.toString("latin1").replace("zwei", "drei"), "latin1"),
  );
});

// field: F07
test("a long line is shown as cut, can be read by columns, and is never written back without its rest", async () => {
  await using bench = await openFileBench();
  const line = Array.from({ length: 3_000 }, (_, at) => String.fromCodePoint(97 + (at % 26))).join("");
  await bench.write("long.txt", `first\n${line}\nlast\n`);
  const read = await bench.call("read_file", { path: "long.txt" });
  assert.deepEqual([read.truncated, read.truncated_by], [true, "columns"]);
  assert.equal(
    read.hint,
    "Line 2 has 3000 characters, of which 1-2000 are shown; read the rest with offset=2, limit=1, column=2001.",
  );
  const shown = read.content.split("\n")[1]!.slice(2);
  assert.equal(shown, `${line.slice(0, 2_000)}... [truncated]`);
  const rest = await bench.call("read_file", { path: "long.txt", offset: 2, limit: 1, column: 2_001 });
  assert.equal(rest.content, `2|${line.slice(2_000)}`);
  const calls = [
    ["write_file", { path: "long.txt", content: `first\n${shown}\nlast\n` }],
    ["write_file", { path: "copy.txt", content: `${shown}\n` }],
    ["patch", { path: "long.txt", old_string: "last", new_string: `last\n${shown}` }],
    ["patch", { mode: "patch", patch: `*** Add File: copy.txt\n+${shown}` }],
  ] as const;
  for (const [tool, args] of calls) {
    assert.match((await bench.call(tool, args)).error, /the mark of read_file for a line that it has cut/);
    assert.equal(await bench.read("long.txt"), `first\n${line}\nlast\n`);
  }
  assert.equal(await bench.run("ls"), "long.txt\n");
});

// field: F07
test("a file that contains the truncation mark can be edited, and other text may mention it", async () => {
  await using bench = await openFileBench();
  await bench.write("out.log", "part one... [truncated]\nend\n");
  assert.equal((await bench.call("patch", { path: "out.log", old_string: "end", new_string: "END" })).success, true);
  const content = 'const mark = "... [truncated]";\n';
  assert.equal((await bench.call("write_file", { path: "a.txt", content })).error, undefined);
  const whole = await bench.call("write_file", { path: "out.log", content: "part one... [truncated]\nnew\n" });
  assert.equal(whole.error, undefined);
});
