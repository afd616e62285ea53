import { basename, dirname, join } from "node:path/posix";
import { definedFields, ToolFailure, type JsonObject, type ToolContext } from "hermes-agent/plugin";
import type { Guard } from "../access/guard.ts";
import { openEnvironment, type Place } from "../access/task-files.ts";
import { findSearcher } from "./find-searcher.ts";
import type { MatchRow, Rows, Searcher, SearchRequest } from "./search-request.ts";
import { binaryKind } from "../read/binary-extension.ts";
import { similarNames } from "../read/similar-names.ts";
import type { FileMemory } from "../access/task-memory.ts";

export interface SearchInput {
  readonly pattern: string;
  readonly target?: string;
  readonly path?: string;
  readonly file_glob?: string;
  readonly limit?: number;
  readonly offset?: number;
  readonly output_mode?: "content" | "files_only" | "count";
  readonly context?: number;
}

const TARGETS: Readonly<Record<string, "content" | "files">> = {
  content: "content",
  grep: "content",
  files: "files",
  find: "files",
};
/** From this number of matches on, grouping by path is shorter. */
const GROUPED_FROM = 5;
const GROUPED = "each path on a separate line, its matches below it as '  <line>: <content>'";

const NOTHING_FOUND: JsonObject = { total_count: 0 };

/** Finds lines in files, or files by name. */
export async function searchFiles(
  input: SearchInput,
  call: ToolContext,
  memory: FileMemory,
  guard: Guard,
): Promise<JsonObject> {
  const search = parseInput(input);
  const repeats = countRepeats(search, call, memory);
  const place = await openEnvironment(call, (path) => !guard.mayShow(path, call));
  const real = await guard.resolve(search.given, "read", place, call);
  const stat = await place.files.stat(real);
  if (stat === undefined) throw await missing(search.given, real, place);
  const alone = stat.kind !== "directory";
  const { pattern, glob, context, offset, limit } = search;
  const cwd = alone ? dirname(real) : real;
  const root = alone ? `./${basename(real)}` : ".";
  const request: SearchRequest = { pattern, glob, cwd, root, alone, context, offset, limit };
  const view = viewOf(request, search.given, place, guard, call);

  const found = await run(await findSearcher(place), search.mode, request, view, place);
  const { rows } = found;
  if (rows.error !== undefined && !holdsLineEnd(pattern)) {
    const { message, hint } = explained(rows.error, search.mode === "files");
    throw new ToolFailure("bad_arguments", `The search failed: ${message}`, { hint, data: NOTHING_FOUND });
  }
  return {
    total_count: rows.total,
    ...found.body,
    ...definedFields({
      truncated: rows.timedOut || rows.total > offset + limit ? true : undefined,
      limit_reason: rows.timedOut ? "search_timeout" : undefined,
      warning: warningOf(search, found),
      hint: hintOf(search, rows),
      _omitted: found.hidden > 0 ? found.hidden : undefined,
      _warning: repeats === 3 ? "You have made this search three times in a row; the results are the same." : undefined,
    }),
  };
}

type Mode = "content" | "files_only" | "count" | "files";

/** The arguments of a search, checked. */
interface Search {
  readonly pattern: string;
  readonly target: "content" | "files";
  readonly mode: Mode;
  /** The path as the model wrote it. */
  readonly given: string;
  readonly glob: string | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly context: number;
}

function parseInput(input: SearchInput): Search {
  const target = TARGETS[input.target ?? "content"];
  if (target === undefined)
    throw new ToolFailure("bad_arguments", `target must be 'content' or 'files', not '${input.target}'.`, {
      data: NOTHING_FOUND,
    });
  if (input.pattern === "")
    throw new ToolFailure("bad_arguments", "pattern is missing.", {
      hint: "Use target 'files' with pattern '*' to list all files.",
      data: NOTHING_FOUND,
    });
  return {
    pattern: input.pattern,
    target,
    mode: target === "files" ? "files" : (input.output_mode ?? "content"),
    given: input.path === undefined || input.path === "" ? "." : input.path,
    glob: input.file_glob === undefined || input.file_glob === "" ? undefined : input.file_glob,
    limit: Math.max(1, Math.trunc(input.limit ?? 50)),
    offset: Math.max(0, Math.trunc(input.offset ?? 0)),
    context: Math.min(50, Math.max(0, Math.trunc(input.context ?? 0))),
  };
}

/** @throws {ToolFailure} `loop` for the fourth equal search in a row. */
function countRepeats(search: Search, call: ToolContext, memory: FileMemory): number {
  const { pattern, target, given, glob, limit, offset } = search;
  const key = JSON.stringify(["search", pattern, target, given, glob ?? null, limit, offset]);
  const repeats = call.by === "plugin" ? 1 : memory.task(call.taskId).run.count(key);
  if (repeats <= 3) return repeats;
  memory.task(call.taskId).run.end();
  throw new ToolFailure("loop", `BLOCKED: you have made this search ${repeats} times in a row.`, {
    hint: "Use its results, or search for something else.",
    data: { pattern, already_searched: repeats },
  });
}

/** What the model may see of found paths, and how. */
interface View {
  shown(path: string): string;
  allowed<Row>(rows: readonly Row[], pathOf: (row: Row) => string): Promise<readonly Row[]>;
}

function viewOf(request: SearchRequest, given: string, place: Place, guard: Guard, call: ToolContext): View {
  return {
    shown: (path) => (request.alone ? given : showPath(given, path)),
    async allowed(rows, pathOf) {
      const full = (row: (typeof rows)[number]): string => join(request.cwd, pathOf(row));
      const judged = rows.filter((row) => guard.mayShow(full(row), call));
      const shown = await place.names.shown([...new Set(judged.map(full))]);
      return judged.filter((row) => shown.has(full(row)));
    },
  };
}

