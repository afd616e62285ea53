import { existsSync } from "node:fs";
import type { Notice } from "../../contract/app.ts";
import { dueCheck, findDamage, findWrongRecord, isSuspect, noteChecked } from "./damage.ts";
import { DatabaseFile, inTransaction } from "./database-file.ts";
import { patiently, type Patience } from "./patience.ts";
import { salvage } from "./salvage.ts";
import { loadSqlite, troubleOf } from "./sqlite.ts";
import { SqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";
import { prepareState } from "./state-schema.ts";
import { ensureHome, refuseNetwork, stateFile, type FileSystemType } from "./store-files.ts";
import { explainTrouble, type StoreUnavailable } from "./store-failure.ts";

export interface OpenStoreOptions extends SqliteStoreOptions {
  readonly home: string;
  /** Asked for the type number of the file system that holds the home; tests answer for a network. */
  readonly fileSystemType?: FileSystemType;
}

/**
 * Opens `<home>/state.db`, making home and file if need be. A damaged file is salvaged into a new one and kept; when that cannot be done
 * the store can only be read, and its `notices` and `refusal` say why.
 * @throws {UserError} On a network file system, for another program's file, or when nothing of a damaged file can be read.
 */
export async function openSqliteStore(options: OpenStoreOptions): Promise<SqliteStore> {
  const { home } = options;
  loadSqlite();
  refuseNetwork(home, options.fileSystemType);
  const now = options.now ?? Date.now;
  const patience: Patience = { budgetMs: options.waitMs ?? 30_000, random: options.random ?? Math.random };
  const path = stateFile(home);
  const storeId = () => newStoreId(patience);
  const file = new DatabaseFile(path, (database) => prepareState(database, storeId));
  const notices: Notice[] = [];
  try {
    ensureHome(home);
    await patiently(() => file.open(), patience);
    const damage = await patiently(() => checkIfDue(file, now()), patience);
    if (damage === undefined) return new SqliteStore(file, options, notices);
    file.close();
    return salvaged(file, options, notices, storeId(), new Error(damage));
  } catch (error) {
    file.close();
    const trouble = troubleOf(error);
    if (trouble === "damaged") return salvaged(file, options, notices, storeId(), error);
    const system = (error as NodeJS.ErrnoException).code;
    if (trouble === "read-only" || trouble === "unwritable" || trouble === "full" || system === "EROFS" || system === "EACCES") return readOnly(file, options, notices, explainTrouble(trouble === "other" ? "read-only" : trouble, path, error));
    throw trouble === "busy" ? explainTrouble(trouble, path, error) : error;
  }
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

function salvaged(file: DatabaseFile, options: OpenStoreOptions, notices: Notice[], storeId: string, damage: unknown): SqliteStore {
  const stamp = new Date((options.now ?? Date.now)()).toISOString().replace(/\D/g, "").slice(0, 14);
  try {
    const { kept, facts, lost } = salvage(file.path, storeId, stamp);
    file.open();
    const loss = lost === 0 ? "none is known to be missing" : `${lost} could not be read; a note stands in the place of each`;
    notices.push({ level: "warning", text: `The session store was damaged. ${facts} records were copied into a new one; ${loss}.`, hint: `The damaged file is kept as "${kept}".` });
    return new SqliteStore(file, options, notices);
  } catch (error) {
    return readOnly(file, options, notices, explainTrouble("damaged", file.path, new Error(`${messageOf(damage)}; salvage: ${messageOf(error)}`)));
  }
}

/** Never an empty list in the place of a full one: what cannot be opened even for reading is an error. */
function readOnly(file: DatabaseFile, options: OpenStoreOptions, notices: Notice[], refusal: StoreUnavailable): SqliteStore {
  if (!existsSync(file.path)) throw refusal;
  try {
    file.open({ readOnly: true });
  } catch {
    throw refusal;
  }
  notices.push({ level: "error", text: refusal.message, ...(refusal.hint === undefined ? {} : { hint: refusal.hint }) });
  return new SqliteStore(file, options, notices, refusal);
}

function newStoreId(patience: Patience): string {
  return Array.from({ length: 3 }, () => Math.floor(patience.random() * 0x1_0000_0000).toString(16).padStart(8, "0")).join("");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
