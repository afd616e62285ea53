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
 * Runs a piece of the build with what V8 had compiled of it when an earlier run ended. Node's own compile cache is made before a module
 * runs, so it lacks every function that is compiled when it is first called: of a one-shot's start that was a quarter.
 *
 * A piece is a script that is one function of the modules it needs, its `import.meta` and its `import()`, and returns what it exports.
 */
export function runPiece(
  file: string,
  others: readonly object[],
  meta: ImportMeta,
  load: (specifier: string) => Promise<object>,
): Record<string, unknown> {
  const place = process.env.NODE_DISABLE_COMPILE_CACHE === undefined ? folder() : undefined;
  const settled =
    place === undefined ? undefined : join(place, `${basename(file)}.${way()}.${process.version}-${process.arch}`);
  const lasting = settled === undefined ? undefined : contentOf(settled);
  const cachedData = lasting ?? (settled === undefined ? undefined : contentOf(settled + FIRST));
  const script = new Script(readFileSync(file, "latin1"), {
    filename: file,
    cachedData,
  }); // The build writes ASCII.
  if (settled !== undefined) {
    const taken = cachedData !== undefined && script.cachedDataRejected !== true;
    loaded.push({ script, settled, taken });
    if (!taken || lasting === undefined) expectKeeping();
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
  /** Where what it compiled lies for good. */
  readonly settled: string;
  /** It began with what an earlier run had compiled. */
  readonly taken: boolean;
}

const loaded: LoadedPiece[] = [];
/** A first run makes indexes that later ones find, and V8 forgets over it what it compiled: the second one's is kept for good. */
const FIRST = ".first";
let expected: NodeJS.Timeout | undefined;
/** A long session keeps what its beginning compiled before V8 forgets what is not called any more. */
const KEEP_AFTER_MS = 10_000;
/** Files of compiled code that may lie there, of 0.2 to 1 MB: the pieces for the ways a person goes, and those of the version before. */
const AT_MOST = 40;

/** What one piece lacks is compiled in this run, and what this run compiles of the others they may lack too: all are kept. */
function expectKeeping(): void {
  if (expected !== undefined) return;
  const keepAll = (): void => {
    clearTimeout(expected);
    expected = undefined;
    process.off("exit", keepAll);
    for (const piece of loaded) keep(piece);
  };
  process.once("exit", keepAll);
  expected = setTimeout(keepAll, KEEP_AFTER_MS).unref();
}

/** Each command calls other functions than the next. A session, which may begin without a command's name, is the common one. */
function way(): string {
  const word = process.argv.slice(2).find((argument) => !argument.startsWith("-")) ?? "";
  return /^[a-z]{2,16}$/.test(word) ? word : "chat";
}

function folder(): string | undefined {
  const cache = process.env.XDG_CACHE_HOME || join(process.env.HOME ?? "", ".cache");
  return isAbsolute(cache) ? join(cache, "hermes-agent", "warm") : undefined;
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Without a word where it cannot be: the next run is slower, no more. */
function keep({ script, settled, taken }: LoadedPiece): void {
  try {
    mkdirSync(dirname(settled), { recursive: true, mode: 0o700 });
    writeWhole(taken ? settled : settled + FIRST, script);
    rmSync(taken ? settled + FIRST : settled, { force: true });
    dropOldest(dirname(settled));
  } catch {
    // A full disk, a home that cannot be written.
  }
}

/** Whole or not at all: V8 looks at the length of what it is given, and not at every byte. */
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

function dropOldest(place: string): void {
  const files = readdirSync(place).map((name) => join(place, name));
  const newestFirst = files.map((path) => ({ path, at: statSync(path).mtimeMs })).sort((a, b) => b.at - a.at);
  for (const { path } of newestFirst.slice(AT_MOST)) rmSync(path, { force: true });
}
