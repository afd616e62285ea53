import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { unpack } from "./unpack.ts";

function place(t: { after(run: () => void): void }) {
  const path = mkdtempSync(join(tmpdir(), "hermes-unpack-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  mkdirSync(join(path, "in/out"), { recursive: true });
  return {
    path,
    into: join(path, "in/out"),
    outside: () => readdirSync(join(path, "in")).filter((name) => name !== "out"),
  };
}

interface Entry {
  readonly name: string;
  readonly type?: string;
  readonly link?: string;
  readonly body?: string;
  readonly mode?: number;
}

/** A tar archive of exactly these entries, as no regular program would write it. */
function tar(entries: readonly Entry[]): Buffer {
  const blocks = entries.map(({ name, type = "0", link = "", body = "", mode = 0o644 }) => {
    const head = Buffer.alloc(512);
    head.write(name, 0, 100, "utf8");
    head.write(mode.toString(8).padStart(7, "0"), 100);
    head.write(Buffer.byteLength(body).toString(8).padStart(11, "0"), 124);
    head.write("        ", 148);
    head.write(type, 156);
    head.write(link, 157, 100, "utf8");
    head.write("ustar\u000000", 257);
    head.write(
      `${head
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, "0")}\u0000 `,
      148,
    );
    return Buffer.concat([head, Buffer.from(body), Buffer.alloc((512 - (Buffer.byteLength(body) % 512)) % 512)]);
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

test("an archive that tar wrote is unpacked unchanged: long names, links inside, modes", (t) => {
  const { path, into } = place(t);
  const long = `${"deep/".repeat(30)}file.txt`;
  mkdirSync(join(path, "from", "deep/".repeat(30)), { recursive: true });
  writeFileSync(join(path, "from", long), "far down");
  writeFileSync(join(path, "from/run.sh"), "#!/bin/sh\n", { mode: 0o755 });
  execFileSync("ln", ["-s", "run.sh", join(path, "from/link")]);
  execFileSync("tar", ["-czf", join(path, "a.tgz"), "-C", join(path, "from"), "."]);
  unpack(join(path, "a.tgz"), into);
  assert.equal(readFileSync(join(into, long), "utf8"), "far down");
  assert.equal(readFileSync(join(into, "link"), "utf8"), "#!/bin/sh\n");
  assert.equal(statSync(join(into, "run.sh")).mode & 0o777, 0o755);
});

test("nothing leaves the folder: climbing names, absolute names, links out, files through links, devices", (t) => {
  const absolute = `/tmp/hermes-unpacked-${process.pid}`;
  const evil: readonly (readonly [RegExp, readonly Entry[]])[] = [
    [/"\.\.\/x" leads out of the folder/, [{ name: "../x", body: "x" }]],
    [/leads out of the folder/, [{ name: "a/../../x", body: "x" }]],
    [/"\/tmp\/hermes-unpacked-\d+" leads out/, [{ name: absolute, body: "x" }]],
    [/"C:\/x" leads out/, [{ name: "C:/x", body: "x" }]],
    [/the link "a" leads out of the folder, to "\.\.\/\.\."/, [{ name: "a", type: "2", link: "../.." }]],
    [/the link "a" leads out of the folder, to "\/etc"/, [{ name: "a", type: "2", link: "/etc" }]],
    [
      /"a\/x" would be written through a link/,
      [
        { name: "b/", type: "5" },
        { name: "a", type: "2", link: "b" },
        { name: "a/x", body: "x" },
      ],
    ],
    [
      /"a" would be written through a link/,
      [
        { name: "b", body: "1" },
        { name: "a", type: "2", link: "b" },
        { name: "a", body: "x" },
      ],
    ],
    [/does not lead to a file in the archive/, [{ name: "a", type: "1", link: "../../../etc/passwd" }]],
    [/is not a file, folder or link/, [{ name: "a", type: "3" }]],
    [/is not a file, folder or link/, [{ name: "a", type: "6" }]],
  ];
  for (const [message, entries] of evil) {
    const { path, into, outside } = place(t);
    writeFileSync(join(path, "evil.tar"), tar(entries));
    assert.throws(() => unpack(join(path, "evil.tar"), into), { message });
    assert.deepEqual(outside(), []);
  }
  assert.equal(existsSync(absolute), false);
});

test("drops a set-user bit, and refuses archives that are damaged, truncated or far too large", (t) => {
  const { path, into } = place(t);
  writeFileSync(join(path, "bits.tar"), tar([{ name: "su", body: "x", mode: 0o4755 }]));
  unpack(join(path, "bits.tar"), into);
  assert.equal(statSync(join(into, "su")).mode & 0o7777, 0o755);
  const sound = tar([{ name: "a", body: "x".repeat(2000) }]);
  writeFileSync(join(path, "cut.tar"), sound.subarray(0, 1500));
  assert.throws(() => unpack(join(path, "cut.tar"), into), /ends in the middle of a file/);
  const broken = Buffer.from(sound);
  broken[3] = 0x41;
  writeFileSync(join(path, "broken.tar"), broken);
  for (const [at, bytes] of [Buffer.from("junk\n"), gzipSync("junk\n"), Buffer.alloc(0)].entries()) {
    writeFileSync(join(path, `short-${at}.tar.gz`), bytes);
    assert.throws(() => unpack(join(path, `short-${at}.tar.gz`), into), /damaged, or not a tar archive/);
  }
  assert.throws(() => unpack(join(path, "broken.tar"), into), /damaged, or not a tar archive/);
  writeFileSync(join(path, "noise.tgz"), gzipSync("no archive at all").subarray(0, 20));
  assert.throws(() => unpack(join(path, "noise.tgz"), into), /damaged, or larger/);
  writeFileSync(join(path, "bomb.tgz"), gzipSync(Buffer.alloc(300 * 1024 * 1024)));
  assert.throws(() => unpack(join(path, "bomb.tgz"), into), /damaged, or larger than 256 MB/);
});
