import { readFileSync } from "node:fs";
import { join } from "node:path";

/** `hermes-agent 0.1.0`, from the package's own manifest: two folders up in a clone, one up when built. */
export function version(): string {
  return `hermes-agent ${packageVersion()}`;
}

export function packageVersion(): string {
  for (const up of ["../../..", ".."]) {
    try {
      const manifest = JSON.parse(readFileSync(join(import.meta.dirname, up, "package.json"), "utf8")) as { name?: string; version?: string };
      if (manifest.name === "hermes-agent" && manifest.version !== undefined) return manifest.version;
    } catch {
      // Not the package's root; look at the next candidate.
    }
  }
  return "unknown";
}
