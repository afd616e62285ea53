import type { Place } from "../access/task-files.ts";

/** A parsed search: pattern, root, and the requested rows. */
export interface SearchRequest {
  readonly pattern: string;
  readonly glob: string | undefined;
  /** Working directory of the search. */
  readonly cwd: string;
  /** The search root relative to `cwd`: `.` or `./name`. */
  readonly root: string;
  /** The root is one file: it is searched as text, whatever bytes it has. */
  readonly alone: boolean;
  readonly context: number;
  readonly offset: number;
  readonly limit: number;
}

/** Rows have paths relative to `cwd`. `total` counts all rows, not only the fetched ones. */
export interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly timedOut: boolean;
  readonly error?: string;
  /** Something below the root could not be read. */
  readonly unread?: boolean;
}

export interface MatchRow {
  readonly path: string;
  readonly line: number;
  readonly content: string;
}

/** A search program. */
export interface Searcher {
  /** Some files with NUL bytes that match; other searches skip them. */
  binaries(request: SearchRequest, place: Place): Promise<readonly string[]>;
  content(request: SearchRequest, place: Place): Promise<Rows<MatchRow>>;
  paths(request: SearchRequest, place: Place): Promise<Rows<string>>;
  /** All files that match; the caller selects the page. */
  counts(request: SearchRequest, place: Place): Promise<Rows<{ readonly path: string; readonly count: number }>>;
  /** Newest first. */
  files(request: SearchRequest, place: Place): Promise<Rows<string>>;
}

/** Whether a glob names a hidden file or folder: it begins a part of it with a dot. */
export function namesHidden(glob: string): boolean {
  return /(?:^|[/{,])\.[^./]/.test(glob);
}
