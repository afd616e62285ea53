import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { UserError } from "../../../contract/common/failure.ts";
import { findDamage, findWrongRecord, isSuspect } from "./damage.ts";
import { liveLease } from "../facts/leases.ts";
import { DatabaseFile } from "../facts/database-file.ts";
import { countSpills } from "../facts/spill.ts";
import { damagedFiles } from "./salvage.ts";
import { sqliteProblem } from "../facts/sqlite.ts";
import { refuseUnknownFile } from "../facts/state-schema.ts";
import {
  unknownStateFile,
  indexFile,
  networkFileSystem,
  stateFile,
  type FileSystemType,
} from "../facts/store-files.ts";

export interface StoreCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly hint?: string;
}

/** What `hermes doctor` says about the store. Changes nothing. */
export async function checkStore(
  home: string,
  options: { readonly fileSystemType?: FileSystemType } = {},
): Promise<readonly StoreCheck[]> {
  const checks: StoreCheck[] = [];
  const problem = sqliteProblem(process.versions["sqlite"]);
  checks.push({ name: "sqlite", ok: problem === undefined, detail: problem ?? `SQLite ${process.versions["sqlite"]}` });
  const network = networkFileSystem(home, options.fileSystemType);
  checks.push({
    name: "store disk",
    ok: network === undefined,
    detail: network === undefined ? "a local disk" : `${home} is on ${network}`,
    hint: network === undefined ? undefined : "Set HERMES_HOME to a folder on a local disk.",
  });
  const path = stateFile(home);
  const other = unknownStateFile(home);
  if (other !== undefined)
    checks.push({
      name: "store file",
      ok: true,
      detail: `${other} belongs to another program and is not changed; sessions are stored in ${path}`,
    });
  if (!existsSync(path)) return [...checks, { name: "store", ok: true, detail: "no sessions yet" }];
  checks.push(modes(home, path));
  if (problem !== undefined || network !== undefined) return checks;
  return [...checks, ...contents(path), ...damagedCopy(path), indexCheck(home)];
}

function modes(home: string, path: string): StoreCheck {
  const open = [home, path].filter((each) => (statSync(each).mode & 0o077) !== 0);
  if (open.length === 0 || process.platform === "win32")
    return { name: "store privacy", ok: true, detail: "only you can read it" };
  return {
    name: "store privacy",
    ok: false,
    detail: `other users of this machine can read ${open.join(" and ")}`,
    hint: `chmod go-rwx ${open.join(" ")}`,
  };
}

function contents(path: string): readonly StoreCheck[] {
  const file = new DatabaseFile(path, refuseUnknownFile);
  try {
    file.open({ readOnly: true });
    const damage = findDamage(file.database) ?? findWrongRecord(file.database);
    const sessions = Number(file.statement("SELECT count(*) AS n FROM sessions").get()?.["n"]);
    const facts = Number(file.statement("SELECT count(*) AS n FROM facts").get()?.["n"]);
    const open = file
      .statement("SELECT session_id FROM sessions WHERE open_turn IS NOT NULL")
      .all()
      .map((row) => String(row["session_id"]));
    const left = open.filter((sessionId) => liveLease(file, sessionId) === undefined);
    const { waiting, misfits } = countSpills(path);
    const megabytes = (statSync(path).size / 1024 / 1024).toFixed(1);
    return [
      damage === undefined && !isSuspect(path)
        ? {
            name: "store",
            ok: true,
            detail: `${sessions} sessions, ${facts} records, ${megabytes} MB, no damage found`,
          }
        : {
            name: "store",
            ok: false,
            detail: `damaged: ${damage ?? "a read failed in an earlier run"}`,
            hint: "Start Hermes once: it copies the readable records into a new file and keeps the old one.",
          },
      {
        name: "sessions at work",
        ok: true,
        detail: `${open.length - left.length} working now, ${left.length} interrupted`,
        hint: left.length === 0 ? undefined : `\`hermes --resume ${left[0]}\` continues one.`,
      },
      ...(waiting + misfits === 0
        ? []
        : [
            {
              name: "steps not stored",
              ok: waiting === 0,
              detail: `${waiting} wait for the next start; ${misfits} no longer fit their session (${path}.spill)`,
            },
          ]),
    ];
  } catch (error) {
    if (error instanceof UserError) return [{ name: "store", ok: false, detail: error.message, hint: error.hint }];
    return [
      {
        name: "store",
        ok: false,
        detail: `it cannot be read: ${error instanceof Error ? error.message : String(error)}`,
        hint: "Start Hermes once: it saves the readable records. If there are none, replace the file with a backup, or move it away: Hermes then creates a new one.",
      },
    ];
  } finally {
    file.close();
  }
}

function damagedCopy(path: string): readonly StoreCheck[] {
  const saved = damagedFiles(path);
  if (saved.length === 0) return [];
  return [
    {
      name: "damaged stores",
      ok: true,
      detail: `the readable records of ${saved.join(", ")} are in the store`,
      hint: `They are in ${dirname(path)}. Delete them when nothing is missing.`,
    },
  ];
}

function indexCheck(home: string): StoreCheck {
  const path = indexFile(home);
  if (!existsSync(path))
    return { name: "session index", ok: true, detail: "not created yet; the first list or search creates it" };
  const file = new DatabaseFile(path, () => {});
  try {
    file.open({ readOnly: true });
    const damage = findDamage(file.database);
    if (damage !== undefined)
      return {
        name: "session index",
        ok: false,
        detail: `damaged: ${damage}`,
        hint: `Delete ${path}: Hermes rebuilds it from the facts.`,
      };
    return {
      name: "session index",
      ok: true,
      detail: `${(statSync(path).size / 1024 / 1024).toFixed(1)} MB, no damage found`,
    };
  } catch (error) {
    return {
      name: "session index",
      ok: false,
      detail: `it cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      hint: `Delete ${path}: Hermes rebuilds it from the facts.`,
    };
  } finally {
    file.close();
  }
}
