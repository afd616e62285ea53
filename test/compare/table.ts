import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One call, and what the model reads of it. Rows of one scene share a session and an empty folder, in the order of the table. */
export interface Row {
  readonly scene: string;
  readonly tool: string;
  /**
   * An object, or the exact text a model sent. `$ROOT` is the scene's folder, `$HOME` the person's, `$1` the first background process of the scene;
   * `$job`, `$session` and `$match` are what an earlier result called `job_id`, `session_id` and `match_message_id`.
   */
  readonly args: { readonly [key: string]: unknown } | string;
  /** Written before the call: text, `{ "base64": … }`, `{ "repeat": [text, times] }`, or `null` for a folder. */
  readonly files?: { readonly [path: string]: FileContent };
  /** Files whose text belongs to the answer, under `$files`. */
  readonly look?: readonly string[];
  /** Conversations held before the call: what the person and the model said by turns. */
  readonly earlier?: readonly { readonly title: string; readonly said: readonly string[] }[];
  /** What the person answers to a question of this call. */
  readonly answer?: string;
  /** The answer of hermes-agent 0.19.0, in the shape that `shapeOf` gives it. */
  readonly expect: unknown;
  /** Ours, where it is another on purpose. */
  readonly ours?: unknown;
  /** Why it is another. */
  readonly why?: string;
}

export type FileContent = string | null | { readonly base64: string } | { readonly repeat: readonly [string, number] };

export const TABLE = join(import.meta.dirname, "calls.jsonl");

/** Scenes whose name ends so are run with approvals on and nobody to ask. */
export const GUARDED = "(guarded)";

export function readTable(): readonly Row[] {
  return readFileSync(TABLE, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row);
}

export function scenesOf(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  return Map.groupBy(rows, ({ scene }) => scene);
}
