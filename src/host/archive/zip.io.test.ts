import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ZipReader } from "./zip-reader.ts";
import { ZipWriter } from "./zip-writer.ts";

const ABOUT = { mode: 0o640, mtimeMs: Date.UTC(2026, 4, 17) };

function scratch() {
  const folder = mkdtempSync(join(tmpdir(), "hermes-zip-"));
  return {
    file: (name: string): string => join(folder, name),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function make(path: string, contents: { readonly [name: string]: string }): Promise<void> {
  await using archive = await ZipWriter.create(path);
  for (const [name, content] of Object.entries(contents)) await archive.add(name, { content }, ABOUT);
  await archive.finish();
}

async function contentsOf(path: string): Promise<{ readonly [name: string]: string }> {
  await using archive = await ZipReader.open(path);
  const found: { [name: string]: string } = {};
  for (const entry of archive.entries) found[entry.name] = await archive.text(entry, 1 << 20);
  return found;
}

test("reads what it wrote: empty, large and random files, names in any language, modes", async () => {
  using folder = scratch();
  const random = randomBytes(700_000);
  writeFileSync(folder.file("random"), random);
  {
    await using archive = await ZipWriter.create(folder.file("a.zip"));
    const added = await archive.add("deep/random.bin", { path: folder.file("random") }, ABOUT);
    assert.deepEqual(added, { bytes: 700_000, sha256: createHash("sha256").update(random).digest("hex") });
    await archive.add("空/é.txt", { content: "x".repeat(100_000) }, ABOUT);
    await archive.add("empty", { content: "" }, ABOUT);
    await archive.finish();
  }
  await using archive = await ZipReader.open(folder.file("a.zip"));
  assert.deepEqual(
    archive.entries.map(({ name, size, mode }) => [name, size, mode]),
    [
      ["deep/random.bin", 700_000, 0o640],
      ["空/é.txt", 100_000, 0o640],
      ["empty", 0, 0o640],
    ],
  );
  const chunks: Buffer[] = [];
  await archive.extract(archive.entries[0]!, (chunk) => void chunks.push(chunk));
  assert.ok(Buffer.concat(chunks).equals(random));
});

const python = spawnSync("python3", ["-c", "import zipfile"]).status === 0 ? false : "python3 is not installed";

test("Python reads our archives, and this reader reads Python's", { skip: python }, async () => {
  using folder = scratch();
  await make(folder.file("ours.zip"), { "a/b.txt": "hello", "ü.txt": "word ".repeat(1000) });
  const script = `import sys, zipfile
z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None
w = zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED)
for n in z.namelist(): w.writestr(n, z.read(n))
w.writestr(zipfile.ZipInfo("stored"), b"plain"); w.close()`;
  const run = spawnSync("python3", ["-c", script, folder.file("ours.zip"), folder.file("theirs.zip")]);
  assert.equal(run.status, 0, run.stderr.toString());
  assert.deepEqual(await contentsOf(folder.file("theirs.zip")), {
    "a/b.txt": "hello",
    "ü.txt": "word ".repeat(1000),
    stored: "plain",
  });
});

test("rejects changed content, truncated archives, names that lead out of the folder and duplicate names", async () => {
  using folder = scratch();
  await make(folder.file("a.zip"), { "one.txt": "hello hello hello hello" });
  const bytes = readFileSync(folder.file("a.zip"));
  const variant = (change: (copy: Buffer) => Buffer): string => {
    writeFileSync(folder.file("b.zip"), change(Buffer.from(bytes)));
    return folder.file("b.zip");
  };
  const content = bytes.indexOf("one.txt") + "one.txt".length;
  await assert.rejects(
    contentsOf(variant((copy) => (copy.writeUInt8(copy.readUInt8(content + 3) ^ 0x10, content + 3), copy))),
    /is damaged: the content of "one\.txt" is wrong/,
  );
  for (const length of [10, bytes.length - 30])
    await assert.rejects(contentsOf(variant((copy) => copy.subarray(0, length))), /is not a ZIP archive/);
  const renamed = (name: string): string =>
    variant((copy) => Buffer.from(copy.toString("latin1").replaceAll("one.txt", name), "latin1"));
  for (const name of ["../aaaa", "/etc/aa", "a/../bb", "C:/aaaa", "a\\..\\bb"].map((each) => each.padEnd(7, "x")))
    await assert.rejects(
      contentsOf(renamed(name.slice(0, 7))),
      /is not a ZIP archive that Hermes can read: (invalid relative path|absolute path|invalid characters in fileName)/,
      name,
    );
  await make(folder.file("two.zip"), { "one.txt": "1", "two.txt": "2" });
  const twice = Buffer.from(
    readFileSync(folder.file("two.zip")).toString("latin1").replaceAll("two.txt", "one.txt"),
    "latin1",
  );
  writeFileSync(folder.file("two.zip"), twice);
  await assert.rejects(contentsOf(folder.file("two.zip")), /contains "one\.txt" twice/);
});
