import { basename, dirname, join } from "node:path/posix";
import { definedFields, ToolFailure, type JsonObject, type ToolContext } from "hermes-agent/plugin";
import type { Guard } from "../access/guard.ts";
import { openEnvironment, type Place } from "../access/task-files.ts";
import { findSearcher } from "./find-searcher.ts";
import type { MatchRow, Rows, SearchRequest } from "./search-request.ts";
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
  const limit = Math.max(1, Math.trunc(input.limit ?? 50));
  const offset = Math.max(0, Math.trunc(input.offset ?? 0));
  const context = Math.min(50, Math.max(0, Math.trunc(input.context ?? 0)));
  const given = input.path === undefined || input.path === "" ? "." : input.path;

  const key = JSON.stringify(["search", input.pattern, target, given, input.file_glob ?? null, limit, offset]);
  const repeats = call.by === "plugin" ? 1 : memory.task(call.taskId).run.count(key);
  if (repeats > 3) {
    memory.task(call.taskId).run.end();
    throw new ToolFailure("loop", `BLOCKED: you have made this search ${repeats} times in a row.`, {
      hint: "Use its results, or search for something else.",
      data: { pattern: input.pattern, already_searched: repeats },
    });
  }

  const place = await openEnvironment(call, (path) => !guard.mayShow(path, call));
  const real = await guard.resolve(given, "read", place, call);
  const stat = await place.files.stat(real);
  if (stat === undefined) throw await missing(given, real, place);
  const alone = stat.kind !== "directory";
  const request: SearchRequest = {
    pattern: input.pattern,
    glob: input.file_glob === undefined || input.file_glob === "" ? undefined : input.file_glob,
    cwd: alone ? dirname(real) : real,
    root: alone ? `./${basename(real)}` : ".",
    context,
    offset,
    limit,
  };
  const shown = (path: string): string => (alone ? given : showPath(given, path));
  const ofShown = async <Row>(rows: readonly Row[], pathOf: (row: Row) => string): Promise<readonly Row[]> => {
    const full = (row: Row): string => join(request.cwd, pathOf(row));
    const judged = rows.filter((row) => guard.mayShow(full(row), call));
    const shown = await place.names.shown([...new Set(judged.map(full))]);
    return judged.filter((row) => shown.has(full(row)));
  };
  const searcher = await findSearcher(place);
  const mode = target === "files" ? "files" : (input.output_mode ?? "content");

  const { body, rows, hidden } = await run();
  if (rows.error !== undefined && !holdsLineEnd(input.pattern)) {
    const { message, hint } = explained(rows.error, mode === "files");
    throw new ToolFailure("bad_arguments", `The search failed: ${message}`, { hint, data: NOTHING_FOUND });
  }
  const next = offset + limit;
  const hint = hintOf();
  const truncated = rows.timedOut || rows.total > next;
  return {
    total_count: rows.total,
    ...body,
    ...definedFields({
      truncated: truncated ? true : undefined,
      limit_reason: rows.timedOut ? "search_timeout" : undefined,
    }),
    ...(rows.total === 0 && target === "content" && holdsLineEnd(input.pattern)
      ? { warning: "The search works line by line, so \\n never matches. Search for one of the lines, with context." }
      : rows.unread === true
        ? { warning: "Some files could not be read and were not searched." }
        : {}),
    ...definedFields({
      hint,
      _omitted: hidden > 0 ? hidden : undefined,
      _warning: repeats === 3 ? "You have made this search three times in a row; the results are the same." : undefined,
    }),
  };

  function hintOf(): string | undefined {
    if (rows.total > next)
      return `${rows.total - next} more; continue with offset=${next}, or narrow the search with path or file_glob.`;
    if (rows.timedOut) return "The search timed out after 60 s; narrow it with path or file_glob.";
    if (mode === "files" && rows.total === 0 && /\.\*|[\\^$|+]/.test(input.pattern))
      return "pattern must be a glob here, not a regular expression: '*.py', or '*' for all.";
    return undefined;
  }

  async function run(): Promise<{ body: JsonObject; rows: Rows<unknown>; hidden: number }> {
    switch (mode) {
      case "content": {
        const rows = await searcher.content(request, place);
        const allowed = await ofShown(rows.rows, (row) => row.path);
        return {
          body: matchesOf(allowed.map((row) => ({ ...row, path: shown(row.path) }))),
          rows,
          hidden: rows.rows.length - allowed.length,
        };
      }
      case "count": {
        const rows = await searcher.counts(request, place);
        const allowed = await ofShown(rows.rows, (row) => row.path);
        const counts = Object.fromEntries(
          allowed.slice(offset, offset + limit).map((row) => [shown(row.path), row.count]),
        );
        const sum = allowed.reduce((all, row) => all + row.count, 0);
        return {
          body: definedFields({ total_count: sum, counts: allowed.length > 0 ? counts : undefined }),
          rows,
          hidden: rows.rows.length - allowed.length,
        };
      }
      case "files_only":
      case "files": {
        const rows = mode === "files" ? await searcher.files(request, place) : await searcher.paths(request, place);
        const allowed = await ofShown(rows.rows, (path) => path);
        return {
          body: allowed.length > 0 ? { files: allowed.map(shown) } : {},
          rows,
          hidden: rows.rows.length - allowed.length,
        };
      }
    }
  }
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
