import { formatWallTime, wallTime } from "../../../contract/common/wall-time.ts";
import type { SlashHost } from "./slash-host.ts";

const USAGE = "/snapshot, /snapshot create LABEL, /snapshot restore ID or /snapshot prune N.";

/** `/snapshot`: what a home is made of, as it was. */
export async function snapshot(args: string, host: SlashHost): Promise<string> {
  const { snapshots } = host.app;
  const [verb = "list", ...words] = args.split(/\s+/).filter((word) => word !== "");
  switch (verb) {
    case "list":
      return list(host);
    case "create": {
      const { id, path, bytes } = await snapshots.create(words.join(" "));
      return `Snapshot ${id} (${size(bytes)}) is in ${path}. /snapshot restore ${id} puts it into force.`;
    }
    case "restore":
      return words.length === 1 ? restore(words[0] ?? "", host) : `${USAGE} The newest is 1.`;
    case "prune": {
      const keep = Number(words[0] ?? 20);
      if (words.length > 1 || !Number.isInteger(keep) || keep < 0) return USAGE;
      const gone = await snapshots.prune(keep);
      return gone === 0 ? `There are no more than ${keep} snapshots.` : `${gone} removed; the newest ${keep} are kept.`;
    }
    default:
      return USAGE;
  }
}

async function list({ app }: SlashHost): Promise<string> {
  const all = await app.snapshots.list();
  if (all.length === 0) return "There are no snapshots. /snapshot create LABEL makes one.";
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
      ? `${restored.id} holds no settings: nothing was changed.`
      : `As in ${restored.id}: ${files.join(", ")}. What the agent may do counts from /reload or the next start on.`,
    `Back: /snapshot restore ${before.id}`,
    `Conversations stay as they are; those of then can be looked at with HERMES_HOME=${restored.path}.`,
  ].join("\n");
}

function size(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
