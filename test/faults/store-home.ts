import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Fact, Recorded } from "../../src/contract/conversation/fact.ts";
import { openSqliteStore, type OpenStoreOptions } from "../../src/host/store/facts/open-store.ts";
import { loadSqlite } from "../../src/host/store/facts/sqlite.ts";
import type { SqliteStore } from "../../src/host/store/facts/sqlite-store.ts";
import { stateFile } from "../../src/host/store/facts/store-files.ts";

export interface FaultHome extends AsyncDisposable {
  readonly home: string;
  readonly path: string;
  open(options?: Partial<OpenStoreOptions>): Promise<SqliteStore>;
}

/** A temporary home for one test. At the end it closes everything that was opened on it and is deleted. */
export function faultHome(parent: string = tmpdir()): FaultHome {
  const root = mkdtempSync(join(parent, "hermes-fault-"));
  const home = join(root, "home");
  const opened: SqliteStore[] = [];
  return {
    home,
    path: stateFile(home),
    async open(options = {}) {
      const store = await openSqliteStore({ home, ...options });
      opened.push(store);
      return store;
    },
    async [Symbol.asyncDispose]() {
      for (const store of opened) await store[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

const WRITER = fileURLToPath(new URL("./store-writer.ts", import.meta.url));

export interface Writer {
  readonly child: ChildProcess;
  readonly lines: string[];
  /** The first line that it prints. */
  readonly first: Promise<string>;
  /** Its exit code, or the signal that ended it, and its stderr. */
  readonly ended: Promise<{ readonly code: number | string | null; readonly complaint: string }>;
}

export function startWriter(...args: readonly string[]): Writer {
  return watch(
    spawn(process.execPath, [WRITER, ...args], {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache() },
    }),
  );
}

let cache: string | undefined;

/** Stripping the same types in fifty processes would dominate the measurement. */
function compileCache(): string {
  if (cache === undefined) {
    const made = mkdtempSync(join(tmpdir(), "hermes-fault-cache-"));
    process.once("exit", () => rmSync(made, { recursive: true, force: true }));
    cache = made;
  }
  return cache;
}

/** The same under a shell's limit on the size of files, in KB. */
export function startLimitedWriter(kilobytes: number, ...args: readonly string[]): Writer {
  return watch(
    spawn("bash", ["-c", `ulimit -f ${kilobytes}; exec "$@"`, "bash", process.execPath, WRITER, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
}

function watch(child: ChildProcess): Writer {
  const lines: string[] = [];
  let rest = "";
  let complaint = "";
  const first = Promise.withResolvers<string>();
  first.promise.catch(() => undefined);
  child.stdout?.setEncoding("utf8").on("data", (piece: string) => {
    const parts = (rest + piece).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
    if (lines[0] !== undefined) first.resolve(lines[0]);
  });
  child.stderr?.setEncoding("utf8").on("data", (piece: string) => void (complaint += piece));
  const ended = new Promise<{ code: number | string | null; complaint: string }>((resolve) => {
    child.once("close", (code, signal) => {
      first.reject(new Error(`the writer ended before it said anything: ${complaint}`));
      resolve({ code: signal ?? code, complaint });
    });
  });
  return { child, lines, first: first.promise, ended };
}

export function text(words: string): Fact {
  return { type: "message.added", turnId: "t", origin: "person", parts: [{ type: "text", text: words }] };
}

export function textsOf(records: readonly Recorded[]): readonly string[] {
  return records.map(({ fact }) =>
    fact.type === "message.added" && fact.parts[0]?.type === "text" ? fact.parts[0].text : "",
  );
}

/** The output of SQLite's integrity check. */
export function integrity(path: string): string {
  const database = new (loadSqlite().DatabaseSync)(path, { timeout: 60_000 });
  try {
    return String(database.prepare("PRAGMA integrity_check").get()?.["integrity_check"]);
  } finally {
    database.close();
  }
}

/** Pseudo-random numbers that are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 0x1_0000_0000;
  };
}

/** Overwrites one page with noise. The file must not be open in this process. */
export function damage(path: string, where: number): void {
  const bytes = readFileSync(path);
  const page = 4096 * Math.floor((bytes.length / 4096) * where);
  bytes.fill(0xa5, page, page + 4096);
  writeFileSync(path, bytes);
}
