import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fuzzyMatch } from "@earendil-works/pi-tui";

const MAX_FILES = 200_000;
const GIT_MS = 5_000;
/** The list is read again after this time, so that new files appear. */
const FRESH_MS = 5_000;
/** Paths scored before other work gets its turn: about a millisecond. */
const STEP = 1_000;
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
  const git = spawn("git", args, { cwd: folder, env, stdio: ["ignore", "pipe", "ignore"], timeout: GIT_MS });
  return new Promise((resolve) => {
    const files = new Set<string>();
    let rest = "";
    // Each part is taken as it arrives: a list of 100,000 files at once would hold up the screen.
    git.stdout.setEncoding("utf8").on("data", (part: string) => {
      const paths = `${rest}${part}`.split("\0");
      rest = paths.pop()!;
      for (const path of paths) if (files.size < MAX_FILES) files.add(path);
    });
    git.on("error", () => resolve(undefined));
    git.on("close", (status) => resolve(status === 0 ? [...files] : undefined));
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
