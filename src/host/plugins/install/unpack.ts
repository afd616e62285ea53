import { copyFileSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { gunzipSync } from "node:zlib";
import { UserError } from "../../../contract/common/failure.ts";

const BLOCK = 512;
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_ENTRIES = 20_000;

/**
 * Unpacks a `.tar` or `.tar.gz` into an empty folder. Writes nothing outside it: no absolute or climbing name, no link
 * that leads out, nothing through a link, no devices, no set-user bits.
 * @throws {UserError} naming the archive and the entry.
 */
export function unpack(archive: string, into: string): void {
  const bytes = readArchive(archive);
  const bad = (what: string): never => {
    throw new UserError(`Cannot unpack ${archive}: ${what}`);
  };
  if (bytes.length < BLOCK) bad("it is damaged, or not a tar archive.");
  const links = new Set<string>();
  let entries = 0;
  let long: { path?: string; linkpath?: string } = {};
  for (let at = 0; at + BLOCK <= bytes.length;) {
    const head = bytes.subarray(at, at + BLOCK);
    if (head.every((byte) => byte === 0)) break;
    if (!sumIsRight(head)) bad("it is damaged, or not a tar archive.");
    const size = numberOf(head.subarray(124, 136));
    const body = bytes.subarray(at + BLOCK, at + BLOCK + size);
    if (body.length < size) bad("it ends in the middle of a file.");
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    const type = String.fromCharCode(head[156] || 0x30);
    if (type === "g") continue;
    if (type === "x") long = { ...long, ...paxOf(body) };
    else if (type === "L") long = { ...long, path: textOf(body) };
    else if (type === "K") long = { ...long, linkpath: textOf(body) };
    else {
      if ((entries += 1) > MAX_ENTRIES) bad(`it has more than ${MAX_ENTRIES} entries.`);
      const prefix = textOf(head.subarray(345, 500));
      const ustar = textOf(head.subarray(257, 262)) === "ustar";
      const name = long.path ?? (ustar && prefix !== "" ? `${prefix}/` : "") + textOf(head.subarray(0, 100));
      const link = long.linkpath ?? textOf(head.subarray(157, 257));
      long = {};
      put({ name, link, type, mode: numberOf(head.subarray(100, 108)), body });
    }
  }

  function put({
    name,
    link,
    type,
    mode,
    body,
  }: {
    readonly name: string;
    readonly link: string;
    readonly type: string;
    readonly mode: number;
    readonly body: Buffer;
  }): void {
    const path = safeName(name) ?? bad(`"${name}" leads out of the folder.`);
    if (path === ".") return;
    if (parentsOf(path).some((parent) => links.has(parent)) || links.has(path))
      bad(`"${name}" would be written through a link.`);
    const target = join(into, path);
    if (type === "5") {
      mkdirSync(target, { recursive: true });
      return;
    }
    mkdirSync(dirname(target), { recursive: true });
    if (type === "0" || type === "7") writeFileSync(target, body, { mode: mode & 0o111 ? 0o755 : 0o644 });
    else if (type === "2") {
      if (
        link === "" ||
        posix.isAbsolute(link) ||
        posix.normalize(posix.join(posix.dirname(path), link)).startsWith("..")
      )
        bad(`the link "${name}" leads out of the folder, to "${link}".`);
      symlinkSync(link, target);
      links.add(path);
    } else if (type === "1") {
      const from = safeName(link);
      if (
        from === undefined ||
        links.has(from) ||
        parentsOf(from).some((parent) => links.has(parent)) ||
        lstatSync(join(into, from), { throwIfNoEntry: false })?.isFile() !== true
      )
        bad(`the link "${link}" of "${name}" does not lead to a file in the archive.`);
      copyFileSync(join(into, from!), target);
    } else bad(`"${name}" is not a file, folder or link.`);
  }
}

function readArchive(archive: string): Buffer {
  const bytes = readFileSync(archive);
  if (!(bytes[0] === 0x1f && bytes[1] === 0x8b)) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BYTES });
  } catch (cause) {
    throw new UserError(`Cannot unpack ${archive}: it is damaged, or larger than ${MAX_BYTES / 1024 / 1024} MB.`, {
      cause,
    });
  }
}

/** Relative, without `..`; `undefined` for anything else. */
function safeName(name: string): string | undefined {
  if (name === "" || name.includes("\0") || name.includes("\\") || posix.isAbsolute(name) || /^[A-Za-z]:/.test(name))
    return undefined;
  if (name.split("/").includes("..")) return undefined;
  return posix.normalize(name).replace(/\/$/, "");
}

function parentsOf(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}

function sumIsRight(head: Buffer): boolean {
  let sum = 0;
  for (let at = 0; at < BLOCK; at++) sum += at >= 148 && at < 156 ? 0x20 : head[at]!;
  return sum === numberOf(head.subarray(148, 156));
}

/** Octal, or (first bit set) big-endian. */
function numberOf(field: Buffer): number {
  if ((field[0]! & 0x80) !== 0) return Number(field.subarray(1).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n));
  return Number.parseInt(textOf(field).trim() || "0", 8);
}

function textOf(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString("utf8", 0, end < 0 ? field.length : end);
}

/** `LENGTH KEY=VALUE\n`, repeated. */
function paxOf(body: Buffer): { path?: string; linkpath?: string } {
  const found: { path?: string; linkpath?: string } = {};
  for (let at = 0; at < body.length;) {
    const length = Number.parseInt(body.toString("latin1", at, at + 16), 10);
    if (!(length > 0)) break;
    const line = body.toString("utf8", at, at + length - 1);
    const [, key, value] = /^\d+ ([^=]+)=([^]*)$/.exec(line) ?? [];
    if (key === "path" || key === "linkpath") found[key] = value!;
    at += length;
  }
  return found;
}
