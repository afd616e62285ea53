import type { JsonObject } from "hermes-agent/plugin";
import type { Checkpoint, SnapshotStore } from "./snapshot-store.ts";

const DAY_MS = 86_400_000;

/** Deletes checkpoints beyond the age, count and size limits. The newest one always stays. */
export function pruneCheckpoints(
  store: Pick<SnapshotStore, "checkpoints" | "bytes">,
  config: JsonObject,
  forget: (checkpoints: readonly Checkpoint[]) => void,
): void {
  const all = store.checkpoints();
  const most = Number(config["max_snapshots"] ?? 20);
  const oldest = config["auto_prune"] === false ? 0 : Date.now() - Number(config["retention_days"] ?? 7) * DAY_MS;
  const counts = new Map<string, number>();
  const forgotten = all.filter(({ root, at }) => {
    const count = (counts.get(root) ?? 0) + 1;
    counts.set(root, count);
    return count > most || at < oldest;
  });
  if (forgotten.length > 0) forget(forgotten);
  const maxBytes = Number(config["max_total_size_mb"] ?? 500) * 1_000_000;
  for (let left = store.checkpoints(); left.length > 1 && store.bytes > maxBytes; left = store.checkpoints())
    forget(left.slice(-Math.ceil(left.length / 4)));
}
