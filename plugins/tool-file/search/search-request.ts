import type { Place } from "../access/task-files.ts";

/** A search, decided: what, where, and which rows of the answer are wanted. */
export interface SearchRequest {
  readonly pattern: string;
  readonly glob: string | undefined;
  /** Directory the search runs in. */
  readonly cwd: string;
  /** What is searched, as seen from `cwd`: `.` or `./name`. */
  readonly root: string;
  readonly context: number;
  readonly offset: number;
  readonly limit: number;
}

/** Rows come with paths as seen from `cwd`. `total` counts all rows, not only those that were fetched. */
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

/** A program that searches. */
export interface Searcher {
  content(request: SearchRequest, place: Place): Promise<Rows<MatchRow>>;
  paths(request: SearchRequest, place: Place): Promise<Rows<string>>;
  /** All files that match; the page is the caller's to take. */
  counts(request: SearchRequest, place: Place): Promise<Rows<{ readonly path: string; readonly count: number }>>;
  /** Newest first. */
  files(request: SearchRequest, place: Place): Promise<Rows<string>>;
}
