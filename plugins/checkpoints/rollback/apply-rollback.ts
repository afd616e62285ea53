import { hash as hashOf } from "node:crypto";
import { constants } from "node:fs";
import { chmod, lstat, mkdir, open, realpath, rename, rmdir, symlink, unlink, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { permissions, type SavedEntry } from "../entry.ts";
import type { Step } from "./plan-rollback.ts";

export interface CarriedOut {
  readonly restored: readonly string[];
  readonly removed: readonly string[];
  /** Folders that were not removed because they have other content. */
  readonly kept: readonly { readonly path: string; readonly why: string }[];
  /** The reason of each failure, by path. */
  readonly failed: readonly { readonly path: string; readonly why: string }[];
}

/**
 * Applies a plan below `root`. Replaces each file atomically; one failure does not stop the others. Never follows
 * links.
 */
export async function carryOut(
  root: string,
  steps: readonly Step[],
  content: (hash: string) => Uint8Array | undefined,
): Promise<CarriedOut> {
  const restored: string[] = [];
  const removed: string[] = [];
  const kept: { path: string; why: string }[] = [];
  const failed: { path: string; why: string }[] = [];
  for (const step of steps) {
    if (step.kind !== "restore") continue;
    try {
      if (step.to === undefined) {
        await remove(root, step.path, step.from);
        removed.push(step.path);
      } else {
        await put(root, step.path, step.to, step.from, content);
        restored.push(step.path);
      }
    } catch (cause) {
      const used = step.to === undefined && (cause as NodeJS.ErrnoException).code === "ENOTEMPTY";
      if (used) kept.push({ path: step.path, why: "the folder has other content now" });
      else failed.push({ path: step.path, why: cause instanceof Error ? cause.message : String(cause) });
    }
  }
  return { restored, removed, kept, failed };
}

async function remove(root: string, path: string, now: SavedEntry | undefined): Promise<void> {
  const full = await placeOf(root, path);
  if (now?.kind === "folder") await rmdir(full);
  else await unlink(full);
}

async function put(
  root: string,
  path: string,
  to: SavedEntry,
  now: SavedEntry | undefined,
  content: (hash: string) => Uint8Array | undefined,
): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  const full = await placeOf(root, path);
  if (now !== undefined && now.kind !== to.kind) await remove(root, path, now);
  if (to.kind === "folder") {
    if (now?.kind !== "folder") await mkdir(full);
    return chmod(full, permissions(to.mode));
  }
  // The name is fixed, so the next rollback replaces what a killed one left there.
  const beside = join(dirname(full), `.restored-${hashOf("sha256", basename(full)).slice(0, 16)}`);
  await unlink(beside).catch(() => undefined);
  try {
    if (to.kind === "link") await symlink(to.content!, beside);
    else {
      const bytes = content(to.content!);
      if (bytes === undefined) throw new Error("Its saved content is missing from the checkpoint store.");
      const file = await open(
        beside,
        constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
        0o600,
      );
      try {
        await file.writeFile(bytes);
        await keepOwner(full, file);
        await file.chmod(permissions(to.mode));
        await file.sync();
      } finally {
        await file.close();
      }
    }
    await rename(beside, full);
  } catch (cause) {
    await unlink(beside).catch(() => undefined); // It may not exist.
    throw cause;
  }
}

/**
 * When run as root, sets the owner to that of the replaced file or its folder; otherwise the owner could not change the
 * file any more.
 */
async function keepOwner(full: string, file: FileHandle): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await lstat(full).catch(() => lstat(dirname(full)));
  await file.chown(uid, gid);
}

/** The real location of the path. @throws when part of it has become a link to somewhere else. */
async function placeOf(root: string, path: string): Promise<string> {
  const folder = dirname(join(root, path));
  if ((await realpath(folder)) !== folder) throw new Error(`${folder} has become a link since the checkpoint.`);
  return join(root, path);
}
