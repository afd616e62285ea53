import { inTransaction, type DatabaseFile } from "../facts/database-file.ts";
import type { Database } from "../facts/sqlite.ts";

/** The new file's own rows. */
const OWN: ReadonlySet<string> = new Set(["facts", "sessions", "leases", "meta"]);
const OWN_META: ReadonlySet<string> = new Set(["store_id", "removals"]);

/**
 * Copies the tables next to the facts (chats' lanes, scheduled jobs) from a damaged store into its new file, as far
 * as they are readable. An unreadable table is recreated by its owner; ids continue, so that none is reused.
 */
export function salvageBeside(damaged: Database, fresh: DatabaseFile): void {
  for (const { name, sql } of schemaOf(damaged)) {
    try {
      inTransaction(fresh, () => {
        fresh.database.exec(sql);
        copyRows(damaged, fresh, name);
      });
    } catch {
      // Nothing of it could be read, or written: the facts are what counts.
    }
  }
  try {
    for (const row of damaged.prepare("SELECT key, value FROM meta").all()) {
      const { key, value } = row as { readonly key: string; readonly value: string };
      if (!OWN_META.has(key)) fresh.database.prepare("INSERT OR IGNORE INTO meta VALUES (?, ?)").run(key, value);
    }
  } catch {
    // That page is gone.
  }
}

/** Tables before their indices. */
function schemaOf(damaged: Database): readonly { readonly name: string; readonly sql: string }[] {
  try {
    const rows = damaged
      .prepare(
        "SELECT name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND type IN ('table', 'index') ORDER BY type DESC, name",
      )
      .all();
    return rows.flatMap(({ name, tbl_name: table, sql }) =>
      OWN.has(String(table)) || String(table).startsWith("sqlite_") ? [] : [{ name: String(name), sql: String(sql) }],
    );
  } catch {
    return [];
  }
}

function copyRows(damaged: Database, fresh: DatabaseFile, table: string): void {
  const quoted = `"${table.replaceAll('"', '""')}"`;
  if (fresh.database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) === undefined)
    return;
  try {
    for (const row of damaged.prepare(`SELECT * FROM ${quoted}`).iterate()) {
      const values = row as { readonly [column: string]: string | number | null };
      if (!isSound(values["body"])) continue;
      const columns = Object.keys(values);
      fresh.database
        .prepare(
          `INSERT OR IGNORE INTO ${quoted} (${columns.map((column) => `"${column}"`).join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
        )
        .run(...Object.values(values));
    }
  } catch {
    // The rows after this cannot be read; those before are copied.
  }
  try {
    const last = damaged.prepare("SELECT seq FROM sqlite_sequence WHERE name = ?").get(table)?.["seq"];
    if (last === undefined) return;
    fresh.database.prepare("DELETE FROM sqlite_sequence WHERE name = ?").run(table);
    fresh.database.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run(table, Number(last));
  } catch {
    // It counts on from what was copied.
  }
}

/** A changed record would stop the readers of the table. */
function isSound(body: string | number | null | undefined): boolean {
  if (typeof body !== "string") return true;
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}
