import { formatWallTime, wallTime } from "../../../contract/common/wall-time.ts";
import type { SlashHost } from "./slash-host.ts";

const USAGE = "Usage: /snapshot, /snapshot create LABEL, /snapshot restore ID or /snapshot prune N.";

/** `/snapshot`: copies of the home's settings, keys and conversations. */
export async function snapshot(args: string, host: SlashHost): Promise<string> {
  const { snapshots } = host.app;
  const [verb = "list", ...words] = args.split(/\s+/).filter((word) => word !== "");
  switch (verb) {
    case "list":
      return list(host);
    case "create": {
      const { id, path, bytes } = await snapshots.create(words.join(" "));
      return `Created snapshot ${id} (${size(bytes)}) in ${path}. Restore it with: /snapshot restore ${id}`;
    }
    case "restore":
      return words.length === 1 ? restore(words[0] ?? "", host) : `${USAGE} ID 1 is the newest.`;
    case "prune": {
      const keep = Number(words[0] ?? 20);
      if (words.length > 1 || !Number.isInteger(keep) || keep < 0) return USAGE;
      const gone = await snapshots.prune(keep);
      return gone === 0
        ? `Nothing removed: there are at most ${keep} snapshots.`
        : `Removed ${gone}; kept the newest ${keep}.`;
    }
    default:
      return USAGE;
  }
}

async function list({ app }: SlashHost): Promise<string> {
  const all = await app.snapshots.list();
  if (all.length === 0) return "No snapshots. Create one with: /snapshot create LABEL";
  const zone = app.config.get("timezone");
  const when = (at: number): string => formatWallTime(wallTime(at, typeof zone === "string" ? zone : ""), "%F %R");
  return all
    .map(({ id, at, bytes }, index) => `${String(index + 1).padStart(2)}  ${id}  ${when(at)}  ${size(bytes)}`)
    .join("\n");
}

async function restore(which: string, host: SlashHost): Promise<string> {
  const { restored, files, before } = await host.app.snapshots.restore(which);
  await host.reload?.();
  return [
    files.length === 0
      ? `${restored.id} contains no settings, so nothing changed.`
      : `Restored ${files.join(", ")} from ${restored.id}. Permissions take effect after /reload or the next start.`,
    `To undo: /snapshot restore ${before.id}`,
    `Conversations are unchanged. To see the snapshot's conversations, start Hermes with HERMES_HOME=${restored.path}.`,
  ].join("\n");
}

function size(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
