import { mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeSync, closeSync, fsyncSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";

/**
 * Runs a piece of the build with what V8 had compiled of it when an earlier run ended. Node's own compile cache is made before a module
 * runs, so it lacks every function that is compiled when it is first called: of a one-shot's start that was a quarter.
 *
 * A piece is a script that is one function of the modules it needs, its `import.meta` and its `import()`, and returns what it exports.
 */
export function runPiece(file: string, others: readonly object[], meta: ImportMeta, load: (specifier: string) => Promise<object>): Record<string, unknown> {
  const place = process.env.NODE_DISABLE_COMPILE_CACHE === undefined ? folder() : undefined;
  const compiled = place === undefined ? undefined : join(place, `${basename(file)}.${way()}.${process.version}-${process.arch}`);
  const cachedData = compiled === undefined ? undefined : contentOf(compiled);
  const script = new Script(readFileSync(file, "latin1"), { filename: file, ...(cachedData === undefined ? {} : { cachedData }) }); // The build writes ASCII.
  if (compiled !== undefined) loaded.push({ script, compiled });
  if (compiled !== undefined && (cachedData === undefined || script.cachedDataRejected === true)) expectKeeping();
  return (script.runInThisContext() as Piece)(others, meta, load);
}

type Piece = (others: readonly object[], meta: ImportMeta, load: (specifier: string) => Promise<object>) => Record<string, unknown>;

interface LoadedPiece {
  readonly script: Script;
  readonly compiled: string;
}

const loaded: LoadedPiece[] = [];
let expected: NodeJS.Timeout | undefined;
/** A long session keeps what its beginning compiled before V8 forgets what is not called any more. */
const KEEP_AFTER_MS = 10_000;
/** Files of compiled code that may lie there, of 0.2 to 1 MB: three pieces for the ways a person goes, and those of the version before. */
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
  const cache = process.env.XDG_CACHE_HOME ?? (process.env.HOME === undefined ? undefined : join(process.env.HOME, ".cache"));
  return cache === undefined ? undefined : join(cache, "hermes-agent", "warm");
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Whole or not at all, and without a word where it cannot be: the next run is slower, no more. */
function keep({ script, compiled }: LoadedPiece): void {
  const part = `${compiled}.${process.pid}`;
  try {
    mkdirSync(dirname(compiled), { recursive: true, mode: 0o700 });
    const file = openSync(part, "wx", 0o600);
    try {
      const data = script.createCachedData();
      for (let at = 0; at < data.length; ) at += writeSync(file, data, at);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(part, compiled);
    dropOldest(dirname(compiled));
  } catch {
    try {
      rmSync(part, { force: true });
    } catch {
      // Where no file can be made none is left.
    }
  }
}

function dropOldest(place: string): void {
  const files = readdirSync(place).map((name) => join(place, name));
  const newestFirst = files.map((path) => ({ path, at: statSync(path).mtimeMs })).sort((a, b) => b.at - a.at);
  for (const { path } of newestFirst.slice(AT_MOST)) rmSync(path, { force: true });
}
