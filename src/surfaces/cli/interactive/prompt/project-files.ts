import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fuzzyMatch } from "@earendil-works/pi-tui";

const MAX_FILES = 200_000;
/** The list is read again after this time, so that new files appear. */
const FRESH_MS = 5_000;
/** Paths scored before other work gets its turn: about a millisecond. */
const STEP = 2_000;
const SKIPPED = new Set([".git", "node_modules", "__pycache__", ".venv", "dist", "target"]);

/** The files below a folder, for completion: those of git that are not ignored, else all but the usual build folders. */
export class ProjectFiles {
  readonly #folder: string;
  #list: Promise<readonly string[]> | undefined;
  #readAt = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The paths that fit best, best first. Gives other work its turn meanwhile. */
  async matching(query: string, most: number, signal: AbortSignal): Promise<readonly string[]> {
    const paths = await this.#paths();
    const best: { readonly path: string; readonly score: number }[] = [];
    for (let from = 0; from < paths.length; from += STEP) {
      if (signal.aborted) return [];
      for (const path of paths.slice(from, from + STEP)) {
        const { matches, score } = fuzzyMatch(query, path);
        if (matches) best.push({ path, score: score + path.length / 100 });
      }
      best.sort((a, b) => a.score - b.score).splice(most);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return best.map(({ path }) => path);
  }

  #paths(): Promise<readonly string[]> {
    if (this.#list === undefined || performance.now() - this.#readAt > FRESH_MS) {
      this.#readAt = performance.now();
      this.#list = gitFiles(this.#folder).then((files) => files ?? filesBelow(this.#folder));
    }
    return this.#list;
  }
}

/** `undefined` outside a repository. The repository's configuration must not start programs. */
function gitFiles(folder: string): Promise<readonly string[] | undefined> {
  const args = ["-c", "core.fsmonitor=false", "ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], GIT_OPTIONAL_LOCKS: "0" };
  return new Promise((resolve) => {
    execFile("git", args, { cwd: folder, env, maxBuffer: 64 << 20, timeout: 5_000 }, (error, out) =>
      resolve(
        error === null ? [...new Set(out.split("\0"))].filter((path) => path !== "").slice(0, MAX_FILES) : undefined,
      ),
    );
  });
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  const folders = [""];
  for (let at = folders.shift(); at !== undefined && files.length < MAX_FILES; at = folders.shift()) {
    const entries = await readdir(join(folder, at), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) folders.push(path);
      else if (entry.isFile()) files.push(path);
    }
  }
  return files;
}
