import type { DatabaseFile } from "./database-file.ts";
import type { Standing } from "./sqlite-store.ts";
import { metaOf } from "./state-schema.ts";

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
    storeId: metaOf(file, "store_id") ?? "",
    removals: Number(metaOf(file, "removals") ?? 0),
    listed: Number(metaOf(file, "listed") ?? 0),
    listedSum: metaOf(file, "listed_sum") ?? "",
    texted: Number(metaOf(file, "texted") ?? 0),
  };
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
