import {
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
  closeSync,
  fsyncSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { Script } from "node:vm";

/**
 * Runs a piece of the build with the V8 code cache that an earlier run saved at its end. Node writes its compile
 * cache before a module runs, so it lacks every function that V8 compiles on its first call: a quarter of the start
 * of a one-shot run.
 *
 * A piece is a script with one function. It takes the imported modules, `import.meta` and `import()`, and returns the
 * exports.
 */
export function runPiece(
  file: string,
  others: readonly object[],
  meta: ImportMeta,
  load: (specifier: string) => Promise<object>,
): Record<string, unknown> {
  const cacheFolder = process.env.NODE_DISABLE_COMPILE_CACHE === undefined ? folder() : undefined;
  const cacheFile =
    cacheFolder === undefined
      ? undefined
      : join(cacheFolder, `${basename(file)}.${commandWord()}.${process.version}-${process.arch}`);
  const lasting = cacheFile === undefined ? undefined : contentOf(cacheFile);
  const cachedData = lasting ?? (cacheFile === undefined ? undefined : contentOf(cacheFile + FIRST));
  const script = new Script(readFileSync(file, "latin1"), {
    filename: file,
    cachedData,
  }); // The build writes ASCII.
  if (cacheFile !== undefined) {
    const taken = cachedData !== undefined && script.cachedDataRejected !== true;
    loaded.push({ script, cacheFile, taken });
    if (!taken || lasting === undefined) scheduleSaving();
  }
  return (script.runInThisContext() as Piece)(others, meta, load);
}

type Piece = (
  others: readonly object[],
  meta: ImportMeta,
  load: (specifier: string) => Promise<object>,
) => Record<string, unknown>;

interface LoadedPiece {
  readonly script: Script;
  /** The lasting cache file. */
  readonly cacheFile: string;
  /** V8 accepted the cache of an earlier run. */
  readonly taken: boolean;
}

const loaded: LoadedPiece[] = [];
/**
 * A first run also builds indexes, and V8 then drops compiled code. So only the cache of the second run lasts; this
 * suffix marks the first.
 */
const FIRST = ".first";
let expected: NodeJS.Timeout | undefined;
/** A long session saves its cache this early, before V8 drops functions that are no longer called. */
const SAVE_AFTER_MS = 10_000;
/**
 * The most cache files, of 0.2 to 1 MB each: the pieces for the commands that a user runs, and those of the previous
 * version.
 */
const MAX_FILES = 40;

/** Saves the cache of every loaded piece: if one lacked functions, the others may lack some too. */
function scheduleSaving(): void {
  if (expected !== undefined) return;
  const saveAll = (): void => {
    clearTimeout(expected);
    expected = undefined;
    process.off("exit", saveAll);
    for (const piece of loaded) save(piece);
  };
  process.once("exit", saveAll);
  expected = setTimeout(saveAll, SAVE_AFTER_MS).unref();
}

/** The command, because each calls different functions. Without a command it is a chat session. */
function commandWord(): string {
  const word = process.argv.slice(2).find((argument) => !argument.startsWith("-")) ?? "";
  return /^[a-z]{2,16}$/.test(word) ? word : "chat";
}

function folder(): string | undefined {
  // The specification: a relative XDG_CACHE_HOME is ignored.
  const named = process.env.XDG_CACHE_HOME ?? "";
  const cache = isAbsolute(named) ? named : join(process.env.HOME ?? "", ".cache");
  return isAbsolute(cache) ? join(cache, "hermes-agent", "warm") : undefined;
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Ignores failures: the next run is only slower. */
function save({ script, cacheFile, taken }: LoadedPiece): void {
  try {
    mkdirSync(dirname(cacheFile), { recursive: true, mode: 0o700 });
    writeWhole(taken ? cacheFile : cacheFile + FIRST, script);
    rmSync(taken ? cacheFile + FIRST : cacheFile, { force: true });
    dropOldest(dirname(cacheFile));
  } catch {
    // The disk may be full, or the cache folder read-only.
  }
}

/** Replaces the file atomically: V8 checks the length of the data, not every byte. */
function writeWhole(path: string, script: Script): void {
  const part = `${path}.${process.pid}`;
  const file = openSync(part, "wx", 0o600);
  try {
    try {
      const data = script.createCachedData();
      for (let at = 0; at < data.length;) at += writeSync(file, data, at);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

function dropOldest(cacheFolder: string): void {
  const files = readdirSync(cacheFolder).map((name) => join(cacheFolder, name));
  const newestFirst = files.map((path) => ({ path, at: statSync(path).mtimeMs })).sort((a, b) => b.at - a.at);
  for (const { path } of newestFirst.slice(MAX_FILES)) rmSync(path, { force: true });
}
