import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject, Logger } from "hermes-agent/plugin";
import { positive } from "hermes-agent/terminal";
import { instanceFolder } from "./instance-options.ts";

/**
 * Says once how large images and overlays have become, where that is more than `terminal.disk_warning_gb`. Never
 * rejects.
 */
export async function warnOfSize(config: JsonObject, home: string, log: Logger): Promise<void> {
  const limit = positive(config["disk_warning_gb"]);
  if (limit === undefined) return;
  const folder = instanceFolder(config, home);
  const gigabytes = (await sizeOf(folder)) / 1e9;
  if (gigabytes > limit)
    log.warning(
      `Images and overlays of singularity take ${gigabytes.toFixed(1)} GB in ${folder}; terminal.disk_warning_gb is ${limit}. Remove the ones that no task needs.`,
    );
}

async function sizeOf(path: string): Promise<number> {
  try {
    const found = await lstat(path);
    let bytes = found.blocks * 512;
    if (found.isDirectory()) for (const name of await readdir(path)) bytes += await sizeOf(join(path, name));
    return bytes;
  } catch {
    return 0; // Gone in the meantime, or not ours to read.
  }
}
