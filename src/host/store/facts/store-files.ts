import { accessSync, chmodSync, constants, existsSync, readFileSync, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { UserError } from "../../../contract/common/failure.ts";
import { makeFolder } from "../../environment/make-folder.ts";
import { isUntrusted } from "./opened-databases.ts";

/** "HRMS": marks a SQLite file as one of Hermes. */
export const APPLICATION_ID = 0x48524d53;

/** Names of the store's files: the usual one, and the one beside a file of another program. */
export const STATE_NAMES = ["state.db", "state.ts.db"] as const;
export const INDEX_NAMES = ["index.db", "index.ts.db"] as const;

/**
 * The truth: facts, leases, open turns. Only the files of this folder may open it; a plain open and close drops
 * SQLite's locks.
 */
export function stateFile(home: string): string {
  return ownFile(home, STATE_NAMES);
}

/** The rebuildable copy: session list and words. */
export function indexFile(home: string): string {
  return ownFile(home, INDEX_NAMES);
}

/**
 * Path of a `state.db` in the home that another program made, such as the Python Hermes; `undefined` if there is none.
 * This store is then in `state.ts.db`.
 */
export function unknownStateFile(home: string): string | undefined {
  const path = join(home, STATE_NAMES[0]);
  return stateFile(home) !== path && existsSync(path) ? path : undefined;
}

/** The second name if another program owns the file of the first. Keeps the second name once a file has it. */
function ownFile(home: string, names: readonly [string, string]): string {
  const [usual, beside] = [join(home, names[0]), join(home, names[1])];
  return existsSync(beside) || isUntrusted(usual, APPLICATION_ID) ? beside : usual;
}

/** Makes the home if need be; others of this machine may not look in. */
export function ensureHome(home: string): void {
  makeFolder(home);
  try {
    if ((statSync(home).mode & 0o077) !== 0) chmodSync(home, 0o700);
  } catch {
    // Another user's folder, or a disk without modes: doctor reports it; writing may still work.
  }
}

/** Whether files can be made in a folder; its disk may be read-only. */
export function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false; // That is the other answer.
  }
}

/** SQLite gives `-wal` and `-shm` the mode of the main file, so this one is enough. */
export function keepPrivate(path: string): void {
  try {
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  } catch {
    // The file belongs to another user, or the disk has no modes: doctor reports it.
  }
}

/** `statfs` magic numbers of file systems whose locks or shared memory do not reach other machines. */
const NETWORK_TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB2"],
  [0x01021997, "9p"],
  [0x564c, "NCP"],
  [0x5346414f, "AFS"],
  [0x73757245, "Coda"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
]);
const FUSE = 0x65735546;
const NETWORK_FUSE = /^(?:virtiofs|fuse\.(?:sshfs|s3fs|rclone|gcsfuse|glusterfs|grpcfuse|davfs2?|cifs))$/;

export type FileSystemType = (path: string) => number | undefined;

export function fileSystemType(path: string): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return statfsSync(existsSync(path) ? path : dirname(path)).type;
  } catch {
    return undefined; // Not telling is not a network; a disk that fails says so at the first write.
  }
}

/** Name of the network file system that holds `home`, if one does. */
export function networkFileSystem(home: string, typeOf: FileSystemType = fileSystemType): string | undefined {
  if (home.startsWith("\\\\") || home.startsWith("//")) return "a Windows share";
  const type = typeOf(home);
  if (type === undefined) return undefined;
  // Some kernels report the number as a signed 32-bit value.
  const name = NETWORK_TYPES.get(type >>> 0);
  if (name !== undefined || type >>> 0 !== FUSE) return name;
  const mounted = mountedAs(home);
  return mounted !== undefined && NETWORK_FUSE.test(mounted) ? mounted : undefined;
}

/** SQLite's WAL needs shared memory that only a local disk has; a virtiofs store was seen damaged within a minute. */
export function refuseNetwork(home: string, typeOf?: FileSystemType): void {
  const network = networkFileSystem(home, typeOf);
  if (network === undefined) return;
  throw new UserError(`"${home}" is on a network file system (${network}), which would damage the session store.`, {
    hint: "Set HERMES_HOME to a folder on a local disk (in a container: a named volume).",
    exitCode: 78,
  });
}

/** Type of the deepest mount above `path`. */
function mountedAs(path: string): string | undefined {
  let best: { readonly point: string; readonly type: string } | undefined;
  for (const line of readFileSync("/proc/self/mountinfo", "utf8").split("\n")) {
    const [left, right] = line.split(" - ");
    const point = left?.split(" ")[4];
    const type = right?.split(" ")[0];
    if (point === undefined || type === undefined) continue;
    const above = path === point || path.startsWith(point.endsWith("/") ? point : `${point}/`);
    if (above && (best === undefined || point.length >= best.point.length)) best = { point, type };
  }
  return best?.type;
}
