import { matchesGlob } from "node:path/posix";
import { parseContentRows, parseCountRows } from "./content-rows.ts";
import { binaryNames, runRows, whyFailed, words, type RawRows } from "./run-rows.ts";
import { namesHidden, type Rows, type Searcher, type SearchRequest } from "./search-request.ts";
import type { Place } from "../access/task-files.ts";

/** Far beyond what is shown, so that rg's own truncation never shows. */
const COLUMNS = "2100";
const ALL = 50_000;
/** The end of rg's messages about one file, when the pattern is valid. */
const OF_A_FILE = /\(os error \d+\)$/;

/** Searches with ripgrep: skips hidden and ignored files, sorts by path. */
export const ripgrep: Searcher = {
  async content(request, place) {
    const context = request.context > 0 ? ["-C", String(request.context), "--no-context-separator"] : [];
    const command = contentCommand(request, [
      "-n",
      "-H",
      "--no-heading",
      ...(request.alone ? ["--text"] : ["--max-columns", COLUMNS, "--max-columns-preview"]),
      ...context,
    ]);
    const raw = await runRows(command, place, {
      cwd: request.cwd,
      keep: request.offset + request.limit,
      nulEnds: false,
      text: request.alone,
    });
    return message(raw, parseContentRows(raw.rows), command, request, place);
  },

  async paths(request, place) {
    const command = contentCommand(request, ["--files-with-matches", ...asText(request)]);
    const raw = await runRows(command, place, {
      cwd: request.cwd,
      keep: request.offset + request.limit,
      nulEnds: true,
    });
    return message(raw, raw.rows, command, request, place);
  },

  async counts(request, place) {
    const command = contentCommand(request, ["--count", "-H", ...asText(request)]);
    const raw = await runRows(command, place, { cwd: request.cwd, keep: ALL, nulEnds: false });
    return message(raw, parseCountRows(raw.rows), command, { ...request, offset: 0, limit: ALL }, place);
  },

  binaries(request, place) {
    return binaryNames(binaryCommand(request), place, request.cwd);
  },

  async files(request, place) {
    // A type respects .gitignore, which -g would override. It matches only names, so a pattern with a slash is matched
    // here.
    const hidden = namesHidden(request.pattern);
    const byPath = hidden || request.pattern.includes("/");
    const type = byPath ? (hidden ? HIDDEN : []) : ["--type-add", `wanted:${request.pattern}`, "--type", "wanted"];
    const command = words("rg", "--no-config", "--files", "--null", ...type, "--", request.root);
    const raw = await runRows(newestFirst(command), place, {
      cwd: request.cwd,
      keep: byPath ? ALL : request.offset + request.limit,
      nulEnds: true,
    });
    if (!byPath) return message(raw, raw.rows, command, request, place);
    const named = request.pattern.replace(/^\.\//, "");
    const glob = named.includes("/") ? named : `**/${named}`;
    const rows = raw.rows.filter((path) => matchesGlob(path.replace(/^\.\//, ""), glob));
    return message({ ...raw, total: rows.length }, rows, command, request, place);
  },
};

/**
 * Before version 14, `--sortr modified` sorts folder by folder. GNU stat prints fractions of a second, BSD stat only
 * seconds.
 */
function newestFirst(list: string): string {
  const gnu = "xargs -0 -r stat --printf '%.Y %n\\0' -- | LC_ALL=C sort -z -rn | LC_ALL=C sed -z 's/^[^ ]* //'";
  const other = "xargs -0 stat -f '%m %N' -- | LC_ALL=C sort -rn | LC_ALL=C sed 's/^[^ ]* //' | tr '\\n' '\\000'";
  return `( set -o pipefail; ${list} | if stat --printf '' / 2>/dev/null; then ${gnu}; else ${other}; fi )`;
}

/** Searches hidden files, too, if a pattern names them. */
const HIDDEN = ["--hidden", "-g", "!.git"];

const asText = ({ alone }: SearchRequest): readonly string[] => (alone ? ["--text"] : []);

/** Reports each binary file at its first match. */
function binaryCommand(request: SearchRequest): string {
  return words(
    "rg",
    "--no-config",
    "--color",
    "never",
    "--no-heading",
    "-H",
    "--binary",
    "--max-count",
    "1",
    "--max-columns",
    "200",
    ...globOf(request),
    "-e",
    request.pattern,
    "--",
    request.root,
  );
}

function globOf({ glob }: SearchRequest): readonly string[] {
  if (glob === undefined) return [];
  const hidden = namesHidden(glob) ? (glob.includes(".git/") ? ["--hidden"] : HIDDEN) : [];
  return glob.includes("/") ? [...hidden, "-g", glob] : [...hidden, "--type-add", `wanted:${glob}`, "--type", "wanted"];
}

function contentCommand(request: SearchRequest, options: readonly string[]): string {
  return words(
    "rg",
    "--no-config",
    "--color",
    "never",
    "--null",
    "--sort",
    "path",
    ...options,
    ...globOf(request),
    "-e",
    request.pattern,
    "--",
    request.root,
  );
}

async function message<Row>(
  raw: RawRows,
  rows: readonly Row[],
  command: string,
  request: SearchRequest,
  place: Place,
): Promise<Rows<Row>> {
  const page = {
    rows: rows.slice(request.offset, request.offset + request.limit),
    total: raw.total,
    timedOut: raw.timedOut,
  };
  // 1 means no match; 2 means an error, possibly with matches.
  if (raw.exitCode < 2 || raw.timedOut) return page;
  if (raw.total > 0) return { ...page, unread: true };
  const why = await whyFailed(command, place, request.cwd);
  return why !== "" && why.split("\n").every((line) => OF_A_FILE.test(line))
    ? { ...page, unread: true }
    : { ...page, error: why || "rg failed without a message." };
}
