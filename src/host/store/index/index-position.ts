import type { DatabaseFile } from "../facts/database-file.ts";
import type { Standing } from "../facts/sqlite-store.ts";

/** How far the copy has come, and of which store it is one. */
export interface Place {
  readonly storeId: string;
  readonly removals: number;
  readonly listed: number;
  readonly listedSum: string;
  readonly texted: number;
}

export function placeOf(file: DatabaseFile): Place {
  return {
    storeId: noted(file, "store_id") ?? "",
    removals: Number(noted(file, "removals") ?? 0),
    listed: Number(noted(file, "listed") ?? 0),
    listedSum: noted(file, "listed_sum") ?? "",
    texted: Number(noted(file, "texted") ?? 0),
  };
}

type Mark = "store_id" | "removals" | "listed" | "listed_sum" | "texted";

function noted(file: DatabaseFile, key: Mark): string | undefined {
  return file.statement("SELECT value FROM state_meta WHERE key = ?").get(key)?.["value"] as string | undefined;
}

/** `state_meta` outlives processes, not the copy: it holds nothing but where the copy stands. */
export function note(file: DatabaseFile, key: Mark, value: string): void {
  file.statement("INSERT INTO state_meta VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2").run(key, value);
}

/** The store was replaced (salvaged, an older backup put back), so ids mean something else now. */
export function isAnother(place: Place, standing: Standing): boolean {
  if (place.listed === 0) return false;
  if (place.storeId !== standing.storeId) return true;
  const sum = String(standing.checksum ?? "");
  if (sum === place.listedSum) return false;
  const stopWasRemoved = standing.checksum === undefined && standing.removals !== place.removals;
  return !stopWasRemoved;
}
