/** Test files that share a process. */
export interface TestGroup {
  readonly name: string;
  readonly files: readonly string[];
}

/** Tests that use neither disk nor processes nor sockets. */
export const MEMORY_GROUP = "memory";

/** A group of more files than this is split, so that no process still runs long after the others have ended. */
const MAX_FILES = 30;
/** The assumed duration of a file that has not run before. */
const UNKNOWN_MS = 8_000;

/**
 * Groups test files by folder, the longest group first.
 * @param lastMs How long a file took in the last run.
 */
export function groupFiles(
  files: readonly string[],
  lastMs: ReadonlyMap<string, number> = new Map(),
): readonly TestGroup[] {
  const expectedMs = (group: TestGroup): number =>
    group.files.reduce((sum, file) => sum + (lastMs.get(file) ?? UNKNOWN_MS), 0);
  return [...Map.groupBy(files, groupOf)]
    .flatMap(([name, members]) => (name === MEMORY_GROUP ? [{ name, files: members }] : split(name, members)))
    .sort((a, b) => expectedMs(b) - expectedMs(a));
}

/**
 * Each area of the whole-agent tests, each terminal backend, each layer of `src/` and each folder of `test/` is a
 * group.
 */
function groupOf(file: string): string {
  if (!file.endsWith(".io.test.ts")) return MEMORY_GROUP;
  const folders = file.split("/").slice(0, -1);
  return folders.slice(0, depthOf(folders)).join("/");
}

function depthOf([top, second]: readonly string[]): number {
  if (top === "test") return second === "end-to-end" ? 3 : 2;
  if (top === "plugins") return second?.startsWith("terminal-") === true ? 2 : 1;
  return top === "src" ? 2 : 1;
}

function split(name: string, files: readonly string[]): readonly TestGroup[] {
  const parts = Math.ceil(files.length / MAX_FILES);
  return Array.from({ length: parts }, (_, part) => ({
    name: parts === 1 ? name : `${name} ${part + 1}/${parts}`,
    files: files.slice(Math.round((part * files.length) / parts), Math.round(((part + 1) * files.length) / parts)),
  }));
}
