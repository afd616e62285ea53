import type * as Sqlite from "node:sqlite";
import { UserError } from "../../../contract/common/failure.ts";

export type Database = Sqlite.DatabaseSync;
export type Statement = Sqlite.StatementSync;

/** The WAL-reset bug of 3.7.0–3.51.2 can damage a database that several processes write. */
const MIN_VERSION = "3.51.3";

/** Node's own SQLite, loaded at first use. @throws {UserError} when it is older than the store can be trusted to. */
export function loadSqlite(version: string | undefined = process.versions["sqlite"]): typeof Sqlite {
  const problem = sqliteProblem(version);
  if (problem !== undefined)
    throw new UserError(problem, { hint: "Use Node 24 or newer, as the launcher `./hermes` does.", exitCode: 78 });
  return process.getBuiltinModule("node:sqlite");
}

/** Why this SQLite must not be used, if it must not. */
export function sqliteProblem(version: string | undefined): string | undefined {
  if (version === undefined) return `This Node (${process.version}) has no built-in SQLite.`;
  if (compareVersions(version, MIN_VERSION) >= 0) return undefined;
  return `This Node (${process.version}) has SQLite ${version}, which can damage a database that several processes write; ${MIN_VERSION} or newer is required.`;
}

function compareVersions(left: string, right: string): number {
  const [a, b] = [left.split(".").map(Number), right.split(".").map(Number)];
  for (let index = 0; index < 3; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Classifies an error of SQLite. */
export type Trouble = "busy" | "full" | "read-only" | "damaged" | "unwritable" | "other";

const TROUBLE_BY_CODE: { readonly [primary: number]: Trouble } = {
  5: "busy", // BUSY, also BUSY_SNAPSHOT and BUSY_RECOVERY
  6: "busy", // LOCKED
  8: "read-only",
  10: "unwritable", // IOERR
  11: "damaged", // CORRUPT
  13: "full",
  14: "unwritable", // CANTOPEN
  15: "busy", // PROTOCOL: lost a race for the WAL's locks
  26: "damaged", // NOTADB
};

export function troubleOf(error: unknown): Trouble {
  const code = (error as { readonly errcode?: unknown } | undefined)?.errcode;
  return typeof code === "number" ? (TROUBLE_BY_CODE[code & 0xff] ?? "other") : "other";
}
