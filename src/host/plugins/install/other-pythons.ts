import { readdirSync } from "node:fs";

/** Pythons on this PATH by version (`python3.12`), oldest first, as programs to start. */
export function otherPythons(path: string): readonly string[] {
  const minors = new Set<number>();
  for (const folder of path.split(":"))
    for (const name of namesIn(folder)) minors.add(Number(/^python3\.(\d+)$/.exec(name)?.[1] ?? Number.NaN));
  return [...minors]
    .filter((minor) => minor >= OLDEST_MINOR)
    .sort((a, b) => a - b)
    .map((minor) => `python3.${minor}`);
}

/** The bridge supports it. */
const OLDEST_MINOR = 8;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder === "" ? "." : folder);
  } catch {
    return []; // PATH may name missing folders.
  }
}