interface Found {
  readonly body: JsonObject;
  readonly rows: Rows<unknown>;
  /** How many rows the model may not see. */
  readonly hidden: number;
  /** Files with NUL bytes that match, too. */
  readonly binaries: readonly string[];
}

async function run(searcher: Searcher, mode: Mode, request: SearchRequest, view: View, place: Place): Promise<Found> {
  const { offset, limit } = request;
  if (mode === "files") {
    const rows = await searcher.files(request, place);
    return { ...(await pathsOf(rows, view)), binaries: [] };
  }
  const names = request.alone || offset > 0 ? Promise.resolve([]) : searcher.binaries(request, place);
  const found = async (): Promise<Omit<Found, "binaries">> => {
    if (mode === "files_only") return pathsOf(await searcher.paths(request, place), view);
    if (mode === "content") {
      const rows = await searcher.content(request, place);
      const allowed = await view.allowed(rows.rows, (row) => row.path);
      const body = matchesOf(allowed.map((row) => ({ ...row, path: view.shown(row.path) })));
      return { body, rows, hidden: rows.rows.length - allowed.length };
    }
    const rows = await searcher.counts(request, place);
    const allowed = await view.allowed(rows.rows, (row) => row.path);
    const page = allowed.slice(offset, offset + limit).map((row) => [view.shown(row.path), row.count]);
    const body = definedFields({
      total_count: allowed.reduce((all, row) => all + row.count, 0),
      counts: allowed.length > 0 ? Object.fromEntries(page) : undefined,
    });
    return { body, rows, hidden: rows.rows.length - allowed.length };
  };
  const [result, binaries] = await Promise.all([found(), names]);
  const logs = binaries.filter((path) => binaryKind(path) === undefined);
  const allowed = await view.allowed(logs, (path) => path);
  return { ...result, binaries: allowed.map((path) => view.shown(path)) };
}

async function pathsOf(rows: Rows<string>, view: View): Promise<Omit<Found, "binaries">> {
  const allowed = await view.allowed(rows.rows, (path) => path);
  const body = allowed.length > 0 ? { files: allowed.map((path) => view.shown(path)) } : {};
  return { body, rows, hidden: rows.rows.length - allowed.length };
}

const NAMED = 5;

function warningOf({ pattern, target }: Search, { rows, binaries }: Found): string | undefined {
  if (rows.total === 0 && target === "content" && holdsLineEnd(pattern))
    return "The search works line by line, so \\n never matches. Search for one of the lines, with context.";
  if (rows.unread === true) return "Some files could not be read and were not searched.";
  if (binaries.length === 0) return undefined;
  const more = binaries.length > NAMED ? ` and ${binaries.length - NAMED} more` : "";
  return `Files with NUL bytes were skipped, but match: ${binaries.slice(0, NAMED).join(", ")}${more}. To see the lines of one, search it alone with path.`;
}

function hintOf({ pattern, mode, offset, limit }: Search, rows: Rows<unknown>): string | undefined {
  const next = offset + limit;
  if (rows.total > next)
    return `${rows.total - next} more; continue with offset=${next}, or narrow the search with path or file_glob.`;
  if (rows.timedOut) return "The search timed out after 60 s; narrow it with path or file_glob.";
  if (mode === "files" && rows.total === 0 && /\.\*|[\\^$|+]/.test(pattern))
    return "pattern must be a glob here, not a regular expression: '*.py', or '*' for all.";
  return undefined;
}

/**
 * A search program's error about a pattern, without advice that applies only to its command line, and a hint that helps
 * the model.
 */
function explained(error: string, names: boolean): { readonly message: string; readonly hint: string } {
  const message = error.replace(/\n\s*Consider enabling [^]*$/, "");
  if (names)
    return {
      message,
      hint: "The pattern is a glob: '*.py', or '*' for all names. A backslash before [ { * ? finds them literally.",
    };
  if (/look-around|backreference/.test(message))
    return {
      message,
      hint: "Use a simpler pattern and read the results, or run grep -P in the terminal.",
    };
  return {
    message,
    hint: "The pattern is a regular expression: escape ( [ { . * + ? | \\ with a backslash to find them literally.",
  };
}

function matchesOf(rows: readonly MatchRow[]): JsonObject {
  if (rows.length === 0) return {};
  if (rows.length < GROUPED_FROM) return { matches: rows.map(({ path, line, content }) => ({ path, line, content })) };
  const text: string[] = [];
  let path: string | undefined;
  for (const row of rows) {
    if (row.path !== path) text.push((path = row.path));
    text.push(`  ${row.line}: ${row.content}`);
  }
  return { matches_format: GROUPED, matches_text: text.join("\n") };
}

/** A found path in the notation of the search root. */
function showPath(given: string, path: string): string {
  const bare = path.replace(/^\.\//, "");
  if (given === ".") return `./${bare}`;
  return given.endsWith("/") ? given + bare : `${given}/${bare}`;
}

/** Whether the pattern has a line end, literal or as `\n`. `\\n` is a backslash and the letter. */
function holdsLineEnd(pattern: string): boolean {
  return pattern.includes("\n") || /(?:^|[^\\])(?:\\\\)*\\n/.test(pattern);
}

async function missing(given: string, real: string, place: Place): Promise<ToolFailure> {
  const names = (await place.files.list(dirname(real)).catch(() => [])).map((entry) => entry.name);
  const similar = similarNames(basename(real), names, 3).map((name) => join(dirname(real), name));
  return new ToolFailure(
    "not_found",
    `Path not found: ${given}${similar.length > 0 ? `. Similar: ${similar.join(", ")}` : ""}`,
    { data: NOTHING_FOUND },
  );
}
