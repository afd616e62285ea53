import { hash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, lstat, mkdir, open, readdir, readFile, rename, rm, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LEFT_OUT, OWN_PREFIX } from "./remote-script.ts";
import type { Version } from "./sync-plan.ts";

/** Read beside each other. */
const AT_ONCE = 32;
/** A time this near to now may still hide a change. */
const RACY_MS = 1_000;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;

/** A regular file of this machine. */
export interface FoundFile {
  readonly bytes: number;
  readonly mode: number;
  /** File facts (size, times, inode): while they are unchanged, so is the content. */
  readonly facts: string;
  readonly racy: boolean;
}

/** Lists only regular files: links are not followed. */
export interface LocalListing {
  readonly files: ReadonlyMap<string, FoundFile>;
  /** The tree has more files than the limit; the rest is not listed. */
  readonly tooMany: boolean;
}

/** A tree of files on this machine. Paths in it are relative, and none of their folders is ever a link. */
export class LocalTree {
  readonly #root: string;
  readonly #savedFolder: string;

  /** @param root Without links. @param savedFolder Folder for what is replaced or removed here. */
  constructor(root: string, savedFolder: string) {
    this.#root = root;
    this.#savedFolder = savedFolder;
  }

  /** @param parts Folders and files to look at; empty: all. */
  async list(parts: readonly string[], most: number): Promise<LocalListing> {
    const files = new Map<string, FoundFile>();
    const folders: string[] = [];
    const look = async (path: string) => {
      const found = await this.#facts(path);
      if (found === "folder") folders.push(path);
      else if (found !== undefined) files.set(path, found);
    };
    if (parts.length === 0) folders.push("");
    else for (const part of parts) if (await this.#reachable(part)) await look(part);
    for (let folder = folders.pop(); folder !== undefined && files.size <= most; folder = folders.pop()) {
      const entries = await readdir(join(this.#root, folder), { withFileTypes: true }).catch(() => []); // It is gone, or not ours to read.
      const wanted = entries.filter(
        (entry) =>
          (entry.isFile() || entry.isDirectory()) &&
          !LEFT_OUT.includes(entry.name) &&
          !entry.name.startsWith(OWN_PREFIX),
      );
      await this.#clean(
        folder,
        entries.map((entry) => entry.name).filter((name) => name.startsWith(OWN_PREFIX)),
      );
      for (let at = 0; at < wanted.length; at += AT_ONCE)
        await Promise.all(
          wanted.slice(at, at + AT_ONCE).map((entry) => look(folder === "" ? entry.name : `${folder}/${entry.name}`)),
        );
    }
    return { files: new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))), tooMany: files.size > most };
  }

  /** The file's version, or that it contains a private key; `undefined` if the file no longer exists. */
  async version(path: string, found: FoundFile): Promise<Version | { readonly secret: true }> {
    const bytes = await this.read(path, found);
    if (bytes === undefined) return undefined;
    return PRIVATE_KEY.test(bytes.toString("latin1", 0, 4_096))
      ? { secret: true }
      : versionOf(bytes, (found.mode & 0o100) !== 0);
  }

  /** The bytes of what was found; `undefined` when it is something else by now. */
  async read(path: string, found: FoundFile): Promise<Buffer | undefined> {
    if (!(await this.#still(path, found))) return undefined;
    const bytes = await readFile(join(this.#root, path)).catch(() => undefined);
    return bytes !== undefined && (await this.#still(path, found)) ? bytes : undefined;
  }

  /**
   * Writes a file beside the target and renames it, if the target has not changed. Saves a copy of the replaced file.
   * @returns whether it was done.
   */
  async put(path: string, bytes: Uint8Array, runs: boolean, found: FoundFile | undefined): Promise<boolean> {
    const folder = dirname(path);
    if (!(await this.#reachable(path, true))) return false;
    if (!(await this.#still(path, found))) return false;
    const aside = join(this.#root, folder, `${OWN_PREFIX}${randomBytes(6).toString("hex")}`);
    const target = join(this.#root, path);
    try {
      const file = await open(aside, "wx", found === undefined ? (runs ? 0o777 : 0o666) : 0o600);
      try {
        await file.writeFile(bytes);
        if (found !== undefined)
          await file.chmod(((found.mode & ~0o111) | (runs ? ((found.mode & 0o444) >> 2) | 0o100 : 0)) & 0o777);
        await file.sync();
      } finally {
        await file.close();
      }
      if (found === undefined) {
        // A name that another process took in the meantime is not overwritten.
        return await link(aside, target).then(
          () => true,
          (error: NodeJS.ErrnoException) => (error.code === "EEXIST" ? false : rename(aside, target).then(() => true)),
        );
      }
      await this.#keep(path);
      if (!(await this.#still(path, found))) return false;
      await rename(aside, target);
      return true;
    } finally {
      await rm(aside, { force: true });
    }
  }

  /** Removes what was found, and folders that are empty then. It is kept. @returns whether it was done. */
  async remove(path: string, found: FoundFile): Promise<boolean> {
    if (!(await this.#reachable(path)) || !(await this.#still(path, found))) return false;
    await this.#keep(path);
    await unlink(join(this.#root, path));
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
      if (
        !(await rmdir(join(this.#root, folder)).then(
          () => true,
          () => false,
        ))
      )
        break; // Not empty.
    }
    return true;
  }

  /** Keeps a version that stands nowhere here. @returns where. */
  async keepUnknown(path: string, bytes: Uint8Array): Promise<string> {
    const target = join(this.#savedFolder, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rm(target, { force: true, recursive: true });
    const file = await open(target, "wx", 0o600);
    await file.writeFile(bytes).finally(() => file.close());
    return target;
  }

  /** It is known that there is nothing of that name. */
  async absent(path: string): Promise<boolean> {
    return lstat(join(this.#root, path)).then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code === "ENOENT" || error.code === "ENOTDIR",
    );
  }

  async #keep(path: string): Promise<void> {
    const target = join(this.#savedFolder, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rm(target, { force: true, recursive: true });
    await copyFile(join(this.#root, path), target, constants.COPYFILE_FICLONE);
  }

  /** Every folder of the path is a folder, and no link. @param make Makes those that are missing. */
  async #reachable(path: string, make = false): Promise<boolean> {
    const names = path.split("/").slice(0, -1);
    for (let count = 1; count <= names.length; count += 1) {
      const folder = join(this.#root, ...names.slice(0, count));
      const found = await lstat(folder).catch(() => undefined);
      if (found?.isDirectory() === true) continue;
      if (found !== undefined || !make) return false;
      await mkdir(folder);
    }
    return true;
  }

  async #still(path: string, found: FoundFile | undefined): Promise<boolean> {
    if (found === undefined) return this.absent(path);
    const now = await this.#facts(path);
    return typeof now === "object" && now.facts === found.facts;
  }

  async #facts(path: string): Promise<FoundFile | "folder" | undefined> {
    const found = await lstat(join(this.#root, path), { bigint: true }).catch(() => undefined);
    if (found?.isDirectory() === true) return "folder";
    if (found?.isFile() !== true) return undefined;
    const { size, mode, mtimeNs, ctimeNs, ino } = found;
    return {
      bytes: Number(size),
      mode: Number(mode) & 0o777,
      facts: [size, mtimeNs, ctimeNs, ino, mode].join(" "),
      racy: Number(ctimeNs / 1_000_000n) > Date.now() - RACY_MS,
    };
  }

  /** Removes files that a killed agent left. */
  async #clean(folder: string, names: readonly string[]): Promise<void> {
    for (const name of names) {
      const path = join(this.#root, folder, name);
      const found = await lstat(path).catch(() => undefined);
      if (found?.isFile() === true && found.mtimeMs < Date.now() - 3_600_000) await rm(path, { force: true });
    }
  }
}

export function versionOf(bytes: Uint8Array, runs: boolean): string {
  return hash("sha256", bytes) + (runs ? "+x" : "");
}
