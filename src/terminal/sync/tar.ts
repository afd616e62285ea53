const BLOCK = 512;
const LONG_NAME = "././@LongLink";

export interface TarFile {
  readonly path: string;
  readonly mode: number;
  readonly bytes: Uint8Array;
}

/** An archive of regular files, as every `tar` reads it. */
export function packTar(files: Iterable<TarFile>): Buffer {
  const pieces: Uint8Array[] = [];
  for (const { path, mode, bytes } of files) {
    const name = Buffer.from(path);
    if (name.length > 99)
      pieces.push(
        header(Buffer.from(LONG_NAME), 0o644, name.length + 1, "L"),
        padded(Buffer.concat([name, Buffer.alloc(1)])),
      );
    pieces.push(header(name.subarray(0, 99), mode, bytes.length, "0"), padded(bytes));
  }
  pieces.push(Buffer.alloc(2 * BLOCK));
  return Buffer.concat(pieces);
}

/**
 * The wanted regular files of one or several archives from an untrusted source. Skips everything else (other names,
 * links, devices, folders); a truncated archive yields its complete files.
 * @param wanted Names as in the archive.
 */
export function unpackTar(
  archive: Buffer,
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, { readonly bytes: Buffer; readonly mode: number }> {
  const found = new Map<string, { bytes: Buffer; mode: number }>();
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= archive.length;) {
    const head = archive.subarray(at, at + BLOCK);
    const size = sizeOf(head);
    if (head[0] === 0) {
      // The end, behind which there may be another archive.
      at += BLOCK;
      continue;
    }
    if (size === undefined || !sumHolds(head)) break;
    const content = archive.subarray(at + BLOCK, at + BLOCK + size);
    if (content.length < size) break;
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    const type = String.fromCharCode(head[156]!);
    if (type === "L") longName = text(content);
    else if (type === "x") longName = paxPath(content) ?? longName;
    else if (type !== "g") {
      const name = longName ?? nameOf(head);
      longName = undefined;
      if ((type === "0" || type === "\0") && wanted.has(name))
        found.set(name, { bytes: content, mode: octal(head, 100, 8) });
    }
  }
  return found;
}

function header(name: Uint8Array, mode: number, size: number, type: string): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.set(name, 0);
  const put = (value: number, at: number, length: number) =>
    block.write(value.toString(8).padStart(length - 1, "0"), at, "latin1");
  put(mode, 100, 8);
  put(0, 108, 8);
  put(0, 116, 8);
  put(size, 124, 12);
  put(Math.floor(Date.now() / 1_000), 136, 12);
  block.write(`        ${type}`, 148, "latin1");
  block.write("ustar  ", 257, "latin1");
  block.write(`${sum(block).toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return block;
}

function padded(bytes: Uint8Array): Buffer {
  const rest = bytes.length % BLOCK;
  return rest === 0 ? Buffer.from(bytes) : Buffer.concat([bytes, Buffer.alloc(BLOCK - rest)]);
}

function nameOf(head: Buffer): string {
  const prefix = head.toString("latin1", 257, 263) === "ustar\0" ? text(head.subarray(345, 500)) : "";
  const name = text(head.subarray(0, 100));
  return prefix === "" ? name : `${prefix}/${name}`;
}

/** Octal digits; a size that needs more is larger than anything that is fetched. */
function sizeOf(head: Buffer): number | undefined {
  const digits = head.toString("latin1", 124, 136).replaceAll(/[\0 ]/g, "");
  return /^[0-7]{1,11}$/.test(digits) ? Number.parseInt(digits, 8) : undefined;
}

function octal(head: Buffer, at: number, length: number): number {
  return Number.parseInt(head.toString("latin1", at, at + length).replaceAll(/[\0 ]/g, "") || "0", 8) & 0o777;
}

function sumHolds(head: Buffer): boolean {
  const blank = Buffer.from(head);
  blank.fill(" ", 148, 156);
  return sum(blank) === Number.parseInt(head.toString("latin1", 148, 156).replaceAll(/[\0 ]/g, "") || "-1", 8);
}

function sum(block: Buffer): number {
  return block.reduce((total, byte) => total + byte, 0);
}

function paxPath(content: Buffer): string | undefined {
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(" ", at);
    const length = Number(content.toString("latin1", at, space));
    if (space < 0 || !Number.isInteger(length) || length <= 0) return undefined;
    const [key, ...value] = content.toString("utf8", space + 1, at + length - 1).split("=");
    if (key === "path") return value.join("=");
    at += length;
  }
  return undefined;
}

function text(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString("utf8", 0, end < 0 ? bytes.length : end);
}
