import {
  decodeBytes,
  definedFields,
  encodingName,
  quoted,
  ToolFailure,
  type JsonObject,
  type ToolContext,
} from "hermes-agent/plugin";
import { binaryKind, type BinaryKind } from "./binary-extension.ts";
import type { Guard } from "../access/guard.ts";
import { looksBinary } from "./looks-binary.ts";
import { PageLines, type CollectedLines, type LongLine, type PageRange } from "./page-lines.ts";
import { NO_PAGE } from "./no-page.ts";
import { openEnvironment, type Place } from "../access/task-files.ts";
import { readScratch } from "./scratch-file.ts";
import { similarNames } from "./similar-names.ts";
import { sameStamp, type FileMemory } from "../access/task-memory.ts";
import { UNCHANGED } from "./unchanged.ts";
import type { Source } from "./source.ts";

export interface ReadInput {
  readonly path: string;
  readonly offset?: number;
  readonly limit?: number;
  readonly column?: number;
}

const DEFAULT_LINES = 500;
const DEFAULT_MOST_LINES = 2_000;
const DEFAULT_LINE_CHARS = 2_000;
const DEFAULT_PAGE_CHARS = 100_000;
const LARGE_FILE = 512_000;
const MANY_LINES = 200;
/** Chunk size for reading; text beyond the page is only counted. */
const PIECE = 4_194_304;

/** Reads one page of a text file with line numbers. */
export async function readFile(
  input: ReadInput,
  call: ToolContext,
  memory: FileMemory,
  guard: Guard,
): Promise<JsonObject> {
  if (input.path.trim() === "") throw new ToolFailure("bad_arguments", "path is missing.", { data: NO_PAGE });
  const maxLines = numberOf(call.config("tool_output.max_lines"), DEFAULT_MOST_LINES);
  const offset = Math.max(1, Math.trunc(input.offset ?? 1));
  const limit = Math.min(maxLines, Math.max(1, Math.trunc(input.limit ?? DEFAULT_LINES)));
  const column = Math.max(1, Math.trunc(input.column ?? 1));
  const range = { from: offset, to: offset + limit - 1, column, maxLineChars: DEFAULT_LINE_CHARS };

  const place = await openEnvironment(call, (path) => !guard.mayShow(path, call));
  const file = await guard.resolve(input.path, "read", place, call);
  const source = await openSource(file, place, call);
  if (source === undefined) throw await notFound(input.path, place);
  const document = await extractDocument(file, source);
  const kind = document === undefined ? binaryKind(file) : undefined;
  if (kind !== undefined)
    throw new ToolFailure("bad_arguments", `${input.path} is not a text file (${kind}, by its extension).`, {
      hint: BINARY_HINTS[kind] ?? "Use the terminal to inspect it.",
    });

  const task = memory.task(call.taskId);
  const key = JSON.stringify([place.id, file, offset, limit, column]);
  // The model has not seen what a script or plugin read, and vice versa.
  const forModel = call.by !== "plugin";
  const repeats = forModel ? task.run.count(`read ${key}`) : 1;
  const before = forModel ? task.given.get(key) : undefined;
  if (before !== undefined && sameStamp(before.stamp, source.stamp)) return unchanged();

  const page = document === undefined ? await readPage(source, range) : pageOf(document, range);
  if (page.binary)
    throw new ToolFailure("bad_arguments", `${input.path} is not a text file: its first bytes are not printable.`, {
      hint: "Use the terminal to inspect it.",
      data: { ...NO_PAGE, file_size: source.stamp.bytes, is_binary: true },
    });
  const shown = fit(page.lines, offset, numberOf(call.config("file_read_max_chars"), DEFAULT_PAGE_CHARS));
  const next = offset + shown.count;
  const more = page.truncated || shown.cut;
  const long = page.long.filter(({ line }) => line < next);
  const cut = long.filter(({ chars }) => chars > column - 1 + DEFAULT_LINE_CHARS);
  const truncated = more || cut.length > 0;
  memory.read(call.taskId, file, source.stamp, offset === 1 && column === 1 && !truncated);
  if (forModel) task.given.set(key, { file, stamp: source.stamp, times: 1 });

  const hints: string[] = [];
  if (cut.length > 0 || column > 1) hints.push(longHint(cut, long, column));
  if (more) hints.push(`Lines ${offset}-${next - 1} of ${page.count} shown; continue with offset=${next}.`);
  else if (page.lines.length === 0)
    hints.push(
      `offset ${offset} is beyond the end of the file, which has ${page.count === 1 ? "1 line" : `${page.count} lines`}.`,
    );
  return {
    content: shown.content,
    total_lines: page.total,
    file_size: source.stamp.bytes,
    truncated,
    ...(shown.cut ? { truncated_by: "bytes", next_offset: next } : cut.length > 0 ? { truncated_by: "columns" } : {}),
    ...definedFields({ hint: hints.length > 0 ? hints.join(" ") : undefined }),
    is_binary: false,
    is_image: false,
    ...definedFields({
      extracted_document: document === undefined ? undefined : true,
      encoding: page.encoding,
      _hint:
        source.stamp.bytes > LARGE_FILE && truncated && limit > MANY_LINES
          ? "This file is large: find the relevant lines with search_files, then read them with a smaller limit."
          : undefined,
      _warning: repeats >= 3 ? `You have read the same page ${repeats} times in a row.` : undefined,
    }),
  };

  function unchanged(): JsonObject {
    if (repeats >= 3) {
      // The next request returns the page again: the earlier one may have left the context.
      task.given.delete(key);
      task.run.end();
      throw new ToolFailure(
        "loop",
        `BLOCKED: you have read this page of ${input.path} ${repeats} times in a row, and it has not changed.`,
        {
          hint: "Use the content that you already have.",
          data: { path: input.path, already_read: repeats },
        },
      );
    }
    return { status: "unchanged", message: UNCHANGED, path: input.path, dedup: true, content_returned: false };
  }
}

