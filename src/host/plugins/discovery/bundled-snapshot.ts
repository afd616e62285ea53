import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "../../../contract/common/logger.ts";
import type { FoundPlugin } from "./discovery.ts";
import type { Registered } from "../registry/registered.ts";

export const FORMAT = 1;
export const SNAPSHOT_FILE = "snapshot.json";

/** `plugins/snapshot.json`: made by `scripts/generate-snapshot.ts`, committed. */
export interface BundledSnapshot {
  readonly format: typeof FORMAT;
  readonly plugins: readonly {
    readonly key: string;
    readonly manifest: FoundPlugin["manifest"];
    readonly registered: Registered;
  }[];
}

/** The plugins of a folder as its snapshot speaks for them. */
export function readBundled(dir: string, log: Logger): readonly FoundPlugin[] {
  let text: string;
  try {
    text = readFileSync(join(dir, SNAPSHOT_FILE), "utf8");
  } catch {
    return []; // A folder of plugins without a snapshot: each is registered afresh.
  }
  const snapshot = parse(text);
  if (snapshot?.format !== FORMAT) {
    log.warning(`${join(dir, SNAPSHOT_FILE)} is not of the format ${FORMAT}, so every plugin is registered afresh.`);
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
    return undefined; // Cut off, or merged by hand: the caller says so.
  }
}
