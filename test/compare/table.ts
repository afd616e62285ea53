import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * One call, and what the model reads for it. Rows of one scene share a session and an empty folder, in the order of the
 * table.
 */
export interface Row {
  readonly scene: string;
  readonly tool: string;
  /**
   * An object, or the exact text that a model sent. `$ROOT` is the scene's folder, `$HOME` the user's, `$1` the first
   * background process of the
   * scene; `$job`, `$session` and `$match` come from `job_id`, `session_id` and `match_message_id` of an earlier
   * result.
   */
  readonly args: { readonly [key: string]: unknown } | string;
  /** Written before the call: text, `{ "base64": … }`, `{ "repeat": [text, times] }`, or `null` for a folder. */
  readonly files?: { readonly [path: string]: FileContent };
  /** Files whose text is part of the result, under `$files`. */
  readonly look?: readonly string[];
  /** Conversations before the call: texts of user and model in turn. */
  readonly earlier?: readonly { readonly title: string; readonly messages: readonly string[] }[];
  /** The user's answer to a question of this call. */
  readonly answer?: string;
  /** The result of hermes-agent 0.19.0, as `shapeOf` reduces it. */
  readonly expect: unknown;
  /** Our result, if it differs on purpose. */
  readonly ours?: unknown;
  /** Why it differs. */
  readonly why?: string;
}

export type FileContent = string | null | { readonly base64: string } | { readonly repeat: readonly [string, number] };

export const TABLE = join(import.meta.dirname, "calls.jsonl");

/** Scenes with this suffix run with approvals on and no user to ask. */
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
