import { closeSync, openSync, readSync, statSync, watch } from "node:fs";
import type { LogLine } from "../../contract/common/log.ts";
import type { LogLevel } from "../../contract/common/logger.ts";
import type { Home } from "../environment/home.ts";
import { atLeast, parseLevel } from "./log-line.ts";

export interface ReadLogs {
  readonly home: Home;
  /** Default `agent`. */
  readonly log?: "agent" | "errors";
  /** Lowest level to show. */
  readonly level?: LogLevel;
  /** The newest so many that pass. Default 50. */
  readonly lines?: number;
  /** Continues with new lines until aborted. */
  readonly follow?: AbortSignal;
}

/**
 * Lines of the log, oldest first, older files included as far as they are needed. A line that is no JSON is shown as
 * its text.
 */
export async function* readLogs(options: ReadLogs): AsyncGenerator<LogLine> {
  const file = options.home.file("logs", `${options.log ?? "agent"}.log`);
  const wanted = options.lines ?? 50;
  const passes = (line: LogLine): boolean => options.level === undefined || atLeast(line.level, options.level);
  const stand = standOf(file);
  const newest: LogLine[] = [];
  for (const [part, size] of [[file, stand.at] as const, ...olderFiles(file)]) {
    if (newest.length >= wanted) break;
    newest.unshift(
      ...parseLines(readPart(part, 0, size).toString())
        .filter(passes)
        .slice(-(wanted - newest.length)),
    );
  }
  yield* newest;
  if (options.follow === undefined) return;
  for await (const text of appended(options.home.folder("logs"), file, stand, options.follow))
    yield* parseLines(text).filter(passes);
}

/** A line in human-readable form. */
export function formatLogLine(line: LogLine): string {
  const { time, level, name, message, ...rest } = line;
  const more = Object.keys(rest).length === 0 ? "" : ` ${JSON.stringify(rest)}`;
  return `${time} ${level.toUpperCase()} [${name}] ${message}${more}`;
}

function parseLines(text: string): LogLine[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): LogLine => {
      try {
        const parsed = JSON.parse(line) as LogLine;
        return { ...parsed, level: parseLevel(String(parsed.level)) ?? "info", message: String(parsed.message) };
      } catch {
        return { time: "", level: "info", name: "", message: line }; // Not written by us, or cut off.
      }
    });
}

function* olderFiles(file: string): Generator<readonly [string, number]> {
  for (let number = 1; ; number++) {
    const size = statSync(`${file}.${number}`, { throwIfNoEntry: false })?.size;
    if (size === undefined) return;
    yield [`${file}.${number}`, size];
  }
}

function readPart(file: string, from: number, to: number): Buffer {
  if (to <= from) return Buffer.alloc(0);
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, "r");
    const bytes = Buffer.alloc(to - from);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, from));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0); // Put aside this very moment.
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** How far which file was read. */
interface Stand {
  readonly inode: number | undefined;
  readonly at: number;
}

function standOf(file: string): Stand {
  const stat = statSync(file, { throwIfNoEntry: false });
  return { inode: stat?.ino, at: stat?.size ?? 0 };
}

/**
 * Yields the lines that are added to the file, only complete ones. Reads a rotated file to its end first, and a
 * truncated one from its start.
 */
async function* appended(folder: string, file: string, from: Stand, signal: AbortSignal): AsyncGenerator<string> {
  let { inode, at } = from;
  let wake: () => void = () => undefined;
  let changed = true;
  const note = (): void => {
    changed = true;
    wake();
  };
  const watcher = watch(folder, note);
  signal.addEventListener("abort", note);
  try {
    while (!signal.aborted) {
      if (!changed) await new Promise<void>((resolve) => (wake = resolve));
      changed = false;
      const now = standOf(file);
      if (now.inode !== inode) {
        const aside = standOf(`${file}.1`);
        if (inode !== undefined && aside.inode === inode) yield readPart(`${file}.1`, at, aside.at).toString();
        ({ inode } = now);
        at = 0;
      }
      if (now.at < at) at = 0;
      const bytes = readPart(file, at, now.at);
      const whole = bytes.subarray(0, bytes.lastIndexOf("\n") + 1);
      at += whole.length;
      if (whole.length > 0) yield whole.toString();
    }
  } finally {
    signal.removeEventListener("abort", note);
    watcher.close();
  }
}