const BINARY_HINTS: Partial<Record<BinaryKind, string>> = {
  image: "Use vision_analyze for images, or inspect the file in the terminal.",
};

async function openSource(file: string, place: Place, call: ToolContext): Promise<Source | undefined> {
  const stat = await place.files.stat(file);
  if (stat === undefined) return readScratch(file, call);
  if (stat.kind === "directory")
    throw new ToolFailure("bad_arguments", `${file} is a directory.`, {
      hint: "Use search_files with target 'files' to list its content.",
      data: NO_PAGE,
    });
  if (stat.kind === "other")
    throw new ToolFailure("blocked", `${file} is neither a file nor a directory (a device, a pipe or a socket).`);
  return {
    stamp: { modifiedMs: stat.modifiedMs, bytes: stat.bytes },
    read: async (from, bytes) => (await place.files.read(file, { from, bytes })) ?? new Uint8Array(),
    async countNewlines(from) {
      const counted = await place.run(`tail -c +${from + 1} -- ${quoted(file)} | wc -l`, { timeoutMs: 30_000 });
      const count = Number(counted.output.trim());
      return counted.exitCode === 0 && Number.isInteger(count) ? count : undefined;
    },
  };
}

interface Page {
  readonly lines: readonly string[];
  /** Counts line ends, which the original calls lines. */
  readonly total: number;
  readonly count: number;
  readonly truncated: boolean;
  readonly long: readonly LongLine[];
  /** If it is not UTF-8. */
  readonly encoding?: string;
  readonly binary?: boolean;
}

async function readPage(source: Source, range: PageRange): Promise<Page> {
  const lines = new PageLines(range);
  for (let from = 0; ;) {
    const piece = await source.read(from, PIECE);
    if (from === 0 && looksBinary(piece))
      return { lines: [], total: 0, count: 0, truncated: false, long: [], binary: true };
    if (from === 0 && !isUtf8(piece)) {
      const other = await readOther(source, range);
      if (other !== undefined) return other;
    }
    lines.add(piece);
    from += piece.length;
    if (piece.length < PIECE) break;
    const further = lines.full && source.stamp.bytes - from > PIECE ? await source.countNewlines?.(from) : undefined;
    if (further !== undefined) return otherwise(lines.end(further));
  }
  return otherwise(lines.end());

  /** The page, unless later bytes show that the file is not in UTF-8. */
  async function otherwise(collected: CollectedLines): Promise<Page> {
    const other = collected.invalid ? await readOther(source, range) : undefined;
    return other ?? { ...totalled(collected), encoding: collected.invalid ? "not UTF-8" : undefined };
  }
}

