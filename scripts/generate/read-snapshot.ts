import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BundledSnapshot } from "../../src/host/plugins/discovery/bundled-snapshot.ts";

export const ROOT = join(import.meta.dirname, "../..");

export type BundledPlugin = BundledSnapshot["plugins"][number];

/** The declarations and registrations of the bundled plugins, as written by `generate-snapshot.ts`. */
export function readSnapshot(): readonly BundledPlugin[] {
  return (JSON.parse(readFileSync(join(ROOT, "plugins/snapshot.json"), "utf8")) as BundledSnapshot).plugins;
}
