import { UserError } from "../../contract/common/failure.ts";
import { systemReason } from "../../contract/common/system-reason.ts";
import type { BackupContents } from "../../contract/services/backup-service.ts";
import { ZipReader, type ZipEntry } from "../archive/zip-reader.ts";
import { isLasting, isSecretPath } from "./home-files.ts";
import { MANIFEST, MAX_MANIFEST_BYTES, readManifest, type ManifestFile } from "./manifest.ts";

/** A backup that is open for reading. */
export interface OpenBackup extends AsyncDisposable {
  readonly contents: BackupContents;
  /** The files to restore. */
  readonly files: readonly BackupFile[];
  /** Unpacks a file and checks its digest. @throws {UserError} */
  extract(file: BackupFile, write: (chunk: Buffer) => Promise<void> | void): Promise<void>;
}

export interface BackupFile {
  readonly path: string;
  readonly mode: number;
  /** `database` without `store`: of a plugin, or of the original. */
  readonly kind: ManifestFile["kind"];
  readonly sha256: string | undefined;
  readonly entry: ZipEntry;
}

/** Opens a backup of this version, or one of the original. @throws {UserError} */
export async function openBackup(path: string): Promise<OpenBackup> {
  const archive = await ZipReader.open(path).catch((cause: unknown) => {
    if (cause instanceof UserError) throw cause;
    throw new UserError(`Cannot read ${path}: ${systemReason(cause) ?? String(cause)}.`, { exitCode: 2, cause });
  });
  try {
    const { contents, files } = await contentsOf(archive, path);
    return {
      contents,
      files,
      async extract(file, write) {
        const digest = await archive.extract(file.entry, write);
        if (file.sha256 !== undefined && file.sha256 !== digest)
          throw new UserError(`${path} is damaged: the digest of "${file.path}" is wrong.`, {
            hint: "Use another copy of the backup. Nothing was changed.",
          });
      },
      [Symbol.asyncDispose]: () => archive[Symbol.asyncDispose](),
    };
  } catch (error) {
    await archive[Symbol.asyncDispose]();
    throw error;
  }
}

/** Reads the whole backup and compares every digest. */
export async function verifyBackup(path: string): Promise<BackupContents> {
  await using backup = await openBackup(path);
  for (const file of backup.files) await backup.extract(file, () => undefined);
  return backup.contents;
}

async function contentsOf(
  archive: ZipReader,
  path: string,
): Promise<{ readonly contents: BackupContents; readonly files: readonly BackupFile[] }> {
  const entries = new Map(archive.entries.filter(({ isFolder }) => !isFolder).map((entry) => [entry.name, entry]));
  const described = entries.get(MANIFEST);
  if (described === undefined) return originalContents([...entries.values()], path);
  const manifest = readManifest(await archive.text(described, MAX_MANIFEST_BYTES), path);
  const files = manifest.files.map((file): BackupFile => {
    const entry = entries.get(file.path);
    if (entry === undefined || entry.size !== file.bytes)
      throw new UserError(`${path} is damaged: "${file.path}" is missing or has another size.`, {
        hint: "Use another copy of the backup.",
      });
    return { path: file.path, mode: file.mode, kind: file.kind, sha256: file.sha256, entry };
  });
  // What no digest covers was added later.
  const listed = new Set([MANIFEST, ...files.map((file) => file.path)]);
  const added = [...entries.keys()].find((name) => !listed.has(name));
  if (added !== undefined)
    throw new UserError(`${path} was changed: its list of files does not contain "${added}".`, {
      hint: "Use another copy of the backup.",
    });
  const { createdAt, version, profile, secrets, leftOut } = manifest;
  const bytes = files.reduce((sum, { entry }) => sum + entry.size, 0);
  return {
    contents: { by: "hermes-ts", createdAt, version, profile, secrets, files: files.length, bytes, leftOut },
    files,
  };
}

/** A backup of the original: a plain archive of its home, with checksums only. */
function originalContents(
  entries: readonly ZipEntry[],
  path: string,
): { readonly contents: BackupContents; readonly files: readonly BackupFile[] } {
  const files = entries
    .filter(({ name }) => isLasting(name))
    .map((entry): BackupFile => ({
      path: entry.name,
      mode: entry.mode ?? 0o600,
      kind: /\.(?:db|sqlite3?)$/.test(entry.name) ? "database" : "file",
      sha256: undefined,
      entry,
    }));
  if (!files.some((file) => /(?:^|\/)(?:config\.yaml|SOUL\.md|state\.db|\.env|profile\.yaml)$/.test(file.path)))
    throw new UserError(`${path} is not a backup of a Hermes home.`, {
      hint: "`hermes backup` makes one. For data of other agents: `hermes import openclaw`, `claude-code` or `codex`.",
      exitCode: 2,
    });
  const bytes = files.reduce((sum, { entry }) => sum + entry.size, 0);
  const secrets = files.some((file) => isSecretPath(file.path));
  return { contents: { by: "original", secrets, files: files.length, bytes, leftOut: [] }, files };
}
