import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** A directory that was removed gives way to the nearest one above it that is still there. */
export function nearestDirectory(path: string): string {
  for (let at = resolve(path); ; at = dirname(at)) {
    try {
      if (statSync(at).isDirectory()) return at;
    } catch {
      // Missing: look further up.
    }
    if (at === dirname(at)) return at;
  }
}
