import type { Version } from "./sync-plan.ts";
import {
  absentScript,
  EXPECTED,
  fetchScript,
  hashScript,
  listScript,
  markScript,
  NO_FOLDER,
  putScript,
  removeScript,
  type TreeInEnvironment,
} from "./remote-script.ts";
import { packTar, unpackTar } from "./tar.ts";

const LIMIT_MS = 600_000;
const MAX_LISTING_BYTES = 16_000_000;
/** Sent or fetched at once. */
const BATCH_BYTES = 8_000_000;
const BATCH_FILES = 1_000;
/** Allowed growth of all files between the listing and the fetch. */
const GROWTH_BYTES = 16_000_000;
/** A time this near to the listing's own may still hide a change. */
const RACY_S = 3;

/** Runs a script in the place. Rejects when the place is gone, or when it writes more than that. */
export type RunInEnvironment = (
  script: string,
  options: { readonly stdin?: Uint8Array; readonly timeoutMs: number; readonly maxBytes: number },
) => Promise<{ readonly code: number; readonly output: Buffer }>;

export interface ListedFile {
  readonly bytes: number;
  /** File facts (size, times, inode): while they are unchanged, so is the content. */
  readonly facts: string;
  /** The file changed so recently that equal facts do not prove equal content. */
  readonly racy: boolean;
  readonly runs: boolean;
}

export interface EnvironmentListing {
  /** Words of the marker, when there is one. */
  readonly marked: string;
  readonly files: ReadonlyMap<string, ListedFile>;
}

/** Something to be put into the place, where `expected` is what is there now. */
export interface Sending {
  readonly path: string;
  readonly mode: number;
  readonly bytes: number;
  readonly expected: ListedFile | undefined;
  /** `undefined`: it is not what was to be sent any more. */
  read(): Promise<Uint8Array | undefined>;
}

/**
 * A tree of files in the environment. Everything that comes from there is untrusted: it is parsed, bounded, and
 * compared with the request.
 */
export class EnvironmentTree {
  readonly #tree: TreeInEnvironment;
  readonly #run: RunInEnvironment;

  constructor(tree: TreeInEnvironment, run: RunInEnvironment) {
    this.#tree = tree;
    this.#run = run;
  }

