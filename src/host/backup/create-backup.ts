import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { UserError } from "../../contract/common/failure.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { BackupReport, LeftOut } from "../../contract/services/backup-service.ts";
import { ZipWriter } from "../archive/zip-writer.ts";
import { listProfiles } from "../environment/home.ts";
import { openSqliteStore } from "../store/facts/open-store.ts";
import { stateFile } from "../store/facts/store-files.ts";
import { backupStore } from "../store/repair/backup-store.ts";
import { copyDatabase } from "../store/repair/copy-database.ts";
import { homeFiles, isSettings, withoutKeys, type HomeFile } from "./home-files.ts";
import { MANIFEST, MANIFEST_FORMAT, type Manifest, type ManifestFile } from "./manifest.ts";
import { verifyBackup } from "./read-backup.ts";

export interface CreatePorts {
  readonly home: string;
  readonly profile: string;
  readonly version: string;
  readonly now: () => number;
  readonly log: Logger;
  readonly secretValues: readonly string[];
  /** Copies the store of the home into a new file, if this process has it open. */
  readonly backupOwn: ((target: string) => Promise<unknown>) | undefined;
}

export interface CreateOptions {
  readonly file: string;
  readonly withSecrets: boolean;
  /** Include the profiles of a default home. */
  readonly withProfiles: boolean;
}

/**
 * Writes the backup of a home and checks it. Until it is complete, the file has the name `FILE.part`.
 * @throws {UserError} if the file exists, or its folder does not.
 */
export async function createBackup(options: CreateOptions, ports: CreatePorts): Promise<BackupReport> {
  const file = resolve(options.file);
  if (existsSync(file))
    throw new UserError(`${file} already exists; nothing was written.`, { hint: "Name a new file.", exitCode: 2 });
  if (!existsSync(dirname(file)))
    throw new UserError(`The folder ${dirname(file)} does not exist.`, { hint: "Create it first.", exitCode: 2 });
  const part = `${file}.part`;
  const scratch = join(ports.home, "cache", `backup-${process.pid}`);
  rmSync(part, { force: true });
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  try {
    const manifest = await writeArchive(part, { ...options, file }, scratch, ports);
    await verifyBackup(part);
    renameSync(part, file);
    const { files, secrets, leftOut } = manifest;
    return { file, files: files.length, bytes: statSync(file).size, secrets, leftOut };
  } finally {
    rmSync(part, { force: true });
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function writeArchive(
  part: string,
  { file, withSecrets, withProfiles }: CreateOptions,
  scratch: string,
  ports: CreatePorts,
): Promise<Manifest> {
  const { home } = ports;
  const found = homeFiles(home, { withSecrets, secretValues: ports.secretValues });
  const leftOut: LeftOut[] = [...found.leftOut];
  const written: ManifestFile[] = [];
  await using archive = await ZipWriter.create(part);
  const stores = storesOf(home);
  for (const one of found.files) {
    // The backup itself, if it is in the home.
    if ([file, part].includes(join(home, one.path))) continue;
    if (!withProfiles && /^(?:profiles\/|active_profile$)/.test(one.path)) continue;
    const source = await sourceOf(one, { stores, scratch, withSecrets, ports });
    if ("why" in source) {
      leftOut.push({ path: one.path, why: source.why });
      continue;
    }
    const { bytes, sha256 } = await archive.add(one.path, source.from, one);
    written.push({ path: one.path, bytes, sha256, mode: one.mode, kind: source.kind });
    if ("path" in source.from && source.from.path.startsWith(scratch)) rmSync(source.from.path, { force: true });
  }
  const manifest: Manifest = {
    format: MANIFEST_FORMAT,
    createdAt: new Date(ports.now()).toISOString(),
    version: ports.version,
    profile: ports.profile,
    secrets: withSecrets,
    files: written,
    leftOut,
  };
  const about = { mode: 0o600, mtimeMs: ports.now() };
  await archive.add(MANIFEST, { content: `${JSON.stringify(manifest, null, 2)}\n` }, about);
  await archive.finish();
  return manifest;
}

/** The session stores of the home and of its profiles: path of the store, and its home. */
function storesOf(home: string): ReadonlyMap<string, string> {
  const homes = [home, ...listProfiles(home).map((name) => join(home, "profiles", name))];
  return new Map(homes.map((one) => [stateFile(one), one]));
}

type Source =
  | { readonly from: { readonly path: string } | { readonly content: string }; readonly kind: ManifestFile["kind"] }
  | { readonly why: string };

async function sourceOf(
  { path, kind }: HomeFile,
  about: {
    readonly stores: ReadonlyMap<string, string>;
    readonly scratch: string;
    readonly withSecrets: boolean;
    readonly ports: CreatePorts;
  },
): Promise<Source> {
  const { stores, scratch, withSecrets, ports } = about;
  const whole = join(ports.home, path);
  if (kind === "file") {
    if (withSecrets || !isSettings(path)) return { from: { path: whole }, kind };
    return { from: { content: withoutKeys(readFileSync(whole, "utf8"), ports.secretValues) }, kind };
  }
  const copy = join(scratch, path.replaceAll("/", "__"));
  try {
    const owner = stores.get(whole);
    if (owner === undefined) await copyDatabase(whole, copy);
    else if (owner === ports.home && ports.backupOwn !== undefined) await ports.backupOwn(copy);
    else {
      await using store = await openSqliteStore({ home: owner, log: ports.log });
      await backupStore(store, copy);
    }
    return { from: { path: copy }, kind: owner === undefined ? "database" : "store" };
  } catch (cause) {
    if (cause instanceof Error && "errcode" in cause && cause.errcode === NOT_A_DATABASE)
      return { from: { path: whole }, kind: "file" };
    ports.log.error(`Cannot back up the database ${whole}`, { cause });
    return { why: `it cannot be copied: ${cause instanceof Error ? cause.message : String(cause)}` };
  }
}

/** The code of SQLite for a file with another content. */
const NOT_A_DATABASE = 26;
