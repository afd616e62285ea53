import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import {
  chmod,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  unlink,
} from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { followLinks, ToolFailure, type FileStat, type Judged, type TerminalFiles } from "hermes-agent/plugin";
import { movedAway, pinFolder, type PinnedFolder } from "./pin-folder.ts";

/** This machine's own files, relative paths starting where the terminal is. */
export class LocalFiles implements TerminalFiles {
  readonly reportsIdentity = true as const;
  readonly #cwd: () => string;

  constructor(cwd: () => string) {
    this.#cwd = cwd;
  }

  async resolve(path: string): Promise<string> {
    const absolute = this.#absolute(path);
    try {
      return await realpath(absolute);
    } catch (error) {
      if (!isMissing(error)) throw failure(error, absolute);
    }
    // What does not exist yet is made where the links on its way point, dangling ones too.
    try {
      return await followLinks(absolute, readLink);
    } catch (error) {
      throw failure(error, absolute);
    }
  }

  async stat(path: string): Promise<FileStat | undefined> {
    const absolute = this.#absolute(path);
    try {
      return fileStat(await stat(absolute));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw failure(error, absolute);
    }
  }

  async read(
    path: string,
    slice?: { readonly from: number; readonly bytes: number },
    how?: Judged,
  ): Promise<Uint8Array | undefined> {
    const absolute = this.#absolute(path);
    try {
      await using folder = await pinned(dirname(absolute), how);
      // Without O_NONBLOCK, opening a named pipe would wait for a writer.
      await using file = await open(
        join(folder.path, basename(absolute)),
        constants.O_RDONLY | constants.O_NONBLOCK | (how === undefined ? 0 : constants.O_NOFOLLOW),
      );
      const found = await file.stat();
      if (!found.isFile()) throw notRegular(absolute, found);
      if (found.nlink > 1) await how?.opened?.(fileStat(found), absolute);
      if (slice === undefined) return await file.readFile();
      const length = Math.max(0, Math.min(slice.bytes, found.size === 0 ? slice.bytes : found.size - slice.from));
      const bytes = new Uint8Array(length);
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await file.read(bytes, filled, length - filled, slice.from + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw how !== undefined && codeOf(error) === "ELOOP" ? movedAway(absolute) : failure(error, absolute);
    }
  }

  async write(
    path: string,
    bytes: Uint8Array,
    expect?: { readonly modifiedMs: number; readonly bytes: number } | "absent",
    how?: Judged,
  ): Promise<void> {
    // The link's target is what is replaced, not the link.
    const whole = how === undefined ? await this.resolve(path) : this.#absolute(path);
    try {
      await makeFolder(dirname(whole), how);
      await using folder = await pinned(dirname(whole), how);
      await replaceFile(join(folder.path, basename(whole)), whole, bytes, expect);
    } catch (error) {
      throw failure(error, whole);
    }
  }

  async remove(path: string, how?: Judged): Promise<void> {
    const absolute = this.#absolute(path);
    try {
      await using folder = await pinned(dirname(absolute), how);
      await unlink(join(folder.path, basename(absolute)));
    } catch (error) {
      throw failure(error, absolute);
    }
  }

  async move(from: string, to: string, how?: Judged): Promise<void> {
    const named = { from: this.#absolute(from), to: this.#absolute(to) };
    try {
      await makeFolder(dirname(named.to), how);
      await using leaving = await pinned(dirname(named.from), how);
      await using entering = await pinned(dirname(named.to), how);
      const source = join(leaving.path, basename(named.from));
      const target = join(entering.path, basename(named.to));
      const found = await lstat(source);
      if (found.isFile()) {
        try {
          await link(source, target);
          await unlink(source);
          return;
        } catch (error) {
          if (!["EXDEV", "EPERM", "ENOTSUP", "EOPNOTSUPP"].includes(codeOf(error))) throw error;
        }
      }
      if ((await presence(target)) !== undefined)
        throw new ToolFailure("conflict", `${JSON.stringify(named.to)} already exists; nothing was moved.`);
      if (found.isFile()) {
        // Another file system, or one without hard links.
        await replaceFile(target, named.to, await readFile(source), "absent");
        await chmod(target, found.mode & 0o7777);
        await unlink(source);
      } else {
        await rename(source, target);
      }
    } catch (error) {
      throw failure(error, codeOf(error) === "EEXIST" ? named.to : named.from);
    }
  }

  async list(path: string): Promise<readonly { readonly name: string; readonly kind: FileStat["kind"] }[]> {
    const absolute = this.#absolute(path);
    try {
      const entries = await readdir(absolute, { withFileTypes: true });
      const listed = await Promise.all(
        entries.map(async (entry) => {
          const target = entry.isSymbolicLink() ? await stat(join(absolute, entry.name)).catch(() => entry) : entry;
          return { name: entry.name, kind: kindOf(target) };
        }),
      );
      return listed.sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      throw failure(error, absolute);
    }
  }

  #absolute(path: string): string {
    const expanded = path === "~" || path.startsWith("~/") ? homedir() + path.slice(1) : path;
    return resolve(this.#cwd(), expanded);
  }
}

/** If no one checked the path, links are followed as usual. */
async function pinned(folder: string, how: Judged | undefined): Promise<PinnedFolder> {
  return how === undefined ? { path: folder, [Symbol.asyncDispose]: async () => {} } : pinFolder(folder);
}

/** Missing folders are made inside the last one that is there, held open. */
async function makeFolder(folder: string, how: Judged | undefined): Promise<void> {
  if (how === undefined) return void (await mkdir(folder, { recursive: true }));
  let there = folder;
  while (dirname(there) !== there && (await presence(there)) === undefined) there = dirname(there);
  await using held = await pinFolder(there);
  if (there !== folder) await mkdir(join(held.path, relative(there, folder)), { recursive: true });
}

/** Writes a new file beside the old one and renames it. `named` is the path for messages. */
async function replaceFile(
  target: string,
  named: string,
  bytes: Uint8Array,
  expect: { readonly modifiedMs: number; readonly bytes: number } | "absent" | undefined,
): Promise<void> {
  const beside = join(dirname(target), `.${basename(target).slice(0, 100)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const before = await regularOrAbsent(target, named);
    refuseChanged(named, before, expect);
    const file = await open(
      beside,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      before === undefined ? 0o666 : 0o600,
    );
    try {
      await file.writeFile(bytes);
      if (before !== undefined) await file.chmod(before.mode & 0o7777);
      await file.sync();
    } finally {
      await file.close();
    }
    if (expect === "absent") {
      // A link fails where the name exists by now; a rename would write over it.
      await link(beside, target);
      await unlink(beside);
    } else {
      refuseChanged(named, await regularOrAbsent(target, named), expect);
      await rename(beside, target);
    }
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

async function readLink(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    if (isMissing(error) || codeOf(error) === "EINVAL") return undefined;
    throw error;
  }
}

async function regularOrAbsent(path: string, named: string): Promise<Stats | undefined> {
  const found = await presence(path);
  if (found !== undefined && !found.isFile()) throw notRegular(named, found);
  return found;
}

async function presence(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function refuseChanged(
  path: string,
  found: Stats | undefined,
  expect: { readonly modifiedMs: number; readonly bytes: number } | "absent" | undefined,
): void {
  if (expect === undefined) return;
  const hint = "Read it again before you change it.";
  if (expect === "absent") {
    if (found !== undefined) throw new ToolFailure("conflict", `${JSON.stringify(path)} already exists.`, { hint });
  } else if (found === undefined) {
    throw new ToolFailure("conflict", `${JSON.stringify(path)} is gone: another process removed it.`, { hint });
  } else if (found.mtimeMs !== expect.modifiedMs || found.size !== expect.bytes) {
    throw new ToolFailure("conflict", `${JSON.stringify(path)} has changed since it was last read.`, {
      hint,
    });
  }
}

function fileStat(found: Stats): FileStat {
  const shared = found.isFile() && found.nlink > 1 ? { identity: `${found.dev}:${found.ino}` } : {};
  return { kind: kindOf(found), bytes: found.size, modifiedMs: found.mtimeMs, mode: found.mode & 0o7777, ...shared };
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }): FileStat["kind"] {
  return entry.isFile() ? "file" : entry.isDirectory() ? "directory" : "other";
}

function notRegular(path: string, found: { isDirectory(): boolean }): ToolFailure {
  return new ToolFailure(
    "bad_arguments",
    `${JSON.stringify(path)} is ${found.isDirectory() ? "a directory" : "not a regular file (a device, pipe or socket)"}.`,
  );
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "";
}

const REASONS: { readonly [code: string]: readonly [code: string, words: string] } = {
  ENOENT: ["not_found", "does not exist"],
  ENOTDIR: ["not_found", "has a file where a directory should be"],
  EEXIST: ["conflict", "already exists"],
  EISDIR: ["bad_arguments", "is a directory"],
  ENXIO: ["bad_arguments", "is not a regular file (a pipe or socket)"],
  EACCES: ["blocked", "is not accessible to this user"],
  EPERM: ["blocked", "is not accessible to this user"],
  EROFS: ["blocked", "is on a read-only file system"],
  ENOSPC: ["disk_full", "cannot be written: the disk is full"],
  ELOOP: ["bad_arguments", "is part of a symbolic link loop"],
  ENAMETOOLONG: ["bad_arguments", "has a name that is too long"],
};

function failure(error: unknown, path: string): Error {
  const reason = REASONS[codeOf(error)];
  if (error instanceof ToolFailure || reason === undefined) return error as Error;
  return new ToolFailure(reason[0], `${JSON.stringify(path)} ${reason[1]}.`, { cause: error });
}