  /** @param only Folders and files to look at; empty: all. @returns `undefined`: there is no such folder. */
  async list(only: readonly string[]): Promise<EnvironmentListing | undefined> {
    const { code, output } = await this.#run(listScript(this.#tree, only), {
      timeoutMs: LIMIT_MS,
      maxBytes: MAX_LISTING_BYTES,
    });
    if (code === NO_FOLDER) return undefined;
    const [marked = "", clock = "", ...lines] = output.toString("utf8").split("\n");
    if (code !== 0)
      throw new Error(
        lines[0]?.startsWith("missing ")
          ? `the terminal backend has no ${lines[0].slice(8)}`
          : `cannot list the terminal backend's files (status ${code})`,
      );
    const files = new Map<string, ListedFile>();
    for (const line of lines) {
      const found = /^((\d+) [\d.]+ ([\d.]+) \d+ ([0-9a-f]+)) \.\/(.+)$/.exec(line);
      if (found === null) continue;
      const [, facts = "", bytes, changed, mode = "", path = ""] = found;
      files.set(path, {
        bytes: Number(bytes),
        facts,
        racy: Number(changed) > Number(clock) - RACY_S,
        runs: (Number.parseInt(mode, 16) & 0o100) !== 0,
      });
    }
    return { marked, files };
  }

  async mark(words: string): Promise<void> {
    const { code, output } = await this.#run(markScript(this.#tree, words), { timeoutMs: LIMIT_MS, maxBytes: 10_000 });
    if (code !== 0)
      throw new Error(
        `the folder ${this.#tree.folder} cannot be created in the terminal backend: ${output.toString("utf8").trim().slice(-200)}`,
      );
  }

  /** Versions of those that are still there. */
  async hash(files: ReadonlyMap<string, ListedFile>): Promise<ReadonlyMap<string, Version>> {
    if (files.size === 0) return new Map();
    const stdin = Buffer.from([...files.keys()].map((path) => `./${path}\0`).join(""));
    const { output } = await this.#run(hashScript(this.#tree), {
      stdin,
      timeoutMs: LIMIT_MS,
      maxBytes: MAX_LISTING_BYTES,
    });
    const versions = new Map<string, Version>();
    for (const line of output.toString("utf8").split("\n")) {
      const [, hash = "", path = ""] = /^([0-9a-f]{64})[ *]{1,2}\.\/(.+)$/.exec(line) ?? [];
      const listed = files.get(path);
      if (listed !== undefined) versions.set(path, hash + (listed.runs ? "+x" : ""));
    }
    return versions;
  }

  /** Hands over each file that is still there, a few at a time. */
  async fetch(
    files: ReadonlyMap<string, ListedFile>,
    take: (path: string, bytes: Buffer) => Promise<void>,
  ): Promise<void> {
    for (const batch of batches([...files], ([, { bytes }]) => bytes)) {
      const names = new Set(batch.map(([path]) => `./${path}`));
      const most = batch.reduce((sum, [path, { bytes }]) => sum + bytes + 4_096 + 2 * path.length, GROWTH_BYTES);
      const { output } = await this.#run(fetchScript(this.#tree), {
        stdin: Buffer.from([...names].map((name) => `${name}\0`).join("")),
        timeoutMs: LIMIT_MS,
        maxBytes: most,
      });
      for (const [name, { bytes }] of unpackTar(output, names)) await take(name.slice(2), bytes);
    }
  }

  /**
   * @param moved Called before each few, with how many files and bytes went there before.
   * @returns those that were put, each whole or not at all; not the others, which are not as expected any more.
   */
  async put(files: readonly Sending[], moved?: (files: number, bytes: number) => void): Promise<ReadonlySet<string>> {
    const done = new Set<string>();
    let [count, sum] = [0, 0];
    for (const batch of batches(files, ({ bytes }) => bytes)) {
      moved?.(count, sum);
      count += batch.length;
      for (const { bytes } of batch) sum += bytes;
      const read = await Promise.all(batch.map(async (file) => ({ ...file, bytes: await file.read() })));
      const whole = read.flatMap(({ path, mode, bytes, expected }) =>
        bytes === undefined ? [] : [{ path, mode, bytes, expected }],
      );
      const expected = Buffer.from(whole.map(({ path, expected: now }) => `${path}\0${now?.facts ?? "-"}\0`).join(""));
      await this.#change(
        putScript(this.#tree),
        packTar([{ path: EXPECTED, mode: 0o600, bytes: expected }, ...whole]),
        done,
      );
    }
    return done;
  }

  /** @returns those that were removed. */
  async remove(
    files: readonly { readonly path: string; readonly expected: ListedFile }[],
  ): Promise<ReadonlySet<string>> {
    const done = new Set<string>();
    if (files.length > 0)
      await this.#change(
        removeScript(this.#tree),
        Buffer.from(files.map(({ path, expected }) => `${path}\0${expected.facts}\0`).join("")),
        done,
      );
    return done;
  }

  /** Returns the paths that certainly do not exist in the environment. */
  async absent(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const done = new Set<string>();
    if (paths.length > 0)
      await this.#change(absentScript(this.#tree), Buffer.from(paths.map((path) => `${path}\0`).join("")), done);
    return done;
  }

  async #change(script: string, stdin: Uint8Array, done: Set<string>): Promise<void> {
    const { code, output } = await this.#run(script, { stdin, timeoutMs: LIMIT_MS, maxBytes: MAX_LISTING_BYTES });
    if (code !== 0)
      throw new Error(
        `cannot write files in the terminal backend: ${output.toString("utf8").trim().slice(-200) || `status ${code}`}`,
      );
    for (const answer of output.toString("utf8").split("\0")) if (answer.startsWith("y")) done.add(answer.slice(1));
  }
}

function* batches<T>(all: readonly T[], bytesOf: (one: T) => number): Generator<readonly T[]> {
  let batch: T[] = [];
  let bytes = 0;
  for (const one of all) {
    if (batch.length > 0 && (batch.length >= BATCH_FILES || bytes + bytesOf(one) > BATCH_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(one);
    bytes += bytesOf(one);
  }
  if (batch.length > 0) yield batch;
}
