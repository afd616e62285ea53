import { existsSync, mkdir } from "node:fs";
import type * as Files from "node:fs/promises";
import { join } from "node:path";
import { RecentMap } from "../../contract/common/recent-map.ts";
import type { Home } from "./home.ts";

const KEEP_MS = 14 * 86_400_000;
/** All sessions together; the folders that were used longest ago go first. */
const MAX_BYTES = 500_000_000;
/** A session of this hour may be at work. */
const FRESH_MS = 3_600_000;
const MAX_SPILL_CHARS = 50_000_000;
/** Sessions whose folder is known to be there. */
const KNOWN_FOLDERS = 256;

/**
 * Disposable files of sessions: long results and what tools put beside them. Folders unused for two weeks are removed,
 * and more when all together grow too large.
 */
export interface Scratch {
  /** The session's own folder, made when first asked for. */
  folder(sessionId: string): Promise<string>;
  /** Keeps a long result; returns its absolute path. */
  spill(sessionId: string, callId: string, text: string): Promise<string>;
  /** Removes folders unused for two weeks, and the oldest beyond 500 MB. Never rejects. */
  sweep(now: number): Promise<void>;
}

export function openScratch(home: Home, maxBytes = MAX_BYTES): Scratch {
  const root = home.file("cache", "results");
  const made = new RecentMap<string, Promise<string>>(KNOWN_FOLDERS);

  function folder(sessionId: string): Promise<string> {
    const known = made.get(sessionId);
    if (known !== undefined) return known;
    const path = join(root, safeName(sessionId));
    const making = new Promise<string>((resolve, reject) =>
      mkdir(path, { recursive: true, mode: 0o700 }, (error) => (error === null ? resolve(path) : reject(error))),
    );
    made.set(sessionId, making);
    making.catch(() => made.delete(sessionId));
    return making;
  }

  return {
    folder,
    async spill(sessionId, callId, text) {
      const path = join(await folder(sessionId), `${safeName(callId)}.txt`);
      await using file = await files().open(path, "w", 0o600);
      await file.writeFile(
        text.length > MAX_SPILL_CHARS
          ? `${text.slice(0, MAX_SPILL_CHARS)}\n[cut: ${text.length - MAX_SPILL_CHARS} more characters]\n`
          : text,
      );
      await files().chmod(path, 0o600);
      return path;
    },
    async sweep(now) {
      if (!existsSync(root)) return;
      const names = await files()
        .readdir(root)
        .catch(() => []);
      const folders = await Promise.all(names.map((name) => measure(join(root, name), now)));
      let bytes = folders.reduce((sum, folder) => sum + folder.bytes, 0);
      for (const folder of folders.sort((a, b) => a.usedAt - b.usedAt)) {
        const age = now - folder.usedAt;
        if (age <= KEEP_MS && (bytes <= maxBytes || age <= FRESH_MS)) continue;
        bytes -= folder.bytes;
        await files()
          .rm(folder.path, { recursive: true, force: true })
          .catch(() => undefined); // another process was first
      }
    },
  };
}

/** Loaded when the first file is written, not with every start. */
function files(): typeof Files {
  return process.getBuiltinModule("node:fs/promises");
}

interface Folder {
  readonly path: string;
  readonly bytes: number;
  readonly usedAt: number;
}

/** A missing or unreadable entry counts as empty and new. */
async function measure(path: string, now: number): Promise<Folder> {
  const usedAt = await files()
    .stat(path)
    .then(
      ({ mtimeMs }) => mtimeMs,
      () => now,
    );
  const names = await files()
    .readdir(path, { recursive: true })
    .catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      files()
        .stat(join(path, name))
        .then(
          ({ size }) => size,
          () => 0,
        ),
    ),
  );
  return { path, bytes: sizes.reduce((sum, size) => sum + size, 0), usedAt };
}

/** Ids come from models too: letters, digits, `_`, `-` and `.` only, never a path. */
function safeName(id: string): string {
  const plain = id.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 120);
  if (plain === id && plain !== "") return plain;
  const digest = process.getBuiltinModule("node:crypto").hash("sha256", id).slice(0, 12);
  return `${plain}_${digest}`;
}
