import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A PATH with links to the system's programs, except for these. */
export function pathWithout(...programs: readonly string[]): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "path-without-"));
  const linked = new Set(programs);
  for (const folder of ["/usr/local/bin", "/usr/bin", "/bin"]) {
    for (const name of namesIn(folder)) {
      if (linked.has(name)) continue;
      linked.add(name);
      symlinkSync(join(folder, name), join(path, name));
    }
  }
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Some systems lack one of the three.
  }
}
