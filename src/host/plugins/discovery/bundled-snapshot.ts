import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "../../../contract/common/logger.ts";
import type { FoundPlugin } from "./discovery.ts";
import type { Registered } from "../registry/registered.ts";

export const FORMAT = 1;
export const SNAPSHOT_FILE = "snapshot.json";

/** `plugins/snapshot.json`: written by `scripts/generate-snapshot.ts`, committed. */
export interface BundledSnapshot {
  readonly format: typeof FORMAT;
  readonly plugins: readonly {
    readonly key: string;
    readonly manifest: FoundPlugin["manifest"];
    readonly registered: Registered;
  }[];
}

/** The plugins of a folder as its snapshot describes them. */
export function readBundled(dir: string, log: Logger): readonly FoundPlugin[] {
  let text: string;
  try {
    text = readFileSync(join(dir, SNAPSHOT_FILE), "utf8");
  } catch {
    return []; // A folder of plugins without a snapshot: each is registered again.
  }
  const snapshot = parse(text);
  if (snapshot?.format !== FORMAT) {
    log.warning(`${join(dir, SNAPSHOT_FILE)} does not have format ${FORMAT}, so Hermes registers every plugin again.`);
    return [];
  }
  return snapshot.plugins.map(({ key, manifest, registered }) => ({
    key,
    source: "bundled",
    dir: join(dir, key),
    manifest,
    files: [],
    registered,
  }));
}

function parse(text: string): BundledSnapshot | undefined {
  try {
    return JSON.parse(text) as BundledSnapshot;
  } catch {
    return undefined; // Truncated, or merged by hand: the caller reports it.
  }
}
