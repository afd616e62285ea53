import { quoted } from "hermes-agent/plugin";
import { parseContentRows, parseCountRows } from "./content-rows.ts";
import { binaryNames, runRows, whyFailed, words, type RawRows } from "./run-rows.ts";
import { namesHidden, type Rows, type Searcher, type SearchRequest } from "./search-request.ts";
import type { Place } from "../access/task-files.ts";

const ALL = 50_000;

/**
 * Searches with grep and find if ripgrep is missing. Skips hidden files and directories but does not read .gitignore.
 */
export function grepAndFind(options: { readonly perl: boolean }): Searcher {
  const grep = (request: SearchRequest, ...flags: readonly string[]): string =>
    grepWith(request, request.alone ? "-a" : "-I", "--null", ...flags);
  const grepWith = (request: SearchRequest, ...flags: readonly string[]): string => {
    const kind = options.perl ? "-P" : "-E";
    const pattern = options.perl
      ? request.pattern
      : request.pattern.replaceAll("\\d", "[0-9]").replaceAll("\\s", "[[:space:]]");
    return `${find(request, request.glob)} -print0 | LC_ALL=C sort -z | xargs -0 ${words("grep", kind, ...flags, "-e", pattern, "--")}`;
  };

  return {
    async content(request, place) {
      const context = request.context > 0 ? ["-C", String(request.context), "--no-group-separator"] : [];
      const command = grep(request, "-n", "-H", ...context);
      const raw = await runRows(command, place, {
        cwd: request.cwd,
        keep: request.offset + request.limit,
        nulEnds: false,
        text: request.alone,
      });
      return message(raw, parseContentRows(raw.rows), request, place, wrong(request));
    },

    async paths(request, place) {
      const command = grep(request, "-l");
      const raw = await runRows(command, place, {
        cwd: request.cwd,
        keep: request.offset + request.limit,
        nulEnds: true,
      });
      return message(raw, raw.rows, request, place, wrong(request));
    },

    async counts(request, place) {
      const command = grep(request, "-c", "-H");
      const raw = await runRows(command, place, { cwd: request.cwd, keep: ALL, nulEnds: false });
      // grep prints a count for every file that it searched.
      const rows = parseCountRows(raw.rows).filter(({ count }) => count > 0);
      return message(
        { ...raw, total: rows.length },
        rows,
        { ...request, offset: 0, limit: ALL },
        place,
        wrong(request),
      );
    },

    binaries(request, place) {
      return binaryNames(grepWith(request, "-m", "1", "-H"), place, request.cwd);
    },

    async files(request, place) {
      const listed = find(request, request.pattern);
      // GNU find prints times itself; other versions need stat.
      const gnu = `${listed} -printf '%T@ %p\\0' | LC_ALL=C sort -z -rn | LC_ALL=C sed -z 's/^[^ ]* //'`;
      const other = `${listed} -exec stat -f '%m %N' {} + | LC_ALL=C sort -rn | LC_ALL=C sed 's/^[^ ]* //' | tr '\\n' '\\000'`;
      const newestFirst = `if find /dev/null -printf '' 2>/dev/null; then ${gnu}; else ${other}; fi`;
      const raw = await runRows(newestFirst, place, {
        cwd: request.cwd,
        keep: request.offset + request.limit,
        nulEnds: true,
      });
      return message(raw, raw.rows, request, place);
    },
  };

  /** grep's error message for an invalid pattern; needs no files. */
  function wrong(request: SearchRequest): string {
    return `${words("grep", options.perl ? "-P" : "-E", "-e", request.pattern)} /dev/null; [ $? -lt 2 ]`;
  }
}

/** Files below the root that are not hidden. The root itself may be hidden. */
function find(request: SearchRequest, glob: string | undefined): string {
  const names = glob === undefined ? [] : braces(glob);
  const test = names
    .map((name) =>
      name.includes("/")
        ? `-path ${quoted(
            `*/${name
              .replace(/^(\.\/|\*\*\/)+/, "")
              .replaceAll("**/", "*")
              .replaceAll("**", "*")}`,
          )}`
        : `-name ${quoted(name)}`,
    )
    .join(" -o ");
  const wanted = test === "" ? "" : ` \\( ${test} \\)`;
  if (request.root !== ".") return `find ${quoted(request.root)} -type f${wanted}`;
  if (names.some(namesHidden)) return `find . -name .git -prune -o -type f${wanted}`;
  return `find . -name '.?*' -prune -o -type f${wanted}`;
}

/** Expands `*.{ts,js}` into two patterns, because find does not support braces. */
function braces(glob: string): string[] {
  const match = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(glob);
  if (match === null) return [glob];
  return match[2]!.split(",").flatMap((choice) => braces(`${match[1]}${choice}${match[3]}`));
}

async function message<Row>(
  raw: RawRows,
  rows: readonly Row[],
  request: SearchRequest,
  place: Place,
  check?: string,
): Promise<Rows<Row>> {
  const error =
    raw.total === 0 && raw.exitCode !== 0 && !raw.timedOut && check !== undefined
      ? await whyFailed(check, place, request.cwd)
      : "";
  return {
    rows: rows.slice(request.offset, request.offset + request.limit),
    total: raw.total,
    timedOut: raw.timedOut,
    error: error === "" ? undefined : error,
  };
}
