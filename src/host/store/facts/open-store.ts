import { existsSync, statSync } from "node:fs";
import type { Notice } from "../../../contract/common/notice.ts";
import type { Chance } from "../../../contract/common/clock.ts";
import { dueCheck, findDamage, findWrongRecord, isSuspect, noteChecked } from "../repair/damage.ts";
import { DatabaseFile, inTransaction } from "./database-file.ts";
import { patiently, type Patience } from "./patience.ts";
import { keepNewestDamaged, salvage, SalvagedByOther } from "../repair/salvage.ts";
import { loadSqlite, troubleOf } from "./sqlite.ts";
import { replaySpills } from "./spill.ts";
import { SqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";
import { prepareState } from "./state-schema.ts";
import {
  ensureHome,
  unknownStateFile,
  isWritable,
  refuseNetwork,
  stateFile,
  type FileSystemType,
} from "./store-files.ts";
import { explainTrouble, notSalvaged, type StoreUnavailable } from "./store-failure.ts";

export interface OpenStoreOptions extends SqliteStoreOptions {
  readonly home: string;
  /** Asked for the type number of the file system that holds the home; tests answer for a network. */
  readonly fileSystemType?: FileSystemType;
}

/**
 * Opens `<home>/state.db` (beside another program's: `state.ts.db`), making home and file if need be. A damaged file is
 * salvaged into a new one and kept; when that cannot be done the store can only be read, and its `notices` and
 * `refusal` say why. One that cannot be written for another reason is tried again by each write.
 * @throws {UserError} On a network file system, or when nothing of a damaged file can be read.
 */
export async function openSqliteStore(options: OpenStoreOptions): Promise<SqliteStore> {
  loadSqlite();
  refuseNetwork(options.home, options.fileSystemType);
  for (let tries = 0; ; tries++) {
    try {
      return await openOnce(options);
    } catch (error) {
      const othersAtIt = error instanceof SalvagedByOther || troubleOf(error) === "busy";
      if (!othersAtIt || tries >= 20) throw othersAtIt ? explainTrouble("busy", stateFile(options.home), error) : error;
      await new Promise((resolve) => setTimeout(resolve, 10 + 40 * (options.random ?? Math.random)()));
    }
  }
}

async function openOnce(options: OpenStoreOptions): Promise<SqliteStore> {
  const now = options.now ?? Date.now;
  const random = options.random ?? Math.random;
  const patience: Patience = { budgetMs: options.waitMs ?? 30_000, random };
  const path = stateFile(options.home);
  const file = new DatabaseFile(path, (database) => prepareState(database, () => newStoreId(random)));
  let damage: unknown;
  let inode: number | undefined;
  try {
    ensureHome(options.home);
    inode = statSync(path, { throwIfNoEntry: false })?.ino;
    await patiently(() => file.open(), patience);
    damage = await patiently(() => checkIfDue(file, now()), patience);
    if (damage === undefined) await patiently(() => replaySpills(file, { now: now(), log: options.log }), patience);
    if (damage === undefined)
      return new SqliteStore(file, options, inode === undefined ? besideAnother(options.home) : []);
    file.close();
  } catch (error) {
    file.close();
    const trouble = troubleOf(error);
    const system = (error as NodeJS.ErrnoException).code;
    if (
      trouble === "read-only" ||
      trouble === "unwritable" ||
      trouble === "full" ||
      system === "EROFS" ||
      system === "EACCES"
    )
      return readOnly(
        file,
        options,
        explainTrouble(
          trouble === "full" || (trouble === "unwritable" && isWritable(options.home)) ? trouble : "read-only",
          path,
          error,
        ),
      );
    if (trouble === "busy") throw explainTrouble(trouble, path, error);
    if (trouble !== "damaged") throw error;
    damage = error;
  }
  return salvaged(file, options, { cause: damage, inode }, newStoreId(random));
}

/** Said once: when our file is made. */
function besideAnother(home: string): readonly Notice[] {
  const other = unknownStateFile(home);
  if (other === undefined) return [];
  return [
    {
      level: "info",
      text: `"${other}" belongs to another program (the original Hermes stores its sessions there) and is not changed; this version stores its sessions in "${stateFile(home)}".`,
    },
  ];
}

/** At most daily, and at once when the last run met damage. */
function checkIfDue(file: DatabaseFile, now: number): string | undefined {
  if (dueCheck(file, now) !== "now") return undefined;
  const damage = findDamage(file.database) ?? (isSuspect(file.path) ? findWrongRecord(file.database) : undefined);
  if (damage !== undefined) return damage;
  file.database.exec("PRAGMA synchronous = NORMAL");
  inTransaction(file, () => noteChecked(file, now));
  file.database.exec("PRAGMA synchronous = FULL");
  return undefined;
}

function salvaged(
  file: DatabaseFile,
  options: OpenStoreOptions,
  damage: { readonly cause: unknown; readonly inode: number | undefined },
  storeId: string,
): SqliteStore {
  const stamp = new Date((options.now ?? Date.now)()).toISOString().replace(/\D/g, "").slice(0, 14);
  try {
    const { damagedFile, facts, lost } = salvage(file.path, { inode: damage.inode, stamp }, storeId);
    file.open();
    keepNewestDamaged(file.path);
    const loss = lost === 0 ? "no record is known to be missing" : `${lost} could not be read; a note replaces each`;
    return new SqliteStore(file, options, [
      {
        level: "warning",
        text: `The session store was damaged. ${facts} records were copied into a new one; ${loss}.`,
        hint: `The damaged file is saved as "${damagedFile}".`,
      },
    ]);
  } catch (error) {
    file.close();
    if (error instanceof SalvagedByOther || troubleOf(error) === "busy") throw error;
    return readOnly(file, options, notSalvaged(file.path, messageOf(damage.cause), error));
  }
}

/** Never an empty list in the place of a full one: what cannot be opened even for reading is an error. */
function readOnly(file: DatabaseFile, options: OpenStoreOptions, refusal: StoreUnavailable): SqliteStore {
  if (!existsSync(file.path)) throw refusal;
  try {
    file.open({ readOnly: true });
  } catch {
    throw refusal;
  }
  const notice: Notice = {
    level: "error",
    text: refusal.message,
    hint: refusal.hint,
  };
  return new SqliteStore(file, options, [notice], refusal);
}

function newStoreId(random: Chance): string {
  return Array.from({ length: 3 }, () =>
    Math.floor(random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, "0"),
  ).join("");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
