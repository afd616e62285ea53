import assert from "node:assert/strict";
import { test } from "node:test";
import { packTar, unpackTar } from "./tar.ts";

const contents = (archive: Buffer, ...wanted: string[]) =>
  [...unpackTar(archive, new Set(wanted))].map(([path, { bytes, mode }]) => [path, bytes.toString(), mode]);

test("unpacks what was packed, with long and unusual names, modes and sizes around a block", () => {
  const long = `./${"folder/".repeat(30)}漢 'name`;
  const files = [
    { path: "./a", mode: 0o600, bytes: Buffer.from("one") },
    { path: long, mode: 0o755, bytes: Buffer.alloc(512, "x") },
    { path: "./empty", mode: 0o644, bytes: Buffer.alloc(0) },
  ];
  assert.deepEqual(contents(packTar(files), "./a", long, "./empty"), [
    ["./a", "one", 0o600],
    [long, "x".repeat(512), 0o755],
    ["./empty", "", 0o644],
  ]);
});

test("extracts only the requested file from a hostile archive, without special permission bits", () => {
  const named = (path: string) => ({ path, mode: 0o6777, bytes: Buffer.from("evil") });
  const archive = packTar([
    named("../../outside"),
    named("/etc/cron.d/job"),
    named("./.git/hooks/pre-commit"),
    named("./asked/../../outside"),
    named("./asked"),
  ]);
  assert.deepEqual(contents(archive, "./asked"), [["./asked", "evil", 0o777]], "setuid and setgid bits are removed");
  const link = packTar([{ path: "./asked", mode: 0o777, bytes: Buffer.alloc(0) }]);
  link.write("2", 156);
  // Updates the header's checksum after the change.
  const sum = [...link.subarray(0, 512)].reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  link.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  assert.deepEqual(contents(link, "./asked"), [], "a link is no file");
});

test("reads consecutive archives as one", () => {
  const one = (path: string) => packTar([{ path, mode: 0o644, bytes: Buffer.from(path) }]);
  assert.deepEqual(
    contents(Buffer.concat([one("./a"), Buffer.alloc(9_000 - (9_000 % 512)), one("./b")]), "./a", "./b"),
    [
      ["./a", "./a", 0o644],
      ["./b", "./b", 0o644],
    ],
  );
});

test("returns the complete files of an archive that breaks off or states a wrong size", () => {
  const archive = packTar([
    { path: "./a", mode: 0o644, bytes: Buffer.from("one") },
    { path: "./b", mode: 0o644, bytes: Buffer.alloc(5_000, "b") },
  ]);
  assert.deepEqual(contents(archive.subarray(0, 3_000), "./a", "./b"), [["./a", "one", 0o644]]);
  assert.deepEqual(contents(Buffer.from("tar: no such file"), "./a"), []);
});