/** Larger files in another encoding are shown as if they were in UTF-8. */
const MAX_DECODED = 20_000_000;

/** A page of a file that is not in UTF-8; `undefined` if its encoding is unknown, or it is UTF-8 after all. */
async function readOther(source: Source, range: PageRange): Promise<Page | undefined> {
  if (source.stamp.bytes > MAX_DECODED) return undefined;
  const decoded = decodeBytes(await source.read(0, source.stamp.bytes));
  const encoding = decoded === undefined ? undefined : encodingName(decoded.encoding);
  return decoded === undefined || encoding === undefined ? undefined : { ...pageOf(decoded.text, range), encoding };
}

function isUtf8(piece: Uint8Array): boolean {
  // The piece may end inside a character. A UTF-16 text without other characters than ASCII is valid UTF-8.
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(piece, { stream: true });
    return !piece.subarray(0, 1_000).includes(0);
  } catch {
    return false;
  }
}

function totalled({ newlines, ...page }: CollectedLines): Page {
  return { ...page, total: newlines };
}

function pageOf(text: string, range: PageRange): Page {
  const lines = new PageLines(range);
  lines.add(Buffer.from(text, "utf8"));
  return totalled(lines.end());
}

/** Which lines are longer than shown, and how to read the rest. */
function longHint(cut: readonly LongLine[], long: readonly LongLine[], column: number): string {
  const last = column - 1 + DEFAULT_LINE_CHARS;
  const first = cut[0];
  if (first === undefined)
    return `Each line is shown from column ${column}; the longest has ${Math.max(0, ...long.map(({ chars }) => chars))} characters.`;
  const more = cut.length === 1 ? "" : ` ${cut.length - 1} more lines are cut.`;
  return `Line ${first.line} has ${first.chars} characters, of which ${column}-${last} are shown; read the rest with offset=${first.line}, limit=1, column=${last + 1}.${more}`;
}

/**
 * Numbers the lines and stops at a line boundary before the page exceeds its limit. Always includes at least one line.
 */
function fit(
  lines: readonly string[],
  offset: number,
  maxChars: number,
): { content: string; count: number; cut: boolean } {
  const shown: string[] = [];
  let chars = 0;
  for (const line of lines) {
    const numbered = `${offset + shown.length}|${line}`;
    if (shown.length > 0 && chars + numbered.length > maxChars)
      return { content: shown.join("\n"), count: shown.length, cut: true };
    shown.push(numbered);
    chars += numbered.length + 1;
  }
  return { content: shown.join("\n"), count: shown.length, cut: false };
}

async function extractDocument(file: string, source: Source): Promise<string | undefined> {
  if (!/\.(?:ipynb|docx|xlsx)$/i.test(file)) return undefined;
  const { documentText } = await import("./document-text.ts");
  return documentText(file, source);
}

/** Similar names in the folder of the path as written, not of a dangling link's target. */
async function notFound(path: string, place: Place): Promise<ToolFailure> {
  const file = place.absolute(path);
  const slash = file.lastIndexOf("/");
  const directory = file.slice(0, slash) || "/";
  const names = await place.files.list(directory).catch(() => []);
  const shownDirectory = path.includes("/") ? path.slice(0, path.lastIndexOf("/") + 1) : "./";
  const similar = similarNames(
    file.slice(slash + 1),
    names.filter((entry) => entry.kind !== "directory").map((entry) => entry.name),
  );
  return new ToolFailure("not_found", `File not found: ${path}`, {
    data: {
      ...NO_PAGE,
      ...definedFields({
        similar_files: similar.length > 0 ? similar.map((name) => shownDirectory + name) : undefined,
      }),
    },
  });
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : otherwise;
}
